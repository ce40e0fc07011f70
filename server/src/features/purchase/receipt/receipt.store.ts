import { goodsReceiptState } from '@aisle/contract/purchase/receipt'
import type { StorageClass } from '@aisle/contract/stock/warehouse'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { CommandContext, Tx } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { stateful } from '../../../kernel/states'
import type { MedicineClass } from '../supplier.rules'

/** @throws Refusal receipt.state */
export const receipts = stateful('goodsReceipt', 'state', goodsReceiptState, {
  versioned: false,
  refuse: ({ no }: HeldReceipt) => refuse('receipt.state', { no }),
})

export type HeldReceipt = {
  id: number
  merchantId: number
  no: string
  supplierId: number
  orderId: number | null
  warehouseId: number
  placeId: number
  state: (typeof goodsReceiptState.states)[number]
  receivedBy: number | null
  decidedBy: number | null
}

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function holdReceipt(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof goodsReceiptState.moves,
): Promise<HeldReceipt> {
  const found = await sql<HeldReceipt>`
    select r.id, r.merchant_id as "merchantId", r.no, r.supplier_id as "supplierId", r.order_id as "orderId",
      r.warehouse_id as "warehouseId", w.place_id as "placeId", r.state, r.received_by as "receivedBy",
      r.decided_by as "decidedBy"
    from goods_receipt r join warehouse w on w.id = r.warehouse_id
    where r.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`r.merchant_id`)} for update of r`.execute(ctx.tx)
  const held = existing(found.rows[0])
  receipts.must(held, verb)
  return held
}

export type Line = {
  line: number
  orderLine: number | null
  productId: number
  batch: string
  producedOn: string | null
  expiresOn: string | null
  announced: number
  counted: number
  damaged: number
  refused: number
  reason: string
  temperatureTenths: number | null
  codes: string[]
  priceFen: number
  packUnits: number
  costFen: number
}

export async function putReceiptLines(tx: Tx, receiptId: number, lines: readonly Line[]): Promise<void> {
  const given = lines.map(({ codes, ...line }) => ({ ...line, codes: JSON.stringify(codes) }))
  await sql`insert into goods_receipt_line (receipt_id, line, order_line, product_id, batch, produced_on, expires_on,
      announced, counted, damaged, refused, reason, temperature_tenths, codes, price_fen, pack_units, cost_fen)
    select ${receiptId}, l.line, l.order_line, l.product_id, l.batch, l.produced_on, l.expires_on, l.announced,
      l.counted, l.damaged, l.refused, l.reason, l.temperature_tenths,
      array(select jsonb_array_elements_text(l.codes)), l.price_fen, l.pack_units, l.cost_fen
    from ${rows('l', given, {
      line: 'int',
      orderLine: 'int',
      productId: 'bigint',
      batch: 'text',
      producedOn: 'date',
      expiresOn: 'date',
      announced: 'int',
      counted: 'int',
      damaged: 'int',
      refused: 'int',
      reason: 'text',
      temperatureTenths: 'int',
      codes: 'jsonb',
      priceFen: 'bigint',
      packUnits: 'int',
      costFen: 'bigint',
    })}`.execute(tx)
}

export type KeptLine = Pick<Line, 'orderLine' | 'productId' | 'batch' | 'counted' | 'costFen' | 'codes'> & {
  productCode: string
  isMedicine: boolean
  producedOn: string | null
  expiresOn: string | null
}

export async function receiptLines(tx: Tx, id: number): Promise<KeptLine[]> {
  const found = await sql<KeptLine>`
    select l.order_line as "orderLine", l.product_id as "productId", p.code as "productCode",
      p.kind = 'medicine' as "isMedicine", l.batch, to_char(l.produced_on, 'YYYY-MM-DD') as "producedOn",
      to_char(l.expires_on, 'YYYY-MM-DD') as "expiresOn", l.counted, l.cost_fen as "costFen", l.codes
    from goods_receipt_line l join product p on p.id = l.product_id
    where l.receipt_id = ${id} order by l.line`.execute(tx)
  return found.rows
}

export type Product = {
  id: number
  code: string
  name: string
  medicineClass: MedicineClass | null
  storage: StorageClass | null
}

/** Of the line of a merchant. */
export async function productsOf(tx: Tx, merchantId: number, ids: readonly number[]): Promise<Map<number, Product>> {
  const found = await sql<Product>`
    select p.id, p.code, p.name, p.medicine_class as "medicineClass",
      case when p.kind = 'medicine' then coalesce(d.storage, 'room') end as storage
    from merchant own join product p on p.merchant_id = any(own.path) left join medicine d on d.product_id = p.id
    where own.id = ${merchantId} and p.id = any(${[...ids]}::bigint[])`.execute(tx)
  return new Map(found.rows.map((row) => [row.id, row]))
}

type Owed = { merchantId: number; supplierId: number; id: number; amountFen: number; dueOn: string }

export async function owe(ctx: CommandContext, { merchantId, supplierId, id, amountFen, dueOn }: Owed): Promise<void> {
  await sql`insert into payable (merchant_id, supplier_id, receipt_id, amount_fen, due_on, booked_at)
    values (${merchantId}, ${supplierId}, ${id}, ${amountFen}, ${dueOn}::date, ${ctx.now()})`.execute(ctx.tx)
}

/**
 * What was owed for a receipt is owed no longer.
 * @returns how much it was. @throws Refusal receipt.paid, receipt.returned
 */
export async function releaseOwed(ctx: CommandContext, receipt: HeldReceipt): Promise<number> {
  const found = await sql<{ amountFen: number; isBound: boolean }>`select amount_fen as "amountFen",
      claimed_fen <> 0 or invoice_id is not null as "isBound" from payable
    where receipt_id = ${receipt.id} for update`.execute(ctx.tx)
  const owed = found.rows[0]
  const back = await sql`select from goods_receipt_returned
    where receipt_id = ${receipt.id} and returned > 0`.execute(ctx.tx)
  if (back.rows.length > 0) refuse('receipt.returned', { no: receipt.no })
  if (!owed) return 0
  if (owed.isBound) refuse('receipt.paid', { no: receipt.no })
  await sql`update payable set reversed_at = ${ctx.now()} where receipt_id = ${receipt.id}`.execute(ctx.tx)
  return owed.amountFen
}
