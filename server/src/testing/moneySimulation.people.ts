import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { topUpCard } from '@aisle/contract/member/memberCard'
import {
  agreePayBack,
  applyRefund,
  approveRefund,
  dropPayBack,
  payBackRefund,
  rejectRefund,
  retryRefund,
} from '@aisle/contract/refund/verbs'
import { sql } from 'kysely'
import { routes as fundsRoutes } from '../features/funds/funds.routes'
import { routes as cardRoutes } from '../features/member/card.routes'
import { makeCodes } from '../features/pickup/make.store'
import { aboutCode } from '../features/pickup/secret'
import { routes as refundRoutes } from '../features/refund/refund.routes'
import { routes as settlementRoutes } from '../features/settlement/settlement.routes'
import { routes as splitRoutes } from '../features/settlement/split/split.routes'
import { unseal } from '../kernel/seal'
import type { BuiltMachine } from './builders'
import { addSession, addUser } from './fixtures'
import type { Answer, HttpWorld } from './http'
import { closeDay, decideDifferences } from './moneySimulation.books'
import { findCards, turnCard } from './moneySimulation.cards'
import { decideSplits } from './moneySimulation.splits'
import { openTreasury, type Treasury } from './moneySimulation.withdrawals'
import type { World } from './world'

type Random = (below: number) => number
export type Shown = { machine: BuiltMachine; method: 'member_card' | 'pickup_code'; code: string }

/** Who holds cards and codes, and who sits at the desk. */
export type People = {
  /** Something is put on a card: sometimes by two at once, sometimes what must be refused. */
  topUp: () => Promise<void>
  /** What a customer shows at a machine; now and then what nobody gave out. */
  show: () => Promise<Shown>
  /** Somebody locks, loses, replaces or ends a card, or takes back what was put on one. */
  turnCard: () => Promise<void>
  /** Somebody asks for money back, and another agrees, turns it down, or pays it by hand. */
  refundByHand: () => Promise<void>
  /** Somebody decides what a bill and the books say otherwise, or closes a day. */
  keepBooks: () => Promise<void>
  /** Somebody decides what becomes of shares that failed, and of what receivers owe back. */
  decideSplits: () => Promise<void>
  /** Merchants want what they have earned, and somebody looks at it first. */
  treasury: Treasury
}

export const peopleRoutes = [...cardRoutes, ...refundRoutes, ...settlementRoutes, ...splitRoutes, ...fundsRoutes]
/** Above it two people decide about a difference: some are below it here. */
const TWO_PEOPLE_FEN = 400
const NOBODYS = { member_card: 'ffffffff', pickup_code: 'AAAAA-AAAAA' }
const CARDS = 4
const CODES = 12

