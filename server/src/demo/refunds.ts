import { type PaymentMethod } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { creditCard } from '../features/member/public'
import { lossPostings, postTransfers, refundPostings, type Transfer } from '../features/ledger/public'
import type { Tx } from '../kernel/context'
import { idOf, type Ids } from './people'

type Given = { users: Ids; now: Date }

/**
 * The money of a quarter's jams and silences, as the rules would have sent it back: most of it by itself, some after a
 * review, cash by hand; and of the last days what still waits for a channel or a person.
 */
export async function seedRefunds(tx: Tx, { users, now }: Given): Promise<void> {
  const people = { finance: idOf(users, 'finance'), operator: idOf(users, 'merchant') }
  await sql`update machine set auto_refund = false where id % 19 = 3`.execute(tx)
  await troubleOrders(tx, now)
  await insertRefunds(tx, now)
  await insertAskedFor(tx, people.operator, now)
  await decide(tx, people, now)
  await settleOrders(tx)
  await post(tx)
  await tellStories(tx, people)
}

/** Some jams were silences, some money came late, some goods came out after all; taken from orders as they lie. */
async function troubleOrders(tx: Tx, now: Date): Promise<void> {
  await sql`
    with jammed as (
      select o.merchant_id, o.occurred_at, o.id, row_number() over (order by o.occurred_at desc) as nth
      from orders o where o.problem = 'undelivered' and o.ship_state = 'invalid' and o.method in ('wechat', 'alipay')),
    picked as (select *, case when nth in (3, 11) then 'paid_late' else 'no_answer' end as kind
      from jammed where nth in (3, 11) or nth % 6 = 1),
    items as (
      update order_item i set state = case when p.kind = 'paid_late' then 'waiting' else 'no_answer' end,
        motor_code = null, sensor_code = null, shipped_at = null
      from picked p where i.merchant_id = p.merchant_id and i.occurred_at = p.occurred_at and i.order_id = p.id)
    update orders o set problem = p.kind, ship_state = case when p.kind = 'paid_late' then 'invalid' else 'timeout' end,
      order_state = case when p.kind = 'paid_late' then 'closed' else 'done' end,
      finished_at = o.paid_at + interval '5 minutes'
    from picked p where o.merchant_id = p.merchant_id and o.occurred_at = p.occurred_at and o.id = p.id`.execute(tx)
  const recent = new Date(now.getTime() - 4 * 86_400_000)
  await sql`
    with fine as (
      select o.merchant_id, o.occurred_at, o.id, o.machine_id, o.method,
        row_number() over (order by o.occurred_at desc) as nth
      from orders o where o.problem is null and o.item_count = 1 and o.paid_fen > 0 and o.occurred_at > ${recent}
        and not o.is_lottery and o.method in ('wechat', 'alipay', 'cash'))
    update orders o set
      problem = case when f.nth % 40 = 7 then 'dispensed_after_refund' when f.nth % 40 = 19 then 'late_result'
        else 'amount_mismatch' end,
      ship_state = case when f.nth % 40 = 31 then o.ship_state else 'timeout' end,
      total_fen = o.total_fen + case when f.nth % 40 = 31 then 50 else 0 end
    from fine f where f.nth < 360 and ((f.nth % 40 in (7, 19) and f.method <> 'cash')
        or (f.nth % 40 = 31 and f.method = 'cash'))
      and o.merchant_id = f.merchant_id and o.occurred_at = f.occurred_at and o.id = f.id`.execute(tx)
}

