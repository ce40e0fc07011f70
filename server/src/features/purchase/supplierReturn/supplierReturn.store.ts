import { supplierReturnState, type SupplierReturnState } from '@aisle/contract/purchase/supplierReturn'
import { goodsReceiptState } from '@aisle/contract/purchase/receipt'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { CommandContext, Tx } from '../../../kernel/context'
import { refusedBy } from '../../../kernel/constraint'
import { dayAt } from '../../../kernel/platformDays'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { stateful, stateTo } from '../../../kernel/states'
import type { Source, Taken } from './supplierReturn.rules'

/** @throws Refusal supplierReturn.state */
export const returns = stateful('supplierReturn', 'state', supplierReturnState, {
  versioned: false,
  refuse: ({ no }: HeldReturn) => refuse('supplierReturn.state', { no }),
})

export type HeldReturn = {
  id: number
  merchantId: number
  no: string
  supplierId: number
  placeId: number
  state: SupplierReturnState
  madeBy: number | null
  totalFen: number
  day: string
}

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function holdReturn(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof supplierReturnState.moves,
): Promise<HeldReturn> {
  const found = await sql<HeldReturn>`
    select r.id, r.merchant_id as "merchantId", r.no, r.supplier_id as "supplierId", w.place_id as "placeId", r.state,
      r.made_by as "madeBy", to_char(${dayAt(ctx.now(), sql`m.time_zone`)}, 'YYYY-MM-DD') as day,
      (select coalesce(sum(l.cost_fen), 0)::bigint from supplier_return_line l where l.return_id = r.id) as "totalFen"
    from supplier_return r join warehouse w on w.id = r.warehouse_id join merchant m on m.id = r.merchant_id
    where r.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`r.merchant_id`)} for update of r`.execute(ctx.tx)
  const held = existing(found.rows[0])
  returns.must(held, verb)
  return held
}

type From = { supplierId: number; receiptId: number | null; productId: number; batch: string }

/** The lines on which a supplier brought it, newest first. Batches of other goods than medicine are not told apart. */
export async function sourcesOf(tx: Tx, { supplierId, receiptId, productId, batch }: From): Promise<Source[]> {
  const found = await sql<Source>`
    select l.receipt_id as "receiptId", l.line, l.counted, l.cost_fen as "costFen",
      coalesce(t.returned, 0) as returned
    from goods_receipt_line l join goods_receipt r on r.id = l.receipt_id
    left join goods_receipt_returned t on t.receipt_id = l.receipt_id and t.line = l.line
    where r.supplier_id = ${supplierId} and r.state = ${stateTo(goodsReceiptState, 'accept')}
      and l.product_id = ${productId} and l.counted > 0 and (${batch} = '' or l.batch = ${batch})
      and (${receiptId}::bigint is null or l.receipt_id = ${receiptId})
    order by l.receipt_id desc, l.line`.execute(tx)
  return found.rows
}

export type ReturnLine = Taken & { line: number; productId: number; batch: string }

export async function putReturnLines(tx: Tx, returnId: number, lines: readonly ReturnLine[]): Promise<void> {
  await sql`insert into supplier_return_line (return_id, line, product_id, batch, quantity, receipt_id, receipt_line,
      cost_fen)
    select ${returnId}, l.line, l.product_id, l.batch, l.quantity, l.receipt_id, l.receipt_line, l.cost_fen
    from ${rows('l', lines, {
      line: 'int',
      productId: 'bigint',
      batch: 'text',
      quantity: 'int',
      receiptId: 'bigint',
      receiptLine: 'int',
      costFen: 'bigint',
    })}`.execute(tx)
}

export async function returnLines(tx: Tx, returnId: number): Promise<ReturnLine[]> {
  const found = await sql<ReturnLine>`
    select l.line, l.product_id as "productId", l.batch, l.quantity, l.receipt_id as "receiptId",
      l.receipt_line as "receiptLine", l.cost_fen as "costFen", g.counted
    from supplier_return_line l
    join goods_receipt_line g on g.receipt_id = l.receipt_id and g.line = l.receipt_line
    where l.return_id = ${returnId} order by l.line`.execute(tx)
  return found.rows
}

/** However many return at once, the database lets no more go back than came. @throws Refusal supplierReturn.bought */
export async function claimReceipts(tx: Tx, lines: readonly Taken[], sign: 1 | -1): Promise<void> {
  const claims = lines.map(({ receiptId, receiptLine, counted, quantity }) => {
    return { receiptId, line: receiptLine, counted, returned: sign * quantity }
  })
  const given = rows('c', claims, { receiptId: 'bigint', line: 'int', counted: 'int', returned: 'int' })
  await refusedBy(
    'goods_receipt_returned_most',
    sign === 1
      ? sql`insert into goods_receipt_returned as t (receipt_id, line, counted, returned)
          select c.receipt_id, c.line, c.counted, c.returned from ${given} order by 1, 2
          on conflict (receipt_id, line) do update set returned = t.returned + excluded.returned`.execute(tx)
      : sql`update goods_receipt_returned t set returned = t.returned + c.returned
          from ${given} where t.receipt_id = c.receipt_id and t.line = c.line`.execute(tx),
    () => refusal('supplierReturn.bought', { name: '', left: 0 }),
  )
}

/** What its maker alone let go back today. */
export async function returnedToday(ctx: CommandContext, merchantId: number): Promise<number> {
  const found = await sql<{ fen: number }>`
    select coalesce(sum(l.cost_fen), 0)::bigint as fen from supplier_return r join merchant m on m.id = r.merchant_id
    join supplier_return_line l on l.return_id = r.id
    where r.merchant_id = ${merchantId} and r.state <> ${stateTo(supplierReturnState, 'cancel')}
      and r.approved_by = ${ctx.actor.userId} and r.made_by = r.approved_by
      and r.approved_at >= date_trunc('day', ${ctx.now()}::timestamptz at time zone m.time_zone)
        at time zone m.time_zone`.execute(ctx.tx)
  return found.rows[0]?.fen ?? 0
}
