import {
  type PaymentAttemptState,
  paymentAttemptState,
  type PaymentProduct,
  type Provider,
} from '@aisle/contract/payment/states'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import { stateful, statesIn } from '../../kernel/states'
import { splitRuleOfAttempt } from './splitRule'

export type NewAttempt = {
  attemptNo: string
  orderId: number
  orderNo: string
  occurredAt: Date
  merchantId: number
  machineId: number
  accountId: number
  method: Provider
  product: PaymentProduct
  amountFen: number
  payCodeSealed: Buffer | null
  msgId: string
  businessDay: string
  createdAt: Date
  expiresAt: Date
}

export async function insertAttempts(tx: Tx, attempts: readonly NewAttempt[]): Promise<void> {
  if (attempts.length === 0) return
  await sql`insert into payment_attempt (attempt_no, order_id, order_no, occurred_at, merchant_id, machine_id,
      account_id, method, product, amount_fen, pay_code_sealed, msg_id, business_day, created_at, expires_at,
      split_rule_id)
    select a.*, ${splitRuleOfAttempt} from ${rows('a', attempts, {
      attemptNo: 'text',
      orderId: 'bigint',
      orderNo: 'text',
      occurredAt: 'timestamptz',
      merchantId: 'bigint',
      machineId: 'bigint',
      accountId: 'bigint',
      method: 'text',
      product: 'text',
      amountFen: 'bigint',
      payCodeSealed: 'bytea',
      msgId: 'text',
      businessDay: 'date',
      createdAt: 'timestamptz',
      expiresAt: 'timestamptz',
    })}`.execute(tx)
}

/** A channel takes the money of these orders; `payUrl`: what it gave the customer to scan, once it is there. */
export async function findOffers(db: Reader, orderNos: readonly string[]): Promise<Map<string, string | null>> {
  if (orderNos.length === 0) return new Map()
  const found = await sql<{ order_no: string; pay_url: string | null }>`
    select a.order_no, a.pay_url from order_number n join payment_attempt a on a.order_id = n.order_id
    where n.order_no = any(${[...orderNos]}::text[]) and a.state in ${statesIn(paymentAttemptState, 'open')}`.execute(
    db,
  )
  return new Map(found.rows.map((row) => [row.order_no, row.pay_url]))
}

export type AttemptRow = {
  id: number
  attemptNo: string
  orderId: number
  orderNo: string
  merchantId: number
  machineId: number
  machineCode: string
  accountId: number
  providerAccountId: number
  method: Provider
  product: PaymentProduct
  amountFen: number
  state: PaymentAttemptState
  channelNo: string | null
  payUrl: string | null
  payCodeSealed: Buffer | null
  msgId: string
  title: string
  /** Its money was asked for to be shared. */
  isShared: boolean
  createdAt: Date
  expiresAt: Date
  askedAt: Date | null
  paidAt: Date | null
}

const attempts = (where: RawBuilder<unknown>) => sql<AttemptRow>`
  select a.id, a.attempt_no as "attemptNo", a.order_id as "orderId", a.order_no as "orderNo",
    a.merchant_id as "merchantId", a.machine_id as "machineId", m.code as "machineCode",
    a.account_id as "accountId", c.provider_account_id as "providerAccountId", a.method, a.product,
    a.amount_fen as "amountFen", a.state,
    a.channel_no as "channelNo", a.pay_url as "payUrl", a.pay_code_sealed as "payCodeSealed", a.msg_id as "msgId",
    c.payment_title as title, a.split_rule_id is not null as "isShared", a.created_at as "createdAt",
    a.expires_at as "expiresAt", a.asked_at as "askedAt",
    a.paid_at as "paidAt"
  from payment_attempt a join payment_account c on c.id = a.account_id
    join machine m on m.id = a.machine_id where ${where}`

export async function findAttempt(db: Reader, attemptNo: string): Promise<AttemptRow | undefined> {
  return (await attempts(sql`a.attempt_no = ${attemptNo}`).execute(db)).rows[0]
}

/** Of an attempt `a`: its order was paid otherwise, and what came by it is a case of its own. */
export const isPaidTwice = sql<boolean>`exists (select 1 from unclaimed_payment twice
  where twice.channel_no = a.channel_no and twice.attempt_no = a.attempt_no and twice.cause = 'paid_twice')`

/** Until the transaction ends nobody else takes what is said of them. @returns by their numbers */
export async function lockAttempts(tx: Tx, attemptNos: readonly string[]): Promise<Map<string, AttemptRow>> {
  const found = await attempts(
    sql`a.attempt_no = any(${[...attemptNos]}::text[]) order by a.id for update of a`,
  ).execute(tx)
  return new Map(found.rows.map((row) => [row.attemptNo, row]))
}

/** Longer than a channel is waited for: who takes one and dies leaves it to the next after that. */
const LEASE = sql`interval '20 seconds'`

/**
 * Takes those that a channel is to be asked about now, and writes down that it is asked: new ones at once, then after
 * a while that grows with their age. What the customer's code was is known to this call alone from then on.
 * @param firstMs how long a new one is left to its notification
 */