export async function openPeople(
  world: World,
  http: HttpWorld,
  { machines, random }: { machines: readonly BuiltMachine[]; random: Random },
): Promise<People> {
  const { db, clock } = world.services
  const platform = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(db)
  const merchantId = platform.rows[0]?.id ?? 0
  const nouns = ['refund', 'order', 'memberCard', 'settlement', 'splitRule', 'splitRecord', 'withdrawal']
  const grants = nouns.map((noun) => `${noun}.*`)
  await sql`insert into setting (key, value)
    values ('settlement.secondPersonFen', to_jsonb(${TWO_PEOPLE_FEN}::int))`.execute(db)
  const people = [await addUser(db, { merchantId, grants }), await addUser(db, { merchantId, grants })]
  await issueCards(world, [merchantId, ...(await ownersOf(world, machines))])
  const codes = await issueCodes(world, machines)
  /** Nights pass between two of their calls: each signs in anew. @throws Error for an answer that is a bug */
  const callAs = async (userId: number, endpoint: Endpoint, input: Record<string, unknown>) => {
    const token = await addSession(db, userId, clock.now())
    const answer = await http.call(endpoint, input, { token })
    if (answer.status >= 500) throw new Error(`${endpoint.name} answered ${answer.status}: ${answer.text}`)
    return answer
  }
  const call = (at: 0 | 1, endpoint: Endpoint, input: Record<string, unknown>) =>
    callAs(people[at]?.id ?? 0, endpoint, input)
  const of = <T>(all: readonly T[]): T => {
    const chosen = all[random(all.length)]
    if (chosen === undefined) throw new Error('nothing to choose from')
    return chosen
  }

  for (const { id, physicalNo } of await findCards(world)) {
    const first = { id, physicalNo, amountFen: 2_000, giftFen: 1_000, method: 'cash' }
    await call(0, topUpCard, first)
  }
  const topUp = async () => {
    const cards = await findCards(world)
    const card = of(cards)
    const amountFen = 1 + random(60_000)
    const physicalNo = random(8) === 0 ? of(cards).physicalNo : card.physicalNo
    const isConfirmed = random(3) > 0
    const giftFen = random(3) * random(amountFen)
    const asked = { id: card.id, physicalNo, amountFen, giftFen, isConfirmed, method: of(['cash', 'transfer']) }
    await Promise.all(
      random(4) === 0 ? [call(0, topUpCard, asked), call(1, topUpCard, asked)] : [call(0, topUpCard, asked)],
    )
  }
  const show = async (): Promise<Shown> => {
    const machine = of(machines)
    const method = of(['member_card', 'pickup_code'] as const)
    if (random(20) === 0) return { machine, method, code: NOBODYS[method] }
    if (method === 'pickup_code') return { machine, method, code: of(codes.get(machine.id) ?? []) }
    const cards = await findCards(world)
    const own = cards.filter((card) => card.merchantId === merchantId || card.machineIds.includes(machine.id))
    return { machine, method, code: of(random(10) === 0 ? cards : own).physicalNo }
  }
  const desk: Desk = { world, call, callAs, random, of }
  const treasury = await openTreasury(desk, merchantId, await ownersOf(world, machines))
  const keepBooks = () => (random(4) === 0 ? closeDay(desk) : decideDifferences(desk))
  return {
    topUp,
    show,
    turnCard: () => turnCard(desk),
    refundByHand: () => refundByHand(desk),
    keepBooks,
    decideSplits: () => decideSplits(desk),
    treasury,
  }
}

export type Desk = {
  world: World
  call: (at: 0 | 1, endpoint: Endpoint, input: Record<string, unknown>) => Promise<Answer>
  callAs: (userId: number, endpoint: Endpoint, input: Record<string, unknown>) => Promise<Answer>
  random: Random
  of: <T>(all: readonly T[]) => T
}

/** Of any order that was paid, or of any refund that waits: what fits and what does not, as people try. */
async function refundByHand({ world, call, random, of }: Desk): Promise<void> {
  const { db } = world.services
  const reason = 'the customer says so'
  const orders = await sql<{ no: string; fen: number }>`select order_no as no, paid_fen as fen from orders
    where paid_at is not null order by id desc limit 30`.execute(db)
  const waiting = await sql<{ id: number }>`select id from refund
    where state in ('pending_review', 'failed', 'needs_handling', 'unknown', 'refunding') order by id desc
    limit 10`.execute(db)
  if (orders.rows.length > 0 && (waiting.rows.length === 0 || random(3) === 0)) {
    const { no: orderNo, fen } = of(orders.rows)
    const amountFen = 1 + random(Math.max(1, fen))
    const ask = random(2) === 0 ? { amountFen } : { items: [random(2)] }
    const twice = random(4) === 0
    await Promise.all((twice ? [0, 1] : [0]).map(() => call(0, applyRefund, { orderNo, reason, ...ask })))
    return
  }
  if (waiting.rows.length === 0) return
  const { id } = of(waiting.rows)
  const proof = ['/pictures/receipt.jpg']
  const payBack = { id, way: of(['transfer', 'cash']), note: reason, proof }
  const verbs: (() => Promise<unknown>)[] = [
    () => call(1, approveRefund, { id }),
    () => call(1, rejectRefund, { id, reason }),
    () => call(1, retryRefund, { id }),
    () => call(0, payBackRefund, payBack).then(() => call(1, agreePayBack, { id })),
    () => call(0, payBackRefund, payBack).then(() => call(0, dropPayBack, { id, reason })),
    () => Promise.all([call(1, approveRefund, { id }), call(1, rejectRefund, { id, reason })]),
  ]
  await of(verbs)()
}

