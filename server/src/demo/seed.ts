import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { historyFill } from '@aisle/contract/home/dashboard'
import { sql } from 'kysely'
import type { Reader, Services, Tx } from '../kernel/context'
import { seedBooks } from './money/books'
import type { ProviderFile } from './money/providerAccount'
import { calendar, DAY_MS, type DemoDay } from './calendar'
import { seedChannels, writeProviderFiles } from './money/channels'
import { seedCards } from './people/cards'
import { merchants } from './data/merchants'
import { makeSecrets, type Planned, seedMachines, seedSlots } from './network/fleet'
import type { Fill } from './life/fill'
import { fillShelves, playDay } from './life/history'
import { heldAt, type MachineHeld, seedHeld } from './life/held'
import { batchOf } from './life/machineDay'
import type { Standing } from './life/span'
import { pastWithin } from './life/within'
import { repairMachines } from './life/repairs'
import { workOnMachines } from './life/workshop'
import { beTold } from './life/decisions'
import { recountUsual } from '../features/alarm/usual.store'
import { businessTime, PLATFORM_TIME_ZONE } from '../kernel/businessDay'
import { planAbroad, planMachines } from './network/network'
import { seedMedicines } from './medicine/medicines'
import { prescribe } from './medicine/prescriptions'
import { seedProducts, writePictures } from './network/goods'
import { highGoMachines, seedLottery } from './network/lottery'
import { seedFlowCards } from './network/flowCards'
import { seedMessages } from './people/messages'
import { seedOperations } from './network/operations'
import { seedPaperwork } from './paperwork'
import { derivePasswords, idOf, seedGrants, seedMerchants, seedPasswords, seedUsers } from './people/people'
import { planSlots } from './network/planogram'
import { seedPickup } from './pickup'
import { seedRoles } from './people/roles'
import { seedStaff } from './people/staff'
import { seedSight } from './people/sight'
import { hours, sellsADay, weekdays } from './network/seasons'
import { seedSystem } from './system'
import { seedTemplates } from './network/templates'
import { seedUnclaimed } from './money/unclaimed'

export type DemoOptions = { machines: number; password: string; days: number }

/** Any fixed number: one process seeds, the others wait and find it done. */
const DEMO_LOCK = 4_217_004
const MARK = 'demo.seeded'
/** As many sales are told before the first page; what is older than the days that hold them is told behind it. */
const FIRST_SALES = 14_000
const SALES_A_DAY = 45
const FOUNDED_DAYS_AGO = 900

/**
 * Fills an empty database with a network that looks like a business: merchants, people, products, machines and a
 * quarter's trade, all in one transaction. Does nothing where it was done before.
 * @throws Error when the database holds a business that is not the demo's
 */