export async function claimAttempts(
  tx: Tx,
  { now, firstMs, most }: { now: Date; firstMs: number; most: number },
): Promise<AttemptRow[]> {
  const found = await attempts(sql`a.state in ${statesIn(paymentAttemptState, 'open')} and ${isDue(now, firstMs)}
    order by a.queried_at nulls first, a.id limit ${sql.lit(most)} for update of a skip locked`).execute(tx)
  await sql`update payment_attempt set queried_at = ${now}, asked_at = coalesce(asked_at, ${now}), tries = tries + 1,
      pay_code_sealed = null
    where id = any(${found.rows.map(({ id }) => id)}::bigint[])`.execute(tx)
  return found.rows.map((row) => ({ ...row, askedAt: row.askedAt ?? now }))
}

const isDue = (now: Date, firstMs: number) => sql`(a.queried_at is null or ${dueAt(firstMs)} <= ${now})`

/** Half its age again after each time; once it has expired, at once, and then again with its age. */
const dueAt = (firstMs: number) => sql`case
  when a.state = 'created' then a.queried_at + ${LEASE}
  when a.state = 'unknown' and a.pay_url is null and a.queried_at < a.expires_at
    then a.queried_at + greatest(interval '3 seconds', (a.queried_at - a.created_at) / 2)
  when a.queried_at < a.expires_at then
    least(a.expires_at + interval '1 second',
      a.queried_at + greatest(make_interval(secs => ${firstMs / 1000}), (a.queried_at - a.created_at) / 2))
  else a.queried_at + greatest(interval '20 seconds', (a.queried_at - a.created_at) / 2) end`

/** When the next of them is due; null when none is open. */
export async function nextDueAt(db: Reader, firstMs: number): Promise<Date | null> {
  const found = await sql<{ at: Date | null }>`select min(coalesce(${dueAt(firstMs)}, a.created_at)) as at
    from payment_attempt a where a.state in ${statesIn(paymentAttemptState, 'open')}`.execute(db)
  return found.rows[0]?.at ?? null
}

/** Asked about at the next opportunity, however lately it was. */
export async function recheckAttempt(tx: Tx, id: number): Promise<void> {
  await sql`update payment_attempt set queried_at = null where id = ${id}`.execute(tx)
}

type AttemptChange = {
  fault: string | null
  payUrl?: string
  channelNo?: string
  paidFen?: number
  paidAt?: Date
  closedAt?: Date
}

const moves = stateful('paymentAttempt', 'state', paymentAttemptState, { versioned: false })

export async function moveAttempt(
  tx: Tx,
  attempt: Pick<AttemptRow, 'id' | 'state'>,
  verb: keyof typeof paymentAttemptState.moves,
  { fault, ...change }: AttemptChange,
): Promise<void> {
  await moves.move(tx, attempt, verb, { ...change, fault: fault?.slice(0, 200) ?? null })
}

type PaidAttempt = { id: number; channelNo: string; paidFen: number; paidAt: Date; fault: string | null }

export async function moveToPaid(tx: Tx, paid: readonly PaidAttempt[]): Promise<void> {
  if (paid.length === 0) return
  const written = paid.map((each) => ({ ...each, fault: each.fault?.slice(0, 200) ?? null }))
  await sql`update payment_attempt a set state = ${paymentAttemptState.to('pay')}, fault = p.fault,
      channel_no = p.channel_no, paid_fen = p.paid_fen, paid_at = p.paid_at
    from ${rows('p', written, {
      id: 'bigint',
      channelNo: 'text',
      paidFen: 'bigint',
      paidAt: 'timestamptz',
      fault: 'text',
    })} where a.id = p.id`.execute(tx)
}

type Paid = {
  id: number
  attemptNo: string
  channelNo: string
  amountFen: number
  provider: Provider
  paidAt: Date
}
type PaidOrder = {
  orderId: number
  orderNo: string
  occurredAt: Date
  merchantId: number
  machineId: number
  accountId: number
  businessDay: string
}

/** Of money that was nobody's, as the provider knows it, so that its bill and a refund of it are recognised. */
export async function addPaidAttempt(
  tx: Tx,
  { id, attemptNo, channelNo, amountFen, provider, paidAt }: Paid,
  order: PaidOrder,
  now: Date,
): Promise<void> {
  const { orderId, orderNo, occurredAt, merchantId, machineId, accountId, businessDay } = order
  const no = /^[A-Za-z0-9]{8,32}$/.test(attemptNo) ? attemptNo : `UA${String(id).padStart(10, '0')}`
  await sql`insert into payment_attempt (attempt_no, order_id, order_no, occurred_at, merchant_id, machine_id,
      account_id, method, product, amount_fen, paid_fen, state, channel_no, msg_id, business_day, created_at,
      expires_at, asked_at, paid_at)
    values (${no}, ${orderId}, ${orderNo}, ${occurredAt}, ${merchantId}, ${machineId}, ${accountId}, ${provider},
      'native', ${amountFen}, ${amountFen}, 'paid', ${channelNo}, ${`unclaimed-${id}`}, ${businessDay}, ${now}, ${now},
      ${paidAt}, ${paidAt})`.execute(tx)
}