/** One for each order that owed something, of what did not come out; late goods had theirs before they came. */
async function insertRefunds(tx: Tx, now: Date): Promise<void> {
  await sql`
    with owed as (
      select o.merchant_id, o.occurred_at, o.id, o.machine_id, o.order_no, o.method, o.problem, o.ship_state,
        coalesce(o.finished_at, o.received_at) + interval '2 seconds' as at, m.auto_refund, a.id as attempt_id,
        sum(i.price_fen) as fen
      from orders o join machine m on m.id = o.machine_id
      join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
      left join payment_attempt a on a.order_id = o.id and a.state = 'paid'
      where o.problem in ('undelivered', 'no_answer', 'paid_late', 'late_result', 'dispensed_after_refund')
        and o.paid_fen > 0 and not o.is_lottery and o.method <> 'pickup_code'
        and (i.state <> 'dispensed' or o.problem in ('late_result', 'dispensed_after_refund'))
      group by o.merchant_id, o.occurred_at, o.id, o.machine_id, o.order_no, o.method, o.problem, o.ship_state,
        o.finished_at, o.received_at, m.auto_refund, a.id),
    made as (
      insert into refund (refund_no, order_id, merchant_id, occurred_at, machine_id, order_no, method, attempt_id,
        amount_fen, cause, state, requested_at)
      select 'R' || to_char(at, 'YYYYMMDD') || lpad(id::text, 9, '0') || '01', id, merchant_id, occurred_at,
        machine_id, order_no, method, attempt_id, fen,
        case when problem = 'paid_late' then 'other' when ship_state = 'timeout' then 'ship_timeout' else 'jam' end,
        'pending_review', least(at, ${now}) from owed where fen > 0
      returning id, order_id, merchant_id, occurred_at)
    insert into refund_item (refund_id, order_id, item_index, product_id, amount_fen)
    select made.id, made.order_id, i.index, i.product_id, i.price_fen
    from made join orders o on o.merchant_id = made.merchant_id and o.occurred_at = made.occurred_at
      and o.id = made.order_id
    join order_item i on i.merchant_id = made.merchant_id and i.occurred_at = made.occurred_at
      and i.order_id = made.order_id
    where i.state <> 'dispensed' or o.problem in ('late_result', 'dispensed_after_refund')`.execute(tx)
}

const complaints = ['顾客投诉商品破损', '买错商品，顾客要求退款', '顾客反映临近保质期', '重复付款', '包装渗漏']

/** What people asked for: the goods were out, and not what the customer had paid for. */
async function insertAskedFor(tx: Tx, operator: number, now: Date): Promise<void> {
  await sql`
    with asked as (
      select o.*, a.id as attempt_id, least(${now}, o.paid_at + interval '1 hour' * (1 + o.id % 20)) as at
      from orders o left join payment_attempt a on a.order_id = o.id and a.state = 'paid'
      where o.problem is null and o.held_fen = 0 and o.paid_fen > 0 and o.item_count = 1 and not o.is_lottery
        and o.method in ('wechat', 'alipay', 'unionpay', 'cash') and o.id % 97 = 5),
    made as (
      insert into refund (refund_no, order_id, merchant_id, occurred_at, machine_id, order_no, method, attempt_id,
        amount_fen, cause, reason, state, requested_at, requested_by)
      select 'R' || to_char(at, 'YYYYMMDD') || lpad(id::text, 9, '0') || '01', id, merchant_id, occurred_at,
        machine_id, order_no, method, attempt_id, paid_fen, 'other',
        (${complaints}::text[])[1 + id % ${complaints.length}], 'pending_review', at, ${operator} from asked
      returning id, order_id, merchant_id, occurred_at)
    insert into refund_item (refund_id, order_id, item_index, product_id, amount_fen)
    select made.id, made.order_id, i.index, i.product_id, i.price_fen from made
    join order_item i on i.merchant_id = made.merchant_id and i.occurred_at = made.occurred_at
      and i.order_id = made.order_id`.execute(tx)
}

type People = { finance: number; operator: number }

