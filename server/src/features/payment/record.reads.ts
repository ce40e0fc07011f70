import type { ChannelExchange, getOrderPayments } from '@aisle/contract/payment/record'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../db/instant'
import type { QueryContext, Reader } from '../../kernel/context'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { caseRefundNo } from './case.number'

type Payments = OutputOf<typeof getOrderPayments>

const MOST = 40
/** Undefined for an order that is out of sight or not there; without attempts where no channel took the money. */
export async function findOfOrder(ctx: QueryContext, orderId: number): Promise<Payments | undefined> {
  const seen = await sql`select 1 from order_number n
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    where n.order_id = ${orderId} and ${machineInSight(sightOf(ctx.actor), sql`o.machine_id`)}`.execute(ctx.db)
  if (seen.rows.length === 0) return undefined
  const found = await sql<Omit<Payments['attempts'][number], 'exchanges'>>`
    select a.id, a.attempt_no as "attemptNo", a.method as provider, a.product, a.state, a.amount_fen as "amountFen",
      a.paid_fen as "paidFen", a.channel_no as "channelNo", a.fault, p.name as "accountName",
      ${iso('a.created_at')} as "createdAt", ${iso('a.paid_at')} as "paidAt", ${iso('a.closed_at')} as "closedAt"
    from payment_attempt a join payment_account c on c.id = a.account_id
    join provider_account p on p.id = c.provider_account_id
    where a.order_id = ${orderId} order by a.id desc`.execute(ctx.db)
  const attempts = []
  for (const attempt of found.rows) {
    attempts.push({ ...attempt, exchanges: await findExchanges(ctx.db, sql`reference = ${attempt.attemptNo}`) })
  }
  return { attempts }
}

/** By the number that the provider told, at that account alone, and by ours for giving it back. */
export async function findOfUnclaimed(ctx: QueryContext, id: number): Promise<ChannelExchange[] | undefined> {
  const found = await sql<{ accountId: number; attemptNo: string }>`
    select u.provider_account_id as "accountId", u.attempt_no as "attemptNo" from unclaimed_payment u
    join provider_account p on p.id = u.provider_account_id
    where u.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)}`.execute(ctx.db)
  const [row] = found.rows
  if (!row) return undefined
  const references = [caseRefundNo('UP', id), ...(row.attemptNo === '' ? [] : [row.attemptNo])]
  return findExchanges(ctx.db, sql`reference = any(${references}::text[]) and provider_account_id = ${row.accountId}`)
}

async function findExchanges(db: Reader, which: RawBuilder<unknown>): Promise<ChannelExchange[]> {
  const found = await sql<ChannelExchange>`
    select id, ${iso('at')} as at, kind, outcome, status, duration_ms as "durationMs", address,
      request_body as request, answer_body as answer
    from channel_exchange where ${which} order by at desc, id desc limit ${sql.lit(MOST)}`.execute(db)
  return found.rows
}
