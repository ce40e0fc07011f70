import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Reader, Services, Tx } from '../kernel/context'
import { seedBooks } from './books'
import { seedCommands } from './commands'
import { seedAlarms } from './alarms'
import { seedAttempts, seedChannels, writeProviderFiles } from './channels'
import type { ProviderFile } from './providerAccount'
import { calendar, DAY_MS, type DemoDay } from './calendar'
import { merchants } from './data/merchants'
import { makeSecrets, type Planned, PUT_UP_MS, seedMachines, seedSlots } from './fleet'
import { seedProducts, writePictures } from './goods'
import { type MachineHeld, seedHeld } from './held'
import { machineHistory, type MachineHistory } from './history'
import { highGoMachines, seedLottery } from './lottery'
import { type DemoMachine, planAbroad, planMachines } from './network'
import { seedFlowCards } from './flowCards'
import { seedMessages } from './messages'
import { seedOperations } from './operations'
import { seedPaperwork } from './paperwork'
import { seedPartner } from './partner'
import { derivePasswords, idOf, seedGrants, seedMerchants, seedPasswords, seedUsers } from './people'
import { planSlots } from './planogram'
import { seedRefunds } from './refunds'
import { type MachineRepeats, seedPrescriptions } from './prescriptions'
import { seedPickup } from './pickup'
import { seedRepairs } from './repairs'
import { seedRoles } from './roles'
import { seedRollups } from './rollups'
import { seedStaff } from './staff'
import { seedSight } from './sight'
import { seedPlaces, seedSupply, type Traded } from './stock'
import { seedSystem } from './system'
import { seedTemplates } from './templates'
import { seedTrade } from './trade'
import { seedUnclaimed } from './unclaimed'

export type DemoOptions = { machines: number; password: string; days?: number }

/** Any fixed number: one process seeds, the others wait and find it done. */
const DEMO_LOCK = 4_217_004
const MARK = 'demo.seeded'
const DAYS = 90
/** A network that is larger sells as much in all, so that seeding takes no longer. */
const FULL_NETWORK = 200
const FOUNDED_DAYS_AGO = 900

/**
 * Fills an empty database with a network that looks like a business: merchants, people, products, machines and a
 * quarter's trade, all in one transaction. Does nothing where it was done before.
 * @throws Error when the database holds a business that is not the demo's
 */
