import type { LibraryChange, listLibraryChanges, takeLibraryChange } from '@aisle/contract/catalog/library'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { CommandContext } from '../../../kernel/context'
import { allOf, holds, type Listing, listRows, mapRows } from '../../../kernel/list'
import { existing, refuse } from '../../../kernel/refuse'
import { merchantInSight, type Sight, subtreeOf } from '../../../kernel/scope'
import { products } from '../product'
import { soundOf } from '../product.sound'
import { offeredFields, type Shared } from './library.rules'
import { sharedOf } from './shared.sql'

type Sides = { seen: Partial<Shared>; library: Shared; mine: Shared }
type Row = Omit<LibraryChange, 'changes'> & Sides

/** Copies of items that have changed since their keeper looked, where something is left to decide. */
export function listChangesIn(
  sight: Sight,
  { q, merchantId }: InputOf<typeof listLibraryChanges>,
): Listing<LibraryChange> {
  const rows = sql<Row>`
    select p.id, p.code, p.name, p.merchant_id as "merchantId", m.name as "merchantName", i.id as "itemId",
      i.version as "itemVersion", o.seen, both_say.library, both_say.mine
    from product_origin o join library_item i on i.id = o.item_id and i.version > o.version
    join product p on p.id = o.product_id join merchant m on m.id = p.merchant_id
    cross join lateral (select ${sharedOf('i')} as library, ${sharedOf('p')} as mine) both_say
    where ${merchantInSight(sight, sql`p.merchant_id`)} and exists (
      select 1 from jsonb_each(both_say.library) l
      where l.value is distinct from o.seen -> l.key and l.value is distinct from both_say.mine -> l.key)`
  const where = allOf([
    q && sql`(${holds(sql`name`, q)} or ${holds(sql`code`, q)})`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  return mapRows(listRows<Row>({ rows, where, order: { by: sql`name`, type: 'text' } }), (found) =>
    found.map(({ seen, library, mine, ...row }) => ({ ...row, changes: offeredFields(seen, library, mine) })),
  )
}

/** What is not taken over is decided too: it is not offered again before the library changes it once more. */
export async function take(ctx: CommandContext, { id, itemVersion, fields }: InputOf<typeof takeLibraryChange>) {
  const product = await products.load(ctx, id)
  const found = await sql<Sides & { itemId: number; version: number }>`select i.id as "itemId", i.version, o.seen,
      ${sharedOf('i')} as library, ${sharedOf('p')} as mine
    from product_origin o join library_item i on i.id = o.item_id join product p on p.id = o.product_id
    where o.product_id = ${id} for update of o`.execute(ctx.tx)
  const { itemId, version, seen, library, mine } = existing(found.rows[0])
  if (version !== itemVersion) refuse('library.changed')
  const taken = offeredFields(seen, library, mine).filter(({ field }) => fields.includes(field))
  const now = { ...mine, ...Object.fromEntries(taken.map(({ field }) => [field, library[field]])) }
  if (taken.length > 0) {
    await sql`update product set name = ${now.name}, sound = ${soundOf(String(now.name))}, brand = ${now.brand},
        specification = ${now.specification}, unit = ${now.unit}, manufacturer = ${now.manufacturer},
        picture = ${now.picture}, pictures = ${now.pictures}::text[], remark = ${now.remark}, version = version + 1
      where id = ${id}`.execute(ctx.tx)
  }
  await sql`update product_origin set version = ${version}, seen = ${JSON.stringify(library)}::jsonb
    where product_id = ${id}`.execute(ctx.tx)
  const side = (from: Shared) => Object.fromEntries(taken.map(({ field }) => [field, from[field]]))
  await products.audit(ctx, product, side(mine), { ...side(now), libraryItem: itemId })
  return { id }
}
