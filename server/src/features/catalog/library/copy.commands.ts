import type { copyLibraryItem, copyLibraryItems } from '@aisle/contract/catalog/library'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext, Tx } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { refuseUnseenMerchant, sightOf } from '../../../kernel/scope'
import { recordPrices } from '../price.store'
import { isOffered, sharedOf } from './shared.sql'

type Outcome = OutputOf<typeof copyLibraryItems>['outcomes'][number]['outcome']
type Wish = { id: number; code: string; costFen: number; priceFen: number }
type Found = { id: number; kind: string; isCopied: boolean; hasTakenCode: boolean; hasTakenBarcode: boolean }

const audit = auditAs('product')
const CODE_DIGITS = 5

export async function copyMany(
  ctx: CommandContext,
  { ids, merchantId, codePrefix, costFen, priceFen, prices }: InputOf<typeof copyLibraryItems>,
): Promise<OutputOf<typeof copyLibraryItems>> {
  const own = new Map(prices.map((each) => [each.id, each]))
  const wishes = [...new Set(ids)].map((id) => {
    const code = `${codePrefix}${String(id).padStart(CODE_DIGITS, '0')}`
    const its = own.get(id)
    return { id, code, costFen: its?.costFen ?? costFen, priceFen: its?.priceFen ?? priceFen }
  })
  const { outcomes } = await copyInto(ctx, merchantId, wishes)
  return { outcomes: wishes.map(({ id }) => ({ id, outcome: outcomes.get(id) ?? 'gone' })) }
}

export async function copyOne(
  ctx: CommandContext,
  { merchantId, ...wish }: InputOf<typeof copyLibraryItem>,
): Promise<OutputOf<typeof copyLibraryItem>> {
  const { outcomes, made } = await copyInto(ctx, merchantId, [wish])
  const outcome = outcomes.get(wish.id)
  if (outcome === 'have') refuse('library.have')
  if (outcome === 'isMedicine') refuse('library.medicine')
  if (outcome === 'codeTaken') refuse('product.codeTaken', { code: wish.code })
  if (outcome === 'barcodeTaken') refuse('product.barcodeTaken', await takenBy(ctx.tx, merchantId, wish.id))
  return { productId: existing(made.get(wish.id)) }
}

/** The merchant is held, so that two who copy into it at once see each other's copies. */
async function copyInto(ctx: CommandContext, merchantId: number, wishes: readonly Wish[]) {
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  await sql`select 1 from merchant where id = ${merchantId} for no key update`.execute(ctx.tx)
  const found = await findWished(ctx.tx, merchantId, wishes)
  const outcomes = new Map<number, Outcome>(found.map((item) => [item.id, outcomeOf(item)]))
  const wanted = wishes.filter(({ id }) => outcomes.get(id) === 'done')
  const made = await makeProducts(ctx, merchantId, wanted)
  for (const { id } of wanted) if (!made.has(id)) outcomes.set(id, 'codeTaken')
  for (const { id, code, costFen, priceFen } of wanted) {
    const productId = made.get(id)
    if (productId) await audit(ctx, { id: productId, merchantId }, null, { code, costFen, priceFen, libraryItem: id })
  }
  const [first] = wishes
  if (first && made.size === 0) await auditAs('libraryItem')(ctx, { id: first.id, merchantId }, null, { copied: 0 })
  return { outcomes, made }
}

function outcomeOf({ kind, isCopied, hasTakenCode, hasTakenBarcode }: Found): Outcome {
  if (kind === 'medicine') return 'isMedicine'
  if (isCopied) return 'have'
  if (hasTakenBarcode) return 'barcodeTaken'
  return hasTakenCode ? 'codeTaken' : 'done'
}

async function findWished(tx: Tx, merchantId: number, wishes: readonly Wish[]): Promise<Found[]> {
  const found = await sql<Found>`select i.id, i.kind,
      exists (select 1 from product_origin o join product p on p.id = o.product_id
        where o.item_id = i.id and p.merchant_id = ${merchantId}) as "isCopied",
      exists (select 1 from product p where p.merchant_id = ${merchantId} and p.code = w.code) as "hasTakenCode",
      exists (select 1 from library_barcode b join product_barcode t
        on t.merchant_id = ${merchantId} and t.code = b.code where b.item_id = i.id) as "hasTakenBarcode"
    from ${rows('w', wishes, { id: 'bigint', code: 'text' })} join library_item i on i.id = w.id
    where ${isOffered}`.execute(tx)
  return found.rows
}

/** With the item's codes, in the merchant's branch of that name where it has one. @returns products by item */
async function makeProducts(ctx: CommandContext, merchantId: number, wishes: readonly Wish[]) {
  if (wishes.length === 0) return new Map<number, number>()
  const wanted = rows('w', wishes, { id: 'bigint', code: 'text', costFen: 'bigint', priceFen: 'bigint' })
  const made = await sql<{ id: number; itemId: number }>`
    with made as (
      insert into product (merchant_id, code, name, sound, kind, brand, specification, unit, manufacturer, picture,
        pictures, remark, cost_fen, price_fen, category_id, created_at)
      select ${merchantId}, w.code, i.name, i.sound, 'goods', i.brand, i.specification, i.unit, i.manufacturer,
        i.picture, i.pictures, i.remark, w.cost_fen, w.price_fen, (select c.id from category c
          where c.merchant_id = ${merchantId} and c.tree = 'goods' and c.name = i.category order by c.id limit 1),
        ${ctx.now()}
      from ${wanted} join library_item i on i.id = w.id
      on conflict (merchant_id, code) do nothing returning id, code),
    tied as (
      insert into product_origin (product_id, item_id, version, seen)
      select made.id, i.id, i.version, ${sharedOf('i')} from made
      join ${rows('v', wishes, { id: 'bigint', code: 'text' })} on v.code = made.code join library_item i on i.id = v.id
      returning product_id, item_id),
    coded as (
      insert into product_barcode (merchant_id, code, product_id, pack_units)
      select ${merchantId}, b.code, tied.product_id, b.pack_units
      from tied join library_barcode b on b.item_id = tied.item_id on conflict do nothing)
    select product_id as id, item_id as "itemId" from tied`.execute(ctx.tx)
  const ids = made.rows.map(({ id }) => id)
  await recordPrices(ctx.tx, ids, { by: ctx.actor.userId, at: ctx.now(), reason: '' })
  return new Map(made.rows.map(({ id, itemId }) => [itemId, id]))
}

async function takenBy(tx: Tx, merchantId: number, itemId: number) {
  const found = await sql<{ code: string; name: string }>`select b.code, p.name
    from library_barcode b join product_barcode t on t.merchant_id = ${merchantId} and t.code = b.code
    join product p on p.id = t.product_id where b.item_id = ${itemId} order by 1 limit 1`.execute(tx)
  return { code: found.rows[0]?.code ?? '', name: found.rows[0]?.name ?? '' }
}
