import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Reader, Tx } from '../../../kernel/context'
import type { PriceStep } from '../../promotion/public'

type Stepped = { orderId: number; index: number; steps: readonly PriceStep[] }

/** How the prices of items came about, in their order. */
export async function insertSteps(tx: Tx, items: readonly Stepped[]): Promise<void> {
  const steps = items.flatMap(({ orderId, index, steps: own }) =>
    own.map((each, at) => ({ orderId, index, step: at + 1, ...each })),
  )
  if (steps.length === 0) return
  await sql`insert into order_price_step
      (order_id, index, step, kind, reference, before_fen, after_fen, reason)
    select * from ${rows('s', steps, {
      orderId: 'bigint',
      index: 'smallint',
      step: 'smallint',
      kind: 'text',
      reference: 'bigint',
      beforeFen: 'bigint',
      afterFen: 'bigint',
      reason: 'text',
    })}`.execute(tx)
}

type Shown = PriceStep & { index: number; planId: number | null }

/** Of an order, by item and step. */
export async function findSteps(db: Reader, orderId: number): Promise<Shown[]> {
  const found =
    await sql<Shown>`select t.index, t.kind, t.reference, v.plan_id as "planId", t.before_fen as "beforeFen",
      t.after_fen as "afterFen", t.reason
    from order_price_step t left join promotion_plan_version v on t.kind in ('plan', 'coupon', 'code')
      and v.id = t.reference
    where t.order_id = ${orderId} order by t.index, t.step`.execute(db)
  return found.rows
}
