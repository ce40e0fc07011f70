import type { InputOf } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/catalog/library'
import { sql } from 'kysely'
import { kept } from '../../../kernel/kept'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { holdsAny } from '../../../kernel/search'
import { soundOf } from '../product.sound'
import { noteGtins } from './barcode.store'

type Added = InputOf<typeof contract.addLibraryItem>
type Edited = InputOf<typeof contract.editLibraryItem>

/** What is offered to all; what waits for a look is an addition. */
const items = kept(contract.libraryItem, {
  table: 'libraryItem',
  among: sql<boolean>`library_item.state = 'checked' and library_item.merged_into is null`,
  facts: (sight) => ({
    copies: sql`(select count(*)::int from product_origin o join product p on p.id = o.product_id
      where o.item_id = library_item.id and ${merchantInSight(sight, sql`p.merchant_id`)})`,
  }),
  shown: {
    barcodes: sql`coalesce((select json_agg(json_build_object('code', b.code, 'packUnits', b.pack_units)
      order by b.pack_units, b.code) from library_barcode b where b.item_id = library_item.id), '[]')`,
  },
  columns: async (_, { name, picture }, row) => {
    if (picture === null) refuse('library.noPicture')
    return { sound: soundOf(name), state: row.state ?? contract.libraryState.to('check') }
  },
  search: ['name', 'brand'],
  where: {
    q: (value) => sql`id in (
      select i.id from library_item i where ${holdsAny([sql`i.name`, sql`i.brand`, sql`i.sound`], value)}
      union all select b.item_id from library_barcode b where b.gtin = lpad(${value}, 14, '0'))`,
    category: (value) => sql`category = ${value}`,
    copied: (value) => (value === 'yes' ? sql`copies > 0` : sql`copies = 0`),
  },
  uses: (id) => sql`select p.name from product_origin o join product p on p.id = o.product_id
    where o.item_id = ${id} union all select name from library_item where merged_into = ${id} order by 1`,
})

export const routes: Route[] = [
  ...listOf(contract.listLibraryItems, items.list),
  query(contract.getLibraryItem, getItem),
  command(contract.addLibraryItem, addItem),
  command(contract.editLibraryItem, editItem),
  command(contract.removeLibraryItem, items.remove),
]

async function getItem(ctx: QueryContext, { id }: { id: number }) {
  const item = await items.get(ctx, { id })
  const found = await sql<{ id: number; code: string; name: string; merchantName: string }>`
    select p.id, p.code, p.name, m.name as "merchantName" from product_origin o join product p on p.id = o.product_id
    join merchant m on m.id = p.merchant_id
    where o.item_id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)}
    order by p.name, p.id limit 50`.execute(ctx.db)
  return { ...item, products: found.rows }
}

async function addItem(ctx: CommandContext, input: Added): Promise<{ id: number }> {
  const { id } = await items.add(ctx, input)
  await noteGtins(ctx.tx, id, input.barcodes)
  return { id }
}

/** Copies stay as they are: what changed is offered to their keepers (`change.commands`). */
async function editItem(ctx: CommandContext, input: Edited): Promise<{ id: number }> {
  const { id } = await items.edit(ctx, input)
  await noteGtins(ctx.tx, id, input.barcodes)
  return { id }
}
