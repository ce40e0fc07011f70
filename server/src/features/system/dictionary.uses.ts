import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'

type Item = { typeCode: string; code: string; merchantId: number | null }

/** What chose an item, by type; each a select of `name`. A type that nothing asks for yet has no uses. */
const uses = new Map<string, (item: Item) => RawBuilder<{ name: string }>>([
  ['merchantCategory', (item) => sql`select name from merchant where category = ${item.code} and ${mayChoose(item)}`],
  [
    'merchantTag',
    (item) =>
      sql`select name from merchant where ${item.code} = any(string_to_array(tags, ',')) and ${mayChoose(item)}`,
  ],
  [
    'productTag',
    (item) => sql`select product.name from product join merchant on merchant.id = product.merchant_id
      where ${item.code} = any(product.tags) and ${mayChoose(item)}`,
  ],
])

/** A merchant's own item is chosen by itself and those below; another merchant may have a code of the same name. */
const mayChoose = ({ merchantId }: Item) =>
  merchantId === null ? sql`true` : sql`path @> array[${merchantId}]::bigint[]`

/** Names of what uses an item; one more than are shown, so that the reader knows that there are more. */
export async function usesOf(db: Reader, item: Item): Promise<string[]> {
  const asked = uses.get(item.typeCode)
  if (!asked) return []
  const found = await sql<{ name: string }>`select name from (${asked(item)}) used order by name limit 21`.execute(db)
  return found.rows.map(({ name }) => name)
}
