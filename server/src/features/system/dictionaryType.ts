import * as contract from '@aisle/contract/system/dictionary'
import { sql } from 'kysely'
import type { CommandContext, QueryContext, Tx } from '../../kernel/context'
import { refuseInUse } from '../../kernel/edit'
import { kept } from '../../kernel/kept'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { isPlatform, platformRow } from '../../kernel/scope'
import { itemInSight } from './dictionary.reads'

/** The product asks for a few; all that there are stand on one page. */
const MOST_TYPES = 1000

const types = kept(contract.dictionaryType, {
  table: 'dictionaryType',
  facts: (sight) => ({
    isSystem: sql`is_system`,
    itemCount: sql`(select count(*)::int from dictionary_item i
      where i.type_id = dictionary_type.id and ${itemInSight(sight)})`,
    version: sql`version`,
  }),
  columns: async ({ tx }, { allowsMerchants }, { id, allowsMerchants: did }) => {
    if (id !== undefined && did && !allowsMerchants) refuseInUse(await merchantsWithItems(tx, id))
    return {}
  },
  search: ['code', 'zh'],
  where: { forMerchants: (does) => sql`"allowsMerchants" = ${does === 'true'}` },
  orders: { order: { by: sql`sort`, type: 'bigint' } },
  uses: (id) => sql`select zh as name from dictionary_item where type_id = ${id} order by sort, id`,
})

export const routes: Route[] = [
  query(contract.listDictionaryTypes, list),
  command(contract.addDictionaryType, (ctx, input) =>
    isPlatform(ctx) ? types.add(ctx, input) : refuse('dictionary.platformOnly'),
  ),
  command(contract.editDictionaryType, (ctx, input) => {
    platformRow(ctx)
    return types.edit(ctx, input)
  }),
  command(contract.removeDictionaryType, remove),
]

async function list(ctx: QueryContext, filter: { forMerchants?: 'true' | 'false' | undefined }) {
  const { items } = await types.list(ctx, { ...filter, sort: 'order' }).page(ctx.db, { pageSize: MOST_TYPES })
  return { items }
}

async function remove(ctx: CommandContext, { id }: { id: number }): Promise<{ id: number }> {
  platformRow(ctx)
  if ((await types.load(ctx, id)).isSystem) refuse('dictionary.systemType')
  return types.remove(ctx, { id })
}

async function merchantsWithItems(tx: Tx, typeId: number): Promise<string[]> {
  const found = await sql<{ name: string }>`select distinct m.name from dictionary_item i
    join merchant m on m.id = i.merchant_id where i.type_id = ${typeId} order by m.name limit 21`.execute(tx)
  return found.rows.map(({ name }) => name)
}
