import { historyFill } from '@aisle/contract/home/dashboard'
import { createExternal } from '@aisle/contract/rights/resource'
import { backup } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { Reader, Services, Tx } from '../kernel/context'
import { calendar, DAY_MS, type DemoDay } from './calendar'
import { otherSystems } from './data/roles'
import { writeFleetFile } from './fleetFile'
import { addIntegrations } from './integrations'
import { addLicences } from './licences'
import { sellScreens } from './life/adverts'
import { buyGoods } from './life/buying'
import { takeCash } from './life/cash'
import { complainAtMachines } from './life/complaints'
import { beTold } from './life/decisions'
import type { Fill } from './life/fill'
import { handHeld, heldAt, type MachineHeld } from './life/held'
import { fillShelves, playDay } from './life/history'
import { fillLibrary } from './life/library'
import { handOut } from './life/pickup'
import { listPlans, planCampaign } from './life/plans'
import { repairMachines } from './life/repairs'
import { keepMedicines } from './life/shelfLife'
import { standingOf } from './life/standing'
import { driveTours } from './life/tours'
import { giveVouchers } from './life/vouchers'
import { type Past, pastWithin } from './life/within'
import { workOnMachines } from './life/workshop'
import { offerMedicines, setRules, sortMedicines } from './medicine/master'
import { addBatches } from './medicine/medicines'
import { prescribe } from './medicine/prescriptions'
import { recallBatches } from './medicine/recalls'
import { openTraceAccounts } from './medicine/traces'
import { askForAccounts } from './money/bankAccounts'
import { billDay } from './money/books'
import { channelKeyPairs, seedChannels, writeProviderFiles } from './money/channels'
import type { KeyPairs, ProviderFile } from './money/providerAccount'
import { shareOrders } from './money/splits'
import { haveUnclaimed } from './money/unclaimed'
import { openPayer } from './money/withdrawals'
import { addMachines } from './network/fleet'
import { addFlowCards } from './network/flowCards'
import { addProducts, writePictures } from './network/goods'
import { runNetwork } from './network/operations'
import { addPlaces, stopPoints } from './network/places'
import { type Planned, planNetwork } from './network/planned'
import { addTemplates } from './network/templates'
import { giveCards } from './people/cards'
import { addMembers } from './people/members'
import { addMessages } from './people/messages'
import { addAccounts, deriveProofs, seedMerchants, seedPasswords } from './people/people'
import { applyForCards } from './people/school'
import { grantSight } from './people/sight'
import { addStaff } from './people/staff'
import { addWords } from './system'

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
 * @returns whether it was done now
 * @throws Error when the database holds a business that is not the demo's
 */
