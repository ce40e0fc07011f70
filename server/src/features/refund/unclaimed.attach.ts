import { paymentState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { machineInSight, sightOf } from '../../kernel/scope'
import { type Books, giveUpItems, takeLatePayment } from '../trade/public'
import type { Unclaimed } from './unclaimed.store'
import { addPaidAttempt } from '../payment/public'

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
 * and figures follow, and the order is a problem that money or goods then settle. @returns the order's id
 */
export async function attach(ctx: CommandContext, books: Books, held: Unclaimed): Promise<number> {
  const target = await attachable(ctx, held)
  const now = ctx.now()
  const { amountFen: paidFen, channelNo, paidAt } = held
  await addPaidAttempt(ctx.tx, held, target, now)
  const payment = { orderNo: target.orderNo, paidFen, channelNo, paidAt }
  // Somebody was quicker; the attempt goes with the transaction.
  if (!(await takeLatePayment(ctx.tx, books, payment, now))) refuse('unclaimed.orderState')
  await giveUpItems(ctx.tx, target)
  return target.orderId
}

/** @throws Refusal where it could not become the payment of the order that is named */
export async function attachable(ctx: CommandContext, held: Unclaimed): Promise<Target & { accountId: number }> {
  const target = (await findTarget(ctx, held)) ?? refuse('unclaimed.noOrder')
  const { accountId } = target
  if (!target.isFit || !paymentState.can(target.paymentState, 'payLate')) refuse('unclaimed.orderState')
  if (target.askedFen !== held.amountFen) refuse('unclaimed.orderAmount')
  return { ...target, accountId: accountId ?? refuse('unclaimed.orderAccount') }
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
