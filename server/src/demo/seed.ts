import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { historyFill } from '@aisle/contract/home/dashboard'
import { sql } from 'kysely'
import type { Reader, Services, Tx } from '../kernel/context'
import { askForAccounts } from './money/bankAccounts'
import { billDays } from './money/books'
import type { ProviderFile } from './money/providerAccount'
import { calendar, DAY_MS, type DemoDay } from './calendar'
import { seedChannels, writeProviderFiles } from './money/channels'
import { giveCards } from './people/cards'
import { merchants } from './data/merchants'
import { makeSecrets, type Planned, seedMachines, seedSlots } from './network/fleet'
import type { Fill } from './life/fill'
import { fillShelves, playDay } from './life/history'
import { handHeld, heldAt, type MachineHeld } from './life/held'
import { standingOf } from './life/standing'
import { type Past, pastWithin } from './life/within'
import { repairMachines } from './life/repairs'
import { workOnMachines } from './life/workshop'
import { beTold } from './life/decisions'
import { planAbroad, planMachines } from './network/network'
import { seedMedicines } from './medicine/medicines'
import { prescribe } from './medicine/prescriptions'
import { seedProducts, writePictures } from './network/goods'
import { highGoMachines, seedLottery } from './network/lottery'
import { seedFlowCards } from './network/flowCards'
import { seedMessages } from './people/messages'
import { seedOperations } from './network/operations'
import { seedPaperwork } from './paperwork'
import { derivePasswords, type Ids, idOf, seedGrants, seedMerchants, seedPasswords, seedUsers } from './people/people'
import { planSlots } from './network/planogram'
import { handOut } from './life/pickup'
import { seedRoles } from './people/roles'
import { seedStaff } from './people/staff'
import { seedSight } from './people/sight'
import { hours, weekdays } from './data/demand'
import { sellsADay } from './network/seasons'
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
/** What people did lately goes back further than the sales of a short history. */
const STORY_DAYS = 60

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
    const firstDay = new Date(now.getTime() - (days.length + STORY_DAYS) * DAY_MS)
    await sql`select ensure_partitions(${firstDay}::date, ${new Date(now.getTime() + 31 * DAY_MS)}::date)`.execute(tx)
    const secrets = makeSecrets(network)
    const around = { services, password: options.password, secrets, days, served, now }
    const { ids, provider } = await seedNetwork(tx, network, around)
    const held = await live(pastWithin(services, tx), network, ids, around)
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

type AllIds = { machines: Ids; merchants: Ids; products: Ids; users: Ids }
type Circumstances = {
  services: Services
  password: string
  secrets: ReadonlyMap<string, string>
  days: readonly DemoDay[]
  /** How many of them are told at once, from today back. */
  served: number
  now: Date
}

/** How things stand before anything happens. */
async function seedNetwork(
  tx: Tx,
  network: readonly Planned[],
  { services, password, secrets, now }: Circumstances,
): Promise<{ ids: AllIds; provider: ProviderFile }> {
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
  await seedTemplates(tx, ids, now)
  await seedOperations(tx, ids, { keys, now })
  await seedFlowCards(tx, machines, ids, now)
  await seedSight(tx, ids, now)
  const derived = await derivePasswords(keys, password)
  await seedPasswords(tx, keys, { derived, password }, { userIds, at: founded })
  await seedSystem(tx, { merchantIds, userIds, now })
  await seedMessages(tx, { merchantIds, userIds, keys, now })
  await seedLottery(tx, highGoMachines(machines), machineIds)
  const machine = machines.find(({ merchant }) => merchant === 'EAST')?.code
  const provider = await seedChannels(tx, keys, ids, { machine, now })
  return { ids, provider }
}

/** What happened since, by the product's own calls and messages. */
async function live(
  past: Past,
  network: readonly Planned[],
  ids: AllIds,
  { days, served, now }: Circumstances,
): Promise<MachineHeld> {
  const { tx } = past
  const sinceMs = days[0]?.startMs ?? now.getTime()
  const collecting = new Set(merchants.filter((merchant) => merchant.collectsPayment).map(({ code }) => code))
  const issuers = new Set(network.map(({ machine }) => machine.merchant).filter((code) => !collecting.has(code)))
  const issuerIds = [...issuers].map((code) => idOf(ids.merchants, code))
  await askForAccounts(past, ids.merchants)
  await giveCards(past, issuerIds, sinceMs)
  past.at(sinceMs)
  const held = await handHeld(past)
  const standing = await standingOf(tx, network, { heldAt: (code) => heldAt(held, code), at: now })
  await fillShelves(past, standing, days)
  await seedMedicines(tx, now)
  const told = days.slice(-served)
  await prescribe(past, standing, ids.products, told[0]?.startMs ?? now.getTime())
  for (const day of told) await playDay(past, standing, day)
  past.at(now.getTime())
  await handOut(past, ids.merchants)
  await seedUnclaimed(tx, { ...ids, now })
  await billDays(past, told)
  await sql`select rebuild_stock_outs()`.execute(tx)
  await past.run('alarm.recountUsual')
  await workOnMachines(past, standing)
  await repairMachines(past, standing, idOf(ids.users, 'maintainer'))
  await beTold(past, now.getTime())
  return held
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
