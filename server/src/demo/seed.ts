import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { historyFill } from '@aisle/contract/home/dashboard'
import { createExternal } from '@aisle/contract/rights/resource'
import { backup } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { Reader, Services, Tx } from '../kernel/context'
import { askForAccounts } from './money/bankAccounts'
import { billDay } from './money/books'
import type { ProviderFile } from './money/providerAccount'
import { calendar, DAY_MS, type DemoDay } from './calendar'
import { seedChannels, writeProviderFiles } from './money/channels'
import { giveCards } from './people/cards'
import { applyForCards } from './people/school'
import { merchants } from './data/merchants'
import { addMachines, type Planned } from './network/fleet'
import type { Fill } from './life/fill'
import { fillShelves, playDay } from './life/history'
import { handHeld, heldAt, type MachineHeld } from './life/held'
import { standingOf } from './life/standing'
import { type Past, pastWithin } from './life/within'
import { repairMachines } from './life/repairs'
import { keepMedicines } from './life/shelfLife'
import { workOnMachines } from './life/workshop'
import { fillLibrary } from './life/library'
import { buyGoods } from './life/buying'
import { driveTours } from './life/tours'
import { takeCash } from './life/cash'
import { complainAtMachines } from './life/complaints'
import { beTold } from './life/decisions'
import { listPlans, planCampaign } from './life/plans'
import { giveVouchers } from './life/vouchers'
import { sellScreens } from './life/adverts'
import { planAbroad, planMachines } from './network/network'
import { offeredSets, offerMedicines, setRules } from './medicine/master'
import { seedBatches } from './medicine/medicines'
import { recallBatches } from './medicine/recalls'
import { openTraceAccounts } from './medicine/traces'
import { prescribe } from './medicine/prescriptions'
import { sortMedicines } from './network/conditions'
import { addProducts, writePictures } from './network/goods'
import { highGoMachines } from './network/lottery'
import { addFlowCards } from './network/flowCards'
import { addPlaces, stopPoints } from './network/places'
import { addIntegrations } from './integrations'
import { addLicences } from './licences'
import { addMessages } from './people/messages'
import { addMembers } from './people/members'
import { runNetwork } from './network/operations'
import { addAccounts, derivePasswords, type Ids, idOf, seedMerchants, seedPasswords } from './people/people'
import { planSlots } from './network/planogram'
import { handOut } from './life/pickup'
import { addStaff } from './people/staff'
import { grantSight } from './people/sight'
import { hours, weekdays } from './data/demand'
import { otherSystems } from './data/roles'
import { sellsADay } from './network/seasons'
import { addWords } from './system'
import { addTemplates } from './network/templates'
import { haveUnclaimed } from './money/unclaimed'
import { shareOrders } from './money/splits'
import { openPayer } from './money/withdrawals'

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
    const past = pastWithin(services, tx)
    const around = { password: options.password, days, served, now }
    const { ids, secrets, provider } = await seedNetwork(past, network, around)
    const held = await live(past, network, ids, around)
    const { machines } = options
    const mark = { at: now.toISOString(), machines, days: days.length - 1 }
    const fill: Fill = { of: days.length, filled: served, spans: 0, seededAt: now.toISOString(), machines }
    // Backups of what is made up would fill the disk of whoever looks at the demo.
    await sql`insert into setting (key, value) values ('wallboard.open', 'true'::jsonb),
      (${backup.isOn.key}, 'false'::jsonb),
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
  password: string
  days: readonly DemoDay[]
  /** How many of them are told at once, from today back. */
  served: number
  now: Date
}
type Founded = { ids: AllIds; secrets: ReadonlyMap<string, string>; provider: ProviderFile }

/** How things stand before anything happens. */
async function seedNetwork(
  past: Past,
  network: readonly Planned[],
  { password, days, now }: Circumstances,
): Promise<Founded> {
  const { services, tx } = past
  const { keys } = services
  const founded = new Date(now.getTime() - FOUNDED_DAYS_AGO * DAY_MS)
  const machines = network.map(({ machine }) => machine)
  const merchants = await seedMerchants(tx, founded)
  const { users, roles } = await addAccounts(tx, merchants, founded)
  past.at((days[0]?.startMs ?? now.getTime()) - STORY_DAYS * DAY_MS)
  for (const system of otherSystems) await past.as('admin', createExternal, system)
  const products = await addProducts(past, merchants)
  const points = await addPlaces(past, machines, merchants)
  const { ids: machineIds, secrets } = await addMachines(tx, network, { merchants, points, products, now })
  await stopPoints(past, points)
  const ids = { machines: machineIds, merchants, products, users }
  const units = await addStaff(past, { merchants, users, roles })
  await grantSight(past, machines, { ...ids, units })
  await addLicences(past, machines, merchants)
  await addMembers(tx, machines, ids, now)
  await runNetwork(past, network, { ...ids, units })
  await addFlowCards(past, machines, ids)
  const derived = await derivePasswords(keys, password)
  await seedPasswords(tx, keys, { derived, password }, { userIds: users, at: founded })
  const machine = machines.find(({ merchant }) => merchant === 'EAST')?.code
  await addIntegrations(past, merchants, machine)
  await addWords(past, merchants)
  await addMessages(past, ids)
  await addTemplates(past, network, ids)
  const provider = await seedChannels(past, ids, machine)
  await openTraceAccounts(past, merchants, provider)
  await openPayer(past, merchants, provider)
  await shareOrders(past, ids, machines.filter(({ merchant }) => merchant === 'EAST')[1]?.code)
  return { ids, secrets, provider }
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
  await sortMedicines(past, ids)
  await setRules(past, ids.merchants)
  await offerMedicines(past, ids)
  await listPlans(past)
  const held = await handHeld(past)
  const standing = await standingOf(tx, network, { heldAt: (code) => heldAt(held, code), at: now })
  await fillShelves(past, standing, days)
  await seedBatches(tx, now)
  const firstDays = days.slice(-served)
  await prescribe(past, standing, ids.products, firstDays[0]?.startMs ?? now.getTime())
  for (const day of firstDays) await playDay(past, standing, day)
  past.at(now.getTime())
  await handOut(past, ids.merchants)
  await haveUnclaimed(past, ids.merchants)
  await fillLibrary(past)
  for (const day of firstDays) await billDay(past, day)
  await sql`select rebuild_stock_outs()`.execute(tx)
  await past.run('alarm.recountUsual')
  await keepMedicines(past, standing)
  await workOnMachines(past, standing)
  await recallBatches(past)
  // Nothing has counted these rows yet: planned blindly, a forecast of them took half a minute.
  await sql`analyze machine, slot, stock_level, stock_out, stock_move, rollup_day_machine,
    rollup_day_machine_product`.execute(past.tx)
  await buyGoods(past, ids.merchants)
  await driveTours(past)
  await takeCash(past)
  await repairMachines(past, standing, idOf(ids.users, 'maintainer'))
  await complainAtMachines(past)
  past.at(now.getTime())
  await applyForCards(past, idOf(ids.merchants, 'EAST'))
  past.at(now.getTime())
  await giveVouchers(past, held)
  await planCampaign(past)
  await sellScreens(past)
  await past.run('advice.recommendProducts')
  await past.run('advice.recommendPrices')
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
  const packs = await packsOf(tx)
  const machines = network.map(({ machine, slots }) => {
    const { code, timeZone, category, point } = machine
    const { codes, cards, prescriptions, vouchers } = heldAt(held, code)
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
      vouchers,
      sets: offeredSets(slots.map((slot) => slot.product?.code ?? null)),
      slots: slots.map((slot) => ({
        code: slot.code,
        product: slot.product?.code ?? null,
        priceFen: slot.priceFen,
        stock: stock.get(`${code} ${slot.code}`) ?? 0,
        capacity: slot.capacity,
        ...packs(`${code} ${slot.code}`, slot.product?.code),
      })),
    }
  })
  const folder = join(dataDir, 'demo')
  await mkdir(folder, { recursive: true })
  const fresh = join(folder, `fleet.json.${process.pid}`)
  await writeFile(fresh, JSON.stringify({ machines }), { mode: 0o600 })
  await rename(fresh, join(folder, 'fleet.json'))
}

/** Of medicine: the codes of what stands in each slot, and what its filler brings next. */
async function packsOf(tx: Tx) {
  const codes = await sql<{ name: string; codes: string[] }>`select p.name, array_agg(t.code order by t.id) as codes
    from trace_code t join place p on p.id = t.place_id group by p.name`.execute(tx)
  const lots = await sql<{ product: string; batch: string; prefix: string }>`
    select distinct on (p.id) p.code as product, b.number as batch, x.prefix from product p
    join medicine_trace_prefix x on x.product_id = p.id and x.level = 'pack'
    join medicine_batch b on b.product_id = p.id and b.state = 'available' order by p.id, b.expires_on desc`.execute(tx)
  const known = new Map(codes.rows.map(({ name, codes: own }) => [name, own]))
  return (slot: string, product: string | undefined) => {
    const lot = lots.rows.find((each) => each.product === product)
    return lot ? { traceCodes: known.get(slot) ?? [], lot } : {}
  }
}