export async function seedDemo(services: Services, options: DemoOptions): Promise<void> {
  if (await isSeeded(services.db)) return
  const now = services.clock.now()
  const days = calendar(now, options.days)
  const network = planNetwork(options.machines)
  const served = Math.min(days.length, 1 + Math.max(1, Math.floor(FIRST_SALES / (options.machines * SALES_A_DAY))))
  await writePictures(services.dataDir)
  await services.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${DEMO_LOCK})`.execute(tx)
    if (await isSeeded(tx)) return
    await refuseIfUsed(tx)
    await sql`set local work_mem = '64MB'`.execute(tx)
    const firstDay = new Date((days[0]?.startMs ?? now.getTime()) - 20 * DAY_MS)
    await sql`select ensure_partitions(${firstDay}::date, ${new Date(now.getTime() + 31 * DAY_MS)}::date)`.execute(tx)
    const secrets = makeSecrets(network)
    const { provider, held } = await seedNetwork(tx, network, {
      services,
      password: options.password,
      secrets,
      days,
      served,
      now,
    })
    const { machines } = options
    const mark = { at: now.toISOString(), machines, days: days.length - 1 }
    const fill: Fill = { of: days.length, filled: served, spans: 0, seededAt: now.toISOString(), machines }
    await sql`insert into setting (key, value) values ('wallboard.open', 'true'::jsonb),
      (${MARK}, ${JSON.stringify(mark)}::jsonb), (${historyFill}, ${JSON.stringify(fill)}::jsonb)`.execute(tx)
    // Before the commit: a file without its network is written again, a network without its file could not be run.
    await writeFleetFile(tx, services.dataDir, network, { secrets, held })
    await writeProviderFiles(tx, services.dataDir, provider, now)
  })
}

/** All that chance decides of how the network stands, before anything is written. */
const planNetwork = (count: number): Planned[] =>
  [...planMachines(count), ...planAbroad(count)].map((machine) => ({ machine, slots: planSlots(machine) }))

const collectingMerchants = (): ReadonlySet<string> =>
  new Set(merchants.filter((merchant) => merchant.collectsPayment).map(({ code }) => code))

type Circumstances = {
  services: Services
  password: string
  secrets: ReadonlyMap<string, string>
  days: readonly DemoDay[]
  /** How many of them are told at once, from today back. */
  served: number
  now: Date
}

async function seedNetwork(
  tx: Tx,
  network: readonly Planned[],
  { services, password, secrets, days, served, now }: Circumstances,
): Promise<{ held: MachineHeld; provider: ProviderFile }> {
  const { keys } = services
  const founded = new Date(now.getTime() - FOUNDED_DAYS_AGO * DAY_MS)
  const machines = network.map(({ machine }) => machine)
  const merchantIds = await seedMerchants(tx, founded)
  const userIds = await seedUsers(tx, merchantIds, founded)
  await seedRoles(tx, { merchants: merchantIds, users: userIds })
  const productIds = await seedProducts(tx, merchantIds)
  const machineIds = await seedMachines(tx, network, merchantIds, { secrets, now })
  const ids = { machines: machineIds, merchants: merchantIds, products: productIds, users: userIds }
  await seedGrants(tx, machines, ids)
  await seedPaperwork(tx, machines, ids, { keys, now, founded })
  await seedStaff(tx, ids, now)
  await seedSlots(tx, network, ids)
  await seedTemplates(tx, { merchants: merchantIds, users: userIds }, now)
  await seedOperations(tx, machines, ids, { keys, now })
  await seedFlowCards(tx, machines, ids, now)
  await seedSight(tx, ids, now)
  const derived = await derivePasswords(keys, password)
  await seedPasswords(tx, keys, { derived, password }, { userIds, at: founded })
  await seedSystem(tx, { merchantIds, userIds, now })
  await seedMessages(tx, { merchantIds, userIds, keys, now })
  const playing = highGoMachines(machines)
  await seedLottery(tx, playing, machineIds)
  const provider = await seedChannels(tx, keys, ids, {
    machine: machines.find(({ merchant }) => merchant === 'EAST')?.code,
    now,
  })
  const since = new Date(days[0]?.startMs ?? now.getTime())
  const collecting = collectingMerchants()
  const issuers = new Set(machines.map(({ merchant }) => merchant).filter((code) => !collecting.has(code)))
  await seedCards(
    tx,
    [...issuers].map((code) => idOf(merchantIds, code)),
    since.getTime(),
  )
  const held = await seedHeld(tx, { keys, at: since })
  const past = pastWithin(services, tx)
  const standing = network.map(
    ({ machine, slots }): Standing => ({
      machine,
      slots,
      id: idOf(machineIds, machine.code),
      merchantId: idOf(merchantIds, machine.merchant),
      held: heldAt(held, machine.code),
      isPlaying: playing.has(machine.code),
      collectsPayment: collecting.has(machine.merchant),
      fillBatch: (slot) => batchOf(slots[slot]?.product, now),
    }),
  )
  await fillShelves(past, standing, days)
  await seedMedicines(tx, now)
  const toldNow = days.slice(-served)
  await prescribe(past, standing, productIds, toldNow[0]?.startMs ?? now.getTime())
  for (const day of toldNow) await playDay(past, standing, day)
  past.at(now.getTime())
  await seedPickup(tx, { ...ids, keys, now })
  await seedUnclaimed(tx, { merchants: merchantIds, users: userIds, now })
  await seedBooks(tx, { users: userIds, now })
  await sql`select rebuild_stock_outs()`.execute(tx)
  await recountUsual(tx, businessTime(now, PLATFORM_TIME_ZONE).day)
  await workOnMachines(past, standing)
  await repairMachines(past, standing, idOf(userIds, 'maintainer'))
  await beTold(past, now.getTime())
  return { provider, held }
}

async function isSeeded(db: Reader): Promise<boolean> {
  const found = await sql`select 1 from setting where key = ${MARK} and merchant_id is null`.execute(db)
  return found.rows.length > 0
}

async function refuseIfUsed(tx: Tx): Promise<void> {
  const found = await sql`select 1 from merchant union all select 1 from app_user limit 1`.execute(tx)
  if (found.rows.length === 0) return
  throw new Error('This database already holds a business of its own. Start with DEMO=0, or with an empty database.')
}

/** What the simulated machines need to sign in and to stand as the database says they do. */
async function writeFleetFile(
  tx: Tx,
  dataDir: string,
  network: readonly Planned[],
  { secrets, held }: { secrets: ReadonlyMap<string, string>; held: MachineHeld },
): Promise<void> {
  const playing = highGoMachines(network.map(({ machine }) => machine))
  const levels = await sql<{ name: string; quantity: number }>`select p.name, l.quantity from stock_level l
    join place p on p.id = l.place_id and p.kind = 'slot'`.execute(tx)
  const stock = new Map(levels.rows.map(({ name, quantity }) => [name, quantity]))
  const machines = network.map(({ machine, slots }) => {
    const { code, timeZone, category, point } = machine
    const { codes, cards, prescriptions } = heldAt(held, code)
    return {
      code,
      secret: secrets.get(code) ?? '',
      timeZone,
      category,
      isHighGo: playing.has(code),
      sells: { aDay: sellsADay(machine), hours: hours[point.kind], weekdays: weekdays[point.kind] },
      codes: codes.map((each) => each.code),
      cards,
      prescriptions,
      slots: slots.map((slot) => ({
        code: slot.code,
        product: slot.product?.code ?? null,
        priceFen: slot.priceFen,
        stock: stock.get(`${code} ${slot.code}`) ?? 0,
        capacity: slot.capacity,
      })),
    }
  })
  const folder = join(dataDir, 'demo')
  await mkdir(folder, { recursive: true })
  const fresh = join(folder, `fleet.json.${process.pid}`)
  await writeFile(fresh, JSON.stringify({ machines }), { mode: 0o600 })
  await rename(fresh, join(folder, 'fleet.json'))
}