/** What became of each by its age, its machine's flag and its means of payment. */
async function decide(tx: Tx, { finance, operator }: People, now: Date): Promise<void> {
  const age = sql`(${now}::timestamptz - r.requested_at)`
  await sql`
    update refund r set
      state = d.state, detail = d.detail,
      decided_by = case when not d.auto_refund and d.state <> 'pending_review' then ${finance}::bigint end,
      decided_at = case when not d.auto_refund and d.state <> 'pending_review'
        then least(${now}, r.requested_at + interval '3 hours') end,
      tries = case when d.state in ('refunded', 'failed', 'unknown') then 1 else 0 end,
      sent_at = case when d.state in ('refunded', 'failed', 'unknown') then d.done_at - interval '40 seconds' end,
      next_at = case when d.state = 'unknown' then ${now}::timestamptz + interval '20 minutes' end,
      channel_refund_no = case when d.state = 'refunded' and r.attempt_id is not null
        then '5030' || to_char(r.requested_at, 'YYYYMMDD') || lpad(r.id::text, 12, '0') end,
      ended_at = case when d.state in ('refunded', 'paid_back', 'rejected') then d.done_at end,
      pay_back_way = case when d.state = 'paid_back' or d.is_half then 'cash' end,
      pay_back_note = case when d.state = 'paid_back' or d.is_half then '补货时当面退还顾客' end,
      pay_back_by = case when d.state = 'paid_back' or d.is_half then ${operator}::bigint end,
      pay_back_at = case when d.state = 'paid_back' or d.is_half
        then least(${now}, d.done_at - interval '1 hour') end,
      pay_back_agreed_by = case when d.state = 'paid_back' then ${finance}::bigint end
    from (
      select r.id, m.auto_refund,
        least(${now}, r.requested_at + case when m.auto_refund then interval '50 seconds' else interval '4 hours' end
          + case when r.method = 'cash' then interval '20 hours' else interval '0' end) as done_at,
        r.method = 'cash' and ${age} < interval '3 days' and r.id % 3 = 0 as is_half,
        case
          when o.problem = 'dispensed_after_refund' then 'refunded'
          when o.problem = 'late_result' then 'pending_review'
          when ${age} < interval '3 days' and (not m.auto_refund or r.id % 7 = 0) then 'pending_review'
          when r.method = 'cash' then case when ${age} < interval '3 days' then 'needs_handling'
            when r.id % 17 = 0 then 'rejected' else 'paid_back' end
          when r.method = 'member_card' and not exists (
            select 1 from member_card_charge c where c.order_id = r.order_id)
            then 'needs_handling'
          when r.method <> 'member_card' and r.attempt_id is null then case when ${age} < interval '5 days'
            then 'needs_handling' else 'paid_back' end
          when ${age} < interval '6 days' and r.id % 5 = 0 and r.attempt_id is not null then 'failed'
          when ${age} < interval '6 days' and r.id % 8 = 0 and r.attempt_id is not null then 'unknown'
          else 'refunded' end as state,
        case
          when o.problem in ('late_result', 'dispensed_after_refund') then null
          when ${age} < interval '3 days' and (not m.auto_refund or r.id % 7 = 0) then null
          when r.method = 'cash' then case when ${age} < interval '3 days' then 'cash' end
          when r.method = 'member_card' then case when not exists (
            select 1 from member_card_charge c where c.order_id = r.order_id) then 'noCard' end
          when r.attempt_id is null then case when ${age} < interval '5 days' then 'reader' end
          when ${age} < interval '6 days' and r.id % 5 = 0 then 'NOT_ENOUGH'
          when ${age} < interval '6 days' and r.id % 8 = 0 then 'silent' end as detail
      from refund r join machine m on m.id = r.machine_id
      join orders o on o.merchant_id = r.merchant_id and o.occurred_at = r.occurred_at and o.id = r.order_id) d
    where d.id = r.id`.execute(tx)
}

/** How the payment stands by its refunds, and cases that are over, at the time when they were. */
async function settleOrders(tx: Tx): Promise<void> {
  await sql`
    update orders o set
      payment_state = case when r.state = 'unknown' then 'refunding' when o.refunded_fen = 0 then 'paid'
        when o.refunded_fen = o.paid_fen then 'refunded' else 'partly_refunded' end,
      problem = case when o.problem in ('undelivered', 'no_answer', 'paid_late')
        and r.state in ('refunded', 'paid_back', 'rejected') then null else o.problem end
    from refund r where o.merchant_id = r.merchant_id and o.occurred_at = r.occurred_at
      and o.id = r.order_id`.execute(tx)
  await sql`update problem_case k set closed_at = greatest(k.opened_at, r.ended_at),
      outcome = case when r.state = 'rejected' then 'confirmed' else 'refunded' end,
      reason = case when r.state = 'rejected' then '顾客表示已取到商品' else '' end
    from refund r where r.order_id = k.order_id and k.state = 'closed' and r.ended_at is not null`.execute(tx)
}

