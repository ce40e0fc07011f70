import type { Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import { jobs as checkoutJobs } from '../features/checkout/channel.jobs'
import { rawRoutes } from '../features/checkout/notify.commands'
import { ingest } from '../features/device/link/ingest'
import { spoken } from '../features/device/testing'
import { brokenBookDays } from '../features/ledger/day.store'
import { jobs as refundJobs } from '../features/refund/refund.jobs'
import { bookFaults } from '../features/settlement/check.reads'
import { closeBooks, daily } from '../features/settlement/settlement.jobs'
import { settleRest } from '../features/settlement/settle.commands'
import { workSplits } from '../features/settlement/split/split.jobs'
import { contradictions } from '../features/trade/recount'
import { serveRaw } from '../transport/http/raw'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from './builders'
import { openHttp } from './http'
import { codeFaults, openPeople, type People, peopleRoutes, type Shown } from './moneySimulation.people'
import { shareFaults, shareOrders, spoilReceivers } from './moneySimulation.splits'
import { openProviders, type Providers } from './provider'
import { openRewind } from './rewind'
import { routesWith } from './stubs'
import { randomFrom } from './trade'
import { openWorld, type World } from './world'

type Bought = { machine: BuiltMachine; orderNo: string; at: Date }

/** Random days of one seed; the same seed does the same. */
export type Simulation = {
  step: () => Promise<void>
  /** Everything that the books, the facts and the seals say against each other. */
  check: () => Promise<string[]>
  /** How much has happened: a simulation in which nothing does proves nothing. */
  tally: () => Promise<Record<string, number>>
}

export type Simulations = {
  /** Everything is as on the first morning; what was begun before is over. */
  begin: (seed: number) => Promise<Simulation>
  close: () => Promise<void>
}

const STARTS = new Date('2026-11-20T01:00:00Z')
const providers: readonly Provider[] = ['wechat', 'alipay', 'unionpay']

/**
 * Customers, machines, channels, clocks and nights in random order and with faults: the real server functions on a real
 * database against the stand-in provider, which repeats, forges, lies, keeps silent and leaves lines out of its bills.
 * The network is made once and taken back for each seed.
 */
export async function openSimulations(): Promise<Simulations> {
  const world = await openWorld(STARTS)
  const http = await openHttp(world, routesWith(...peopleRoutes), (app) => serveRaw(app, rawRoutes, world.services))
  const held: Held = { random: randomFrom(0), kept: [] }
  const random: Random = (below) => held.random(below)
  const channels = await openProviders(world, async (url, headers, payload) => {
    const send = async () => {
      const { statusCode: status, payload: body } = await http.app.inject({ method: 'POST', url, headers, payload })
      return { status, body }
    }
    if (random(3) > 0) return send()
    held.kept.push(send)
    return { status: 200, body: 'success' }
  })
  const machines = await buildNetwork(world, channels)
  const people = await openPeople(world, http, { machines, random })
  const rewind = await openRewind(world.services.db)
  return {
    begin: async (seed) => {
      await channels.standIn.quiet()
      await rewind()
      world.setNow(STARTS)
      channels.standIn.forget(seed)
      people.treasury.begin(random)
      Object.assign(held, { random: randomFrom(seed), kept: [] } satisfies Held)
      return simulate({ world, channels, machines, people, random, kept: held.kept })
    },
    close: async () => {
      await people.treasury.close()
      await channels.standIn.stop()
      await http.close()
      await world.close()
    },
  }
}

/** What each seed has of its own though everything else is shared; `kept` are notifications that have not arrived. */
type Held = { random: Random; kept: (() => Promise<unknown>)[] }
type Network = Pick<Doing, 'world' | 'channels' | 'machines' | 'people' | 'random' | 'kept'>

function simulate(network: Network): Simulation {
  const { world, channels, machines, people, random } = network
  const { services } = world
  const bought: Bought[] = []
  const said: Message[] = []
  const say = async (at: BuiltMachine, type: string, data: Record<string, unknown>) => {
    const message = spoken(world, at.code, said.length + 1, type, data)
    said.push(message)
    return ingest(services, [message])
  }
  const now = () => services.clock.now()
  const customers = customersOf({ machines, bought, random, say, now })
  const pass = (seconds: number) => world.setNow(new Date(services.clock.now().getTime() + seconds * 1_000))
  const work = async () => {
    for (const job of [...checkoutJobs.slice(0, 1), ...refundJobs]) await job.run(services, {})
    await channels.standIn.quiet()
    await workSplits(services)
    await channels.standIn.quiet()
    await people.treasury.pay()
  }
  const steps = stepsOf({ ...network, ...customers, bought, said, say, pass, work })
  const all = steps.flatMap(([weight, run]) => Array.from({ length: weight }, () => run))
  return {
    step: async () => void (await all[random(all.length)]?.()),
    check: async () => [
      ...(await contradictions(services.db)),
      ...(await bookFaults(services.db)),
      ...(await brokenBookDays(services.db)),
      ...(await codeFaults(world)),
      ...(await shareFaults(world, channels)),
      ...(await people.treasury.faults()),
    ],
    tally: () => tally(world),
  }
}

type Message = Parameters<typeof ingest>[1][number]
type Doing = {
  world: World
  channels: Providers
  machines: readonly BuiltMachine[]
  bought: readonly Bought[]
  /** All that was ever said, and notifications that have not arrived. */
  said: readonly Message[]
  kept: (() => Promise<unknown>)[]
  random: Random
  say: Say
  request: () => Promise<void>
  requestWith: (shown: Shown) => Promise<void>
  people: People
  pass: (seconds: number) => void
  work: () => Promise<void>
}

type Asking = Pick<Doing, 'machines' | 'random' | 'say'> & { bought: Bought[]; now: () => Date }

/** Who stands in front of machines, and how they mean to pay. */
function customersOf({ machines, bought, random, say, now }: Asking): Pick<Doing, 'request' | 'requestWith'> {
  let count = 0
  const newOrder = (machine: BuiltMachine): Bought => {
    count += 1
    return { machine, orderNo: `N-${count}`, at: now() }
  }
  const someItems = () => [...Array(1 + random(2)).keys()].map((i) => ({ slot: `A${i + 1}` }))
  const request = async () => {
    const order = newOrder(pick(machines, random))
    const { machine, orderNo } = order
    await say(machine, 'order.request', { orderNo, method: providers[random(3)], items: someItems() })
    bought.push(order)
  }
  /** By card or code, perhaps after a look at it, perhaps at two machines at once. */
  const requestWith = async ({ machine, method, code }: Shown) => {
    if (random(3) === 0) await say(machine, method === 'member_card' ? 'card.check' : 'pickup.check', { code })
    const orders = (random(4) === 0 ? [machine, pick(machines, random)] : [machine]).map(newOrder)
    const items = someItems()
    await Promise.all(
      orders.map(({ machine: asked, orderNo }) => say(asked, 'order.request', { orderNo, method, code, items })),
    )
    bought.push(...orders)
  }
  return { request, requestWith }
}

/** What may happen next, each with its weight. */
function stepsOf(doing: Doing): readonly [number, () => Promise<unknown>][] {
  const { world, channels, machines, bought, said, kept, random, say, request, requestWith, people, pass, work } = doing
  const { services } = world
  return [
    [8, () => request()],
    [6, async () => requestWith(await people.show())],
    [2, () => people.topUp()],
    [2, () => people.turnCard()],
    [5, () => people.refundByHand()],
    [6, () => people.keepBooks()],
    [3, () => people.decideSplits()],
    [4, () => people.treasury.withdraw()],
    // By two at once: a number pays once.
    [2, () => Promise.all([people.treasury.pay(), people.treasury.pay()])],
    // By two at once: neither sends what the other has taken.
    [2, () => Promise.all([workSplits(services), workSplits(services)])],
    [7, () => pay(world, channels, random)],
    [6, async () => vend(say, bought[random(bought.length)], random)],
    [1, async () => readerPays(world, say, bought[bought.length - 1 - random(4)])],
    [2, async () => sellForCash(say, pick(machines, random), said.length, random)],
    // The same words again, some of long ago, heard now.
    [
      3,
      async () =>
        ingest(
          services,
          [said[random(said.length)]].flatMap((each) => (each ? [{ ...each, receivedAt: services.clock.now() }] : [])),
        ),
    ],
    [
      3,
      async () =>
        Promise.all(
          kept
            .splice(0, 1 + random(4))
            .reverse()
            .map((send) => send()),
        ),
    ],
    // More at once than there are connections.
    [1, () => Promise.all(Array.from({ length: 8 }, () => ingest(services, said.slice(-1))))],
    [6, work],
    [4, async () => pass(5 + random(400))],
    [2, async () => misbehave(channels, random)],
    [2, async () => spoilBill(world, channels, random)],
    [1, async () => night(world, work, random).then(people.treasury.readStatements)],
  ]
}

function pick<T>(all: readonly T[], random: Random): T {
  const chosen = all[random(all.length)]
  if (chosen === undefined) throw new Error('nothing to choose from')
  return chosen
}

async function buildNetwork(world: World, channels: Providers): Promise<BuiltMachine[]> {
  const { db } = world.services
  const platform = await addMerchant(db)
  const accounts = new Map<Provider, number>()
  for (const provider of providers) {
    const { id } = await channels.add({ merchantId: platform, provider })
    accounts.set(provider, id)
  }
  const of = { wechat: accounts.get('wechat') ?? 0, alipay: accounts.get('alipay') ?? 0 }
  await shareOrders(world, { merchantId: platform, accounts: of })
  const machines: BuiltMachine[] = []
  for (let i = 0; i < 3; i += 1) {
    const merchantId = await addMerchant(db, { parentId: platform })
    const products = [await addProduct(db, { merchantId }), await addProduct(db, { merchantId })]
    machines.push(await addMachine(db, { merchantId, products, stock: 10, priceFen: 300 + i * 77 }))
  }
  return machines
}

type Random = (below: number) => number
type Say = (machine: BuiltMachine, type: string, data: Record<string, unknown>) => Promise<unknown>

/** Somebody scans what a machine shows, now or long after. */
async function pay(world: World, { standIn }: Providers, random: Random): Promise<void> {
  const found = await sql<{ url: string }>`select pay_url as url from payment_attempt where pay_url is not null
    and state <> 'paid' order by id desc limit 5`.execute(world.services.db)
  const shown = found.rows[random(Math.max(1, found.rows.length))]
  if (shown) standIn.pay(shown.url)
  await standIn.quiet()
}

/** A machine says how one of its orders went: out, jammed, failed, or nothing at all. */
async function vend(say: Say, order: Bought | undefined, random: Random): Promise<void> {
  if (!order) return
  const index = random(2)
  const ok = random(4) > 0
  const codes = ok ? { motorCode: '00', sensorCode: '01' } : { motorCode: '11', sensorCode: '00' }
  await say(order.machine, 'vend.result', { orderNo: order.orderNo, index, slot: `A${index + 1}`, ok, ...codes })
}

/** The machine's own reader takes the money of what was asked for, whoever else does before or after. */
async function readerPays(world: World, say: Say, order: Bought | undefined): Promise<void> {
  if (!order) return
  const { machine, orderNo } = order
  const found = await sql<{ fen: number; method: string }>`select total_fen - discount_fen as fen, method from orders
    where order_no = ${`${machine.code}-${orderNo}`} and method = any(${[...providers]}::text[])`.execute(
    world.services.db,
  )
  const [asked] = found.rows
  if (!asked) return
  const channelNo = `READER-${machine.code}-${orderNo}`
  const taken = { orderNo, method: asked.method, amountFen: asked.fen, channelNo, basis: 'reader' }
  await say(machine, 'pay.result', taken)
}

async function sellForCash(say: Say, machine: BuiltMachine, seq: number, random: Random): Promise<void> {
  const [slot] = machine.slots
  if (!slot) return
  const item = { slot: slot.code, product: slot.productCode, priceFen: 300, ok: random(5) > 0 }
  await say(machine, 'sale', { orderNo: `C-${seq}`, method: 'cash', paidFen: 300, items: [item] })
}

async function misbehave(channels: Providers, random: Random): Promise<void> {
  const { standIn } = channels
  Object.assign(standIn.mischief, {
    copies: 1 + random(3),
    untoldShare: random(3) / 4,
    silentShare: random(3) / 10,
    lie: [null, null, 'amount', 'merchant', 'order'][random(5)] ?? null,
    isForging: random(6) === 0,
    refundEnds: random(8) === 0 ? 'abnormal' : 'refunded',
  })
  spoilReceivers(channels, random)
}

/** Something of today is left out of the bill, stands in it twice or otherwise, is nobody's, or was paid unheard. */
async function spoilBill(world: World, { standIn }: Providers, random: Random): Promise<void> {
  const { db, clock } = world.services
  const found = await sql<{ no: string }>`select attempt_no as no from payment_attempt where state = 'paid'
    order by id desc limit 3`.execute(db)
  const { no } = found.rows[random(Math.max(1, found.rows.length))] ?? { no: '' }
  const atMs = clock.now().getTime()
  const strange = { no: `STRANGE${random(1_000_000)}`, amountFen: 100 + random(500), atMs }
  const provider = providers[random(3)] ?? 'wechat'
  const unheard = await sql<{ provider: Provider; no: string; amountFen: number }>`select method as provider,
      attempt_no as no, amount_fen as "amountFen" from payment_attempt where state = 'closed'
    order by id desc limit 3`.execute(db)
  const faults = [
    ...unheard.rows.slice(0, 1).map((each) => ({ kind: 'add', ...each, atMs }) as const),
    { kind: 'leaveOut', no },
    { kind: 'twice', no },
    { kind: 'amount', no, amountFen: 1 + random(900) },
    { kind: 'add', provider, ...strange },
  ] as const
  const fault = faults[random(faults.length)]
  if (fault) standIn.faults.push(fault)
}

/** Bills are fetched, by two at times, matched and closed where they agree; what is due is settled, twice. */
async function night(world: World, work: () => Promise<void>, random: Random): Promise<void> {
  const { services } = world
  const now = services.clock.now()
  const noon = new Date(now.getTime() + 86_400_000)
  noon.setUTCHours(5, 0, 0, 0)
  world.setNow(noon)
  await work()
  await Promise.all(random(3) === 0 ? [daily(services), daily(services)] : [daily(services)])
  for (let i = 0; i < 2; i += 1) await services.db.transaction().execute((tx) => settleRest(tx, noon))
  await closeBooks(services)
}

async function tally({ services }: World): Promise<Record<string, number>> {
  const found = await sql<Record<string, number>>`select
      (select count(*)::int from orders where paid_at is not null) as paid,
      (select count(*)::int from refund where state = 'refunded') as refunded,
      (select count(*)::int from refund where state = 'paid_back') as "paidBack",
      (select count(*)::int from member_card_charge) as "byCard",
      (select count(*)::int from member_card_credit) as credited,
      (select count(*)::int from pickup_use) as "byCode",
      (select count(*)::int from ledger_transfer where kind = 'card_settlement') as "issuerPaid",
      (select count(*)::int from unclaimed_payment where cause = 'paid_twice') as "paidTwice",
      (select count(*)::int from statement_match) as matched,
      (select count(*)::int from settlement_difference) as differences,
      (select count(*)::int from settlement_difference where decision = 'take_order' and state = 'decided') as booked,
      (select count(*)::int from settlement_difference where decision = 'refund' and state = 'decided') as "sentBack",
      (select count(*)::int from settlement_difference where decision = 'write_off' and state = 'decided')
        as "writtenOff",
      (select count(*)::int from settlement_difference where decision = 'accept' and state = 'decided') as accepted,
      (select count(*)::int from settlement_run where state = 'closed') as closed,
      (select count(*)::int from settled_item) as settled,
      (select count(*)::int from split_line where state = 'done') as shared,
      (select count(*)::int from split_line where state in ('failed', 'proposed')) as "notShared",
      (select count(*)::int from split_return) as "askedBack",
      (select count(*)::int from withdrawal) as withdrawals,
      (select count(*)::int from withdrawal where state = 'paid') as "paidOut",
      (select count(*)::int from withdrawal where state = 'returned') as returned,
      (select coalesce(-sum(balance_fen), 0)::int from ledger_account where kind = 'tax_payable') as "taxFen",
      (select count(*)::int from bank_statement_line) as "onStatements",
      (select count(*)::int from ledger_day where hash is not null) as sealed`.execute(services.db)
  return found.rows[0] ?? {}
}