async function ownersOf({ services }: World, machines: readonly BuiltMachine[]): Promise<number[]> {
  const found = await sql<{ id: number }>`select distinct merchant_id as id from machine
    where id = any(${machines.map(({ id }) => id)}::bigint[]) order by 1`.execute(services.db)
  return found.rows.map(({ id }) => id)
}

/** Of the platform and of each merchant: without limits, with them, a gift card, and one that is locked. */
async function issueCards({ services }: World, merchantIds: readonly number[]): Promise<void> {
  await sql`insert into member_card (merchant_id, physical_no, logical_no, type, state, daily_count_limit,
      single_max_fen, daily_amount_fen, created_at)
    select id, lpad(to_hex(id * 16 + n), 8, '0'), 'K' || lpad((id * 16 + n)::text, 6, '0'),
      case n when 3 then 'gift' else 'ordinary' end, case n when 4 then 'locked' else 'active' end,
      case n when 2 then 3 else 0 end, case n when 2 then 900 else 0 end, case n when 2 then 1500 else 0 end,
      ${services.clock.now()}
    from unnest(${[...merchantIds]}::bigint[]) as issuer(id), generate_series(1, ${CARDS}::int) n
    order by id, n`.execute(services.db)
}

/** Of each machine's merchant: three pick-ups each of both its products. @returns by machine */
async function issueCodes(world: World, machines: readonly BuiltMachine[]): Promise<Map<number, string[]>> {
  const { db, keys, clock } = world.services
  const codes = new Map<number, string[]>()
  for (const { id, slots } of machines) {
    const expiresAt = new Date(clock.now().getTime() + 30 * 86_400_000)
    const made = await sql<{ id: number }>`insert into pickup_batch (merchant_id, description, pickups_allowed, scope,
        count, expires_at, created_at)
      select merchant_id, 'Simulated', 3, 'all', ${CODES}, ${expiresAt}, ${clock.now()} from machine where id = ${id}
      returning id`.execute(db)
    const batchId = made.rows[0]?.id ?? 0
    const products = slots.map(({ productId }) => productId)
    await sql`insert into pickup_content (batch_id, position, product_id)
      select ${batchId}, n - 1, id from unnest(${products}::bigint[]) with ordinality each(id, n)`.execute(db)
    await db.transaction().execute((tx) => makeCodes(tx, keys, batchId, clock.now()))
    const found = await sql<{ digest: Buffer; sealed: Buffer }>`select digest, sealed from pickup_code
      where batch_id = ${batchId} order by serial`.execute(db)
    codes.set(
      id,
      found.rows.map(({ digest, sealed }) => unseal(keys, aboutCode(digest), sealed)),
    )
  }
  return codes
}

/** What codes gave against what came out for them: each line that comes back is a contradiction. */
export async function codeFaults({ services }: World): Promise<string[]> {
  const found = await sql<{ what: string }>`
    select 'code ' || c.id || ' gave ' || c.shipped || ', its uses say ' || coalesce(u.given, 0) as what
    from pickup_code c left join (
      select code_id, sum(cardinality(out)) - sum(extra) as given from pickup_use group by 1) u on u.code_id = c.id
    where c.shipped <> coalesce(u.given, 0)
    union all
    select 'use of order ' || u.order_id || ' says ' || cardinality(u.out) || ' came out, its items say ' || i.count
    from pickup_use u join lateral (select count(*) from order_item i
      where i.order_id = u.order_id and i.state = 'dispensed') i on true
    where u.settled_at is not null and cardinality(u.out) <> i.count
    union all
    select 'card ' || c.id || ' was charged ' || sum(h.balance_fen + h.gift_fen) || ', its orders say '
      || sum(o.paid_fen)
    from member_card_charge h join member_card c on c.id = h.card_id join orders o on o.id = h.order_id
    group by c.id having sum(h.balance_fen + h.gift_fen) <> sum(o.paid_fen)
    union all
    select 'order ' || h.order_id || ' got back ' || h.credited_balance_fen + h.credited_gift_fen
      || ', its refunds say ' || coalesce(r.fen, 0)
    from member_card_charge h left join (select order_id, sum(amount_fen) as fen from refund
      where state = 'refunded' group by 1) r on r.order_id = h.order_id
    where h.credited_balance_fen + h.credited_gift_fen <> coalesce(r.fen, 0)`.execute(services.db)
  return found.rows.map(({ what }) => what)
}