type Row = {
  id: number
  orderId: number
  merchantId: number
  machineCode: string
  collectsPayment: boolean
  method: PaymentMethod
  amountFen: number
  state: string
  endedAt: Date
  day: string
  isLost: boolean
}

const CHUNK = 2_000

async function post(tx: Tx): Promise<void> {
  const found = await sql<Row>`
    select r.id, r.order_id as "orderId", r.merchant_id as "merchantId", m.code as "machineCode",
      c.collects_payment as "collectsPayment", r.method, r.amount_fen as "amountFen", r.state, r.ended_at as "endedAt",
      to_char(r.ended_at at time zone m.time_zone, 'YYYY-MM-DD') as day,
      o.problem is not distinct from 'dispensed_after_refund' and not c.collects_payment as "isLost"
    from refund r join machine m on m.id = r.machine_id join merchant c on c.id = r.merchant_id
    join orders o on o.merchant_id = r.merchant_id and o.occurred_at = r.occurred_at and o.id = r.order_id
    where r.state in ('refunded', 'paid_back') order by r.id`.execute(tx)
  const transfers = found.rows.flatMap(transfersOf)
  for (let from = 0; from < transfers.length; from += CHUNK) {
    await postTransfers(tx, transfers.slice(from, from + CHUNK))
  }
  for (const { id, orderId, method, state, amountFen, endedAt } of found.rows) {
    const isCard = method === 'member_card' && state === 'refunded'
    if (isCard) await creditCard(tx, { orderId, refundId: id, amountFen, at: endedAt })
  }
}

function transfersOf(row: Row): Transfer[] {
  const { id, orderId, merchantId, endedAt: postedAt, day: businessDay, amountFen, isLost } = row
  const about = { merchantId, postedAt, businessDay }
  const byHand = row.state === 'paid_back' ? ('cash' as const) : null
  const postings = refundPostings({ ...row, byHand })
  const back: Transfer = { ...about, kind: 'refund', reference: String(id), postings }
  if (!isLost) return [back]
  return [
    back,
    { ...about, kind: 'loss', reference: `${orderId}/0`, postings: lossPostings({ merchantId, amountFen }) },
  ]
}

/** Who did what, in the order in which it happened. */
async function tellStories(tx: Tx, { finance, operator }: People): Promise<void> {
  await sql`
    insert into refund_event (refund_id, at, verb, user_id, note)
    select id, at, verb, user_id, note from (
      select r.id, r.requested_at as at, 1 as nth,
        case when r.requested_by is null then 'open' else 'apply' end as verb,
        r.requested_by as user_id, case when r.requested_by is not null then r.reason
          when m.auto_refund then coalesce(case when r.tries = 0 then r.detail end, 'refunding')
          else 'autoRefundOff' end as note
      from refund r join machine m on m.id = r.machine_id
      union all
      select id, decided_at, 2, 'approve', ${finance}::bigint, '' from refund where decided_at is not null
      union all
      select id, sent_at, 3, 'send', null, '' from refund where sent_at is not null
      union all
      select id, sent_at + interval '30 seconds', 4, state, null, coalesce(detail, '') from refund
        where state in ('failed', 'unknown')
      union all
      select id, pay_back_at, 5, 'payBack', ${operator}::bigint, pay_back_note from refund where pay_back_at is not null
      union all
      select id, ended_at, 6, case state when 'refunded' then 'confirm' when 'rejected' then 'reject'
        else 'agreePayBack' end, case when state = 'refunded' then null else ${finance}::bigint end,
        case when state = 'rejected' then '顾客表示已取到商品' else coalesce(channel_refund_no, '') end
        from refund where ended_at is not null) told
    order by at, id, nth`.execute(tx)
}