export async function seedDemo(services: Services, options: DemoOptions): Promise<boolean> {
  if (await isSeeded(services.db)) return false
  const now = services.clock.now()
  const { machines } = options
  const days = calendar(now, options.days)
  const network = planNetwork(machines)
  const served = Math.min(days.length, 1 + Math.max(1, Math.floor(FIRST_SALES / (machines * SALES_A_DAY))))
  // Computed in other threads meanwhile.
  const apart: Apart = { pairs: channelKeyPairs(), proofs: deriveProofs(services, options.password) }
  await writePictures(services.files)
  return services.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${DEMO_LOCK})`.execute(tx)
    if (await isSeeded(tx)) return false
    await refuseIfUsed(tx)
    await planAsFull(tx)
    const firstDay = new Date(now.getTime() - (days.length + STORY_DAYS) * DAY_MS)
    await sql`select ensure_partitions(${firstDay}::date, ${new Date(now.getTime() + 31 * DAY_MS)}::date)`.execute(tx)
    const past = pastWithin(services, tx)
    const { secrets, provider } = await found(past, network, days, apart)
    const held = await live(past, network, days, served)
    await seedPasswords(past, options.password, await apart.proofs)
    const mark = { at: now.toISOString(), machines, days: days.length - 1 }
    const fill: Fill = { of: days.length, filled: served, spans: 0, seededAt: now.toISOString(), machines }
    // Backups of what is made up would fill the disk of whoever looks at the demo.
    await sql`insert into setting (key, value) values ('wallboard.open', 'true'::jsonb),
      (${backup.isOn.key}, 'false'::jsonb),
      (${MARK}, ${JSON.stringify(mark)}::jsonb), (${historyFill}, ${JSON.stringify(fill)}::jsonb)`.execute(tx)
    // Before the commit: a file without its network is written again, a network without its file could not be run.
    await writeFleetFile(past, network, { secrets, held })
    await writeProviderFiles(past, provider)
    return true
  })
}

/** Each statement is planned once, while its tables are empty: unless told, it would read them whole ever after. */
const planAsFull = (tx: Tx) =>
  sql`select set_config(name, value, true) from (values ('work_mem', '64MB'), ('enable_seqscan', 'off'),
    ('jit', 'off'), ('plan_cache_mode', 'force_generic_plan')) as s(name, value)`.execute(tx)

type Apart = { pairs: KeyPairs; proofs: ReturnType<typeof deriveProofs> }
type Founded = { secrets: ReadonlyMap<string, string>; provider: ProviderFile }
type Days = readonly DemoDay[]

/** How things stand before anything happens. */
async function found(past: Past, network: readonly Planned[], days: Days, { pairs }: Apart): Promise<Founded> {
  const machines = network.map(({ machine }) => machine)
  const [shop, mall] = machines.filter(({ merchant }) => merchant === 'EAST').map(({ code }) => code)
  past.at(past.latestMs - FOUNDED_DAYS_AGO * DAY_MS)
  await seedMerchants(past)
  await addAccounts(past)
  past.at((days[0]?.startMs ?? past.latestMs) - STORY_DAYS * DAY_MS)
  for (const system of otherSystems) await past.as('admin', createExternal, system)
  await addProducts(past)
  await addPlaces(past, machines)
  const secrets = await addMachines(past, network)
  await stopPoints(past)
  await addStaff(past)
  await grantSight(past, machines)
  await addLicences(past, machines)
  await addMembers(past, machines)
  await runNetwork(past, network)
  await addFlowCards(past, machines)
  await addIntegrations(past, shop)
  await addWords(past)
  await addMessages(past)
  await addTemplates(past, network)
  const provider = await seedChannels(past, shop, pairs)
  await openTraceAccounts(past, provider)
  await openPayer(past, provider)
  await shareOrders(past, mall)
  return { secrets, provider }
}

/** What happened since, by the product's own calls and messages. */
async function live(past: Past, network: readonly Planned[], days: Days, served: number): Promise<MachineHeld> {
  const { at, latestMs, run, tx } = past
  const sinceMs = days[0]?.startMs ?? latestMs
  await askForAccounts(past)
  await giveCards(past, network, sinceMs)
  at(sinceMs)
  await sortMedicines(past)
  await setRules(past)
  await offerMedicines(past)
  const planId = await listPlans(past)
  const held = await handHeld(past)
  const standing = await standingOf(tx, network, { heldAt: (code) => heldAt(held, code), at: new Date(latestMs) })
  await fillShelves(past, standing, days)
  await addBatches(past)
  const firstDays = days.slice(-served)
  await prescribe(past, standing, firstDays[0]?.startMs ?? latestMs)
  for (const day of firstDays) await playDay(past, standing, day)
  at(latestMs)
  await handOut(past)
  await haveUnclaimed(past)
  await fillLibrary(past)
  for (const day of firstDays) await billDay(past, day)
  await sql`select rebuild_stock_outs()`.execute(tx)
  await run('alarm.recountUsual')
  await keepMedicines(past, standing)
  await workOnMachines(past, standing)
  await recallBatches(past)
  // Nothing has counted these rows yet: planned blindly, a forecast of them took half a minute.
  await sql`analyze machine, slot, stock_level, stock_out, stock_move, rollup_day_machine,
    rollup_day_machine_product`.execute(tx)
  await buyGoods(past)
  await driveTours(past)
  await takeCash(past)
  await repairMachines(past, standing)
  await complainAtMachines(past)
  at(latestMs)
  await applyForCards(past)
  at(latestMs)
  await giveVouchers(past, held)
  await planCampaign(past, planId)
  await run('promotion.settleOffers')
  await sellScreens(past)
  await run('advice.recommendProducts')
  await run('advice.recommendPrices')
  await beTold(past, latestMs)
  return held
}

async function isSeeded(db: Reader): Promise<boolean> {
  const marked = await sql`select 1 from setting where key = ${MARK} and merchant_id is null`.execute(db)
  return marked.rows.length > 0
}

async function refuseIfUsed(tx: Tx): Promise<void> {
  const used = await sql`select 1 from merchant union all select 1 from app_user limit 1`.execute(tx)
  if (used.rows.length === 0) return
  throw new Error('This database already holds a business of its own. Start with DEMO=0, or with an empty database.')
}