export async function seedDemo(services: Services, options: DemoOptions): Promise<void> {
  if (await isSeeded(services.db)) return
  const now = services.clock.now()
  const days = calendar(now, options.days ?? DAYS)
  const network = planNetwork(options.machines, days, now)
  await writePictures(services.dataDir)
  await services.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${DEMO_LOCK})`.execute(tx)
    if (await isSeeded(tx)) return
    await refuseIfUsed(tx)
    await sql`set local work_mem = '64MB'`.execute(tx)
    const firstDay = new Date((days[0]?.startMs ?? now.getTime()) - 20 * DAY_MS)
    await sql`select ensure_partitions(${firstDay}::date, ${new Date(now.getTime() + 31 * DAY_MS)}::date)`.execute(tx)
    const secrets = makeSecrets(network)
    const { provider, ...carried } = await seedNetwork(tx, network, {
      services,
      password: options.password,
      secrets,
      days,
      now,
    })
    const mark = JSON.stringify({ at: now.toISOString(), machines: options.machines, days: days.length - 1 })
    await sql`insert into setting (key, value)
      values ('wallboard.open', 'true'::jsonb), (${MARK}, ${mark}::jsonb)`.execute(tx)
    // Before the commit: a file without its network is written again, a network without its file could not be run.
    await writeFleetFile(services.dataDir, network, secrets, carried)
    await writeProviderFiles(tx, services.dataDir, provider, now)
  })
}

type Drawn = Planned & { history: MachineHistory }

/** All that chance decides, before anything is written. */
function planNetwork(count: number, days: readonly DemoDay[], now: Date): Drawn[] {
  const collecting = collectingMerchants()
  const drawn = (machine: DemoMachine, past: readonly DemoDay[], scale: number): Drawn => {
    const slots = planSlots(machine)
    const history = machineHistory(machine, slots, {
      days: past,
      nowMs: now.getTime(),
      scale,
      collectsPayment: collecting.has(machine.merchant),
    })
    return { machine, slots, history }
  }
  const usual = Math.min(1, FULL_NETWORK / count)
  // Filled as it was put up a few hours ago, and nobody has bought there yet.
  const arrival = days.slice(-1).map((today) => ({ ...today, startMs: now.getTime() - PUT_UP_MS }))
  return [
    ...planMachines(count).map((machine) => drawn(machine, days, usual)),
    ...planAbroad(count).map((machine) => drawn(machine, arrival, 0)),
  ]
}

const collectingMerchants = (): ReadonlySet<string> =>
  new Set(merchants.filter((merchant) => merchant.collectsPayment).map(({ code }) => code))

type Circumstances = {
  services: Services
  password: string
  secrets: ReadonlyMap<string, string>
  days: readonly DemoDay[]
  now: Date
}

/** What customers of the machines carry. */
type Carried = { repeats: MachineRepeats; held: MachineHeld }

async function seedNetwork(
  tx: Tx,
  network: readonly Drawn[],
  { services, password, secrets, days, now }: Circumstances,
): Promise<Carried & { provider: ProviderFile }> {
  const founded = new Date(now.getTime() - FOUNDED_DAYS_AGO * DAY_MS)
  const merchantIds = await seedMerchants(tx, founded)
  const userIds = await seedUsers(tx, merchantIds, founded)
  await seedRoles(tx, { merchants: merchantIds, users: userIds })
  const productIds = await seedProducts(tx, merchantIds)
  const machineIds = await seedMachines(tx, network, merchantIds, { secrets, now })
  const ids = { machines: machineIds, merchants: merchantIds, products: productIds, users: userIds }
  await seedGrants(
    tx,
    network.map(({ machine }) => machine),
    ids,
  )
  await seedPaperwork(
    tx,
    network.map(({ machine }) => machine),
    ids,
    { keys: services.keys, now, founded },
  )
  await seedStaff(tx, ids, now)
  const slotIds = await seedSlots(tx, network, ids)
  await seedTemplates(tx, { merchants: merchantIds, users: userIds }, now)
  const machines = network.map(({ machine }) => machine)
  await seedOperations(tx, machines, ids, { keys: services.keys, now })
  await seedFlowCards(tx, machines, ids, now)
  const places = await seedPlaces(tx, merchantIds)
  const traded = network.map(
    (drawn, index): Traded => ({
      ...drawn,
      machineId: idOf(machineIds, drawn.machine.code),
      merchantId: idOf(merchantIds, drawn.machine.merchant),
      slotIds: slotIds[index] ?? [],
    }),
  )
  const [derived] = await Promise.all([
    derivePasswords(services.keys, password),
    seedSupply(tx, traded, places, productIds),
  ])
  await seedSight(tx, ids, now)
  await seedPasswords(tx, services.keys, { derived, password }, { userIds, at: founded })
  await seedSystem(tx, { merchantIds, userIds, now })
  await seedMessages(tx, { merchantIds, userIds, keys: services.keys, now })
  await seedTrade(tx, traded, { products: productIds, collecting: collectingMerchants() })
  await seedPickup(tx, { ...ids, keys: services.keys, now })
  await seedLottery(tx, traded, { ...ids, keys: services.keys, days, now })
  const machine = network.find((drawn) => drawn.machine.merchant === 'EAST')?.machine.code
  const provider = await seedChannels(tx, services.keys, ids, { machine, now })
  await seedAttempts(tx)
  await seedRefunds(tx, { users: userIds, now })
  await seedUnclaimed(tx, { merchants: merchantIds, users: userIds, now })
  await seedBooks(tx, { users: userIds, now })
  await seedPartner(tx, traded, productIds, now)
  const doctorId = idOf(userIds, 'doctor')
  const repeats = await seedPrescriptions(tx, { keys: services.keys, now, doctorId })
  const held = await seedHeld(tx, { keys: services.keys, now })
  await seedRollups(tx)
  await sql`select rebuild_stock_outs()`.execute(tx)
  await seedCommands(tx, { ...ids, network, slotIds, now })
  await seedAlarms(tx, ids, now)
  await seedRepairs(tx, ids, now)
  return { provider, repeats, held }
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
  dataDir: string,
  network: readonly Drawn[],
  secrets: ReadonlyMap<string, string>,
  { repeats, held }: Carried,
): Promise<void> {
  const playing = highGoMachines(network.map(({ machine }) => machine))
  const machines = network.map(({ machine, slots, history }) => ({
    code: machine.code,
    secret: secrets.get(machine.code) ?? '',
    timeZone: machine.timeZone,
    category: machine.category,
    isHighGo: playing.has(machine.code),
    prescriptions: repeats.get(machine.code) ?? [],
    ...held.get(machine.code),
    slots: slots.map(({ code, product, priceFen, capacity }, index) => ({
      code,
      product: product?.code ?? null,
      priceFen,
      stock: history.stock[index] ?? 0,
      capacity,
    })),
  }))
  const folder = join(dataDir, 'demo')
  await mkdir(folder, { recursive: true })
  const fresh = join(folder, `fleet.json.${process.pid}`)
  await writeFile(fresh, JSON.stringify({ machines }), { mode: 0o600 })
  await rename(fresh, join(folder, 'fleet.json'))
}
