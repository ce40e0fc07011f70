import { itemState, paymentState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import type { CommandContext, Tx } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { machineInSight, sightOf } from '../../kernel/scope'
import { announceSales, bookPaid, takeLatePayment } from '../trade/public'
import type { Unclaimed } from './unclaimed.store'

type Target = {
  orderId: number
  orderNo: string
  merchantId: number
  machineId: number
  occurredAt: Date
  businessDay: string
  paymentState: (typeof paymentState.states)[number]
  isFit: boolean
  askedFen: number
  accountId: number | null
}

/**
 * Nobody's money becomes the payment of an order that was closed unpaid, as if its provider had told of it late: sale
 * and figures follow, and the order is a problem that money or goods then settle. The transaction ends with it.
 * `isTrial`: only finds out whether it could.
 */
export async function attach(
  ctx: CommandContext,
  held: Unclaimed,
  { isTrial }: { isTrial: boolean },
): Promise<{ orderId: number }> {
  const target = (await findTarget(ctx, held)) ?? refuse('unclaimed.noOrder')
  const { orderId, accountId } = target
  if (!target.isFit || !paymentState.can(target.paymentState, 'payLate')) refuse('unclaimed.orderState')
  if (target.askedFen !== held.amountFen) refuse('unclaimed.orderAmount')
  if (accountId === null) refuse('unclaimed.orderAccount')
  if (isTrial) return { orderId }
  const now = ctx.now()
  const { amountFen: paidFen, channelNo, paidAt } = held
  await insertAttempt(ctx.tx, held, { ...target, accountId }, now)
  const payment = { orderNo: target.orderNo, paidFen, channelNo, paidAt }
  const paid = await takeLatePayment(ctx.tx, payment, now)
  // Somebody was quicker; the attempt goes with the transaction.
  if (paid.length === 0) refuse('unclaimed.orderState')
  await owe(ctx.tx, target)
  await bookPaid(ctx.tx, paid, now)
  await announceSales(ctx.tx, paid)
  return { orderId }
}

/** With an account by which those numbers collect for the order's machine, as the ledger counts on it. */
async function findTarget(ctx: CommandContext, held: Unclaimed): Promise<Target | undefined> {
  const found = await sql<Target>`
    select o.id as "orderId", o.order_no as "orderNo", o.merchant_id as "merchantId", o.machine_id as "machineId",
      o.occurred_at as "occurredAt", to_char(o.business_day, 'YYYY-MM-DD') as "businessDay",
      o.payment_state as "paymentState", o.total_fen - o.discount_fen as "askedFen",
      o.method = ${held.provider} and not o.is_lottery and o.prescription_code is null as "isFit",
      (select a.id from payment_account a where a.provider_account_id = ${held.providerAccountId}
        and a.merchant_id = any(c.path) and (a.machine_id is null or a.machine_id = o.machine_id)
        and (a.funds_mode = 'direct') = c.collects_payment and a.state <> 'preparing'
        order by a.state = 'activated' desc, a.machine_id is null, a.id desc limit 1) as "accountId"
    from order_number n
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    join merchant c on c.id = o.merchant_id
    where n.order_no = ${held.orderNo} and ${machineInSight(sightOf(ctx.actor), sql`o.machine_id`)}`.execute(ctx.tx)
  return found.rows[0]
}

/** As the provider knows it, so that its bill and a refund of it are recognised. */
async function insertAttempt(
  tx: Tx,
  { id, attemptNo, channelNo, amountFen, provider, paidAt }: Unclaimed,
  target: Target & { accountId: number },
  now: Date,
): Promise<void> {
  const { orderId, orderNo, occurredAt, merchantId, machineId, accountId, businessDay } = target
  const no = /^[A-Za-z0-9]{8,32}$/.test(attemptNo) ? attemptNo : `UA${String(id).padStart(10, '0')}`
  await sql`insert into payment_attempt (attempt_no, order_id, order_no, occurred_at, merchant_id, machine_id,
      account_id, method, product, amount_fen, paid_fen, state, channel_no, msg_id, business_day, created_at,
      expires_at, asked_at, paid_at)
    values (${no}, ${orderId}, ${orderNo}, ${occurredAt}, ${merchantId}, ${machineId}, ${accountId}, ${provider},
      'native', ${amountFen}, ${amountFen}, 'paid', ${channelNo}, ${`unclaimed-${id}`}, ${businessDay}, ${now}, ${now},
      ${paidAt}, ${paidAt})`.execute(tx)
}

/** Nobody knows whether the pieces came out: they are owed in goods or in money from now on. */
async function owe(tx: Tx, { merchantId, occurredAt, orderId }: Target): Promise<void> {
  await sql`update order_item set state = ${itemState.to('giveUp')}
    where merchant_id = ${merchantId} and occurred_at = ${occurredAt} and order_id = ${orderId}
      and state = any(${[...itemState.from('giveUp')]}::text[])`.execute(tx)
}
