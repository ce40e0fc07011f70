import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { partsOf } from '../../../kernel/sheet/sheet.cells'
import type { SheetRow } from '../../../kernel/sheet/sheet.form'
import { type ImportWorld, pathKey } from './import.rules'

/** Four statements, however many rows. */
export async function findWorld(db: Reader, merchantId: number, rows: readonly SheetRow[]): Promise<ImportWorld> {
  const codes = rows.map(({ cells }) => cells.code ?? '')
  const barcodes = rows.flatMap(({ cells }) => (cells.barcodes ?? '').match(/[0-9]{8,14}/g) ?? [])
  const taken = await sql<{ code: string }>`select code from product
    where merchant_id = ${merchantId} and code = any(${codes}::text[])`.execute(db)
  const bearers = await sql<{ code: string; name: string }>`select b.code, p.code || ' ' || p.name as name
    from product_barcode b join product p on p.id = b.product_id
    where b.merchant_id = ${merchantId} and b.code = any(${barcodes}::text[])`.execute(db)
  const branches = await findBranches(db, merchantId)
  return {
    takenCodes: new Set(taken.rows.map(({ code }) => code)),
    takenBarcodes: new Map(bearers.rows.map(({ code, name }) => [code, name])),
    categories: byWay(branches.filter(({ tree }) => tree === 'goods')),
    conditions: byWay(branches.filter(({ tree }) => tree === 'condition')),
    tags: await findTags(db, merchantId, rows),
  }
}

type Branch = { id: number; tree: 'goods' | 'condition'; name: string; way: string }

/** Of the merchant and of those above, as the form offers them. */
async function findBranches(db: Reader, merchantId: number): Promise<Branch[]> {
  const found = await sql<Branch>`
    with recursive owner as (select unnest(path) as id from merchant where id = ${merchantId}),
    walk as (
      select c.id, c.tree, c.name, c.name as way from category c join owner on owner.id = c.merchant_id
      where c.parent_id is null and c.tree in ('goods', 'condition')
      union all
      select c.id, c.tree, c.name, w.way || '/' || c.name from walk w join category c on c.parent_id = w.id)
    select id, tree, name, way from walk order by id limit 5000`.execute(db)
  return found.rows
}

/** The whole way says which one is meant where several have one name. */
function byWay(branches: readonly Branch[]): Map<string, number[]> {
  const known = new Map<string, number[]>()
  for (const { id, name, way } of branches) {
    for (const key of new Set([pathKey(name), pathKey(way)])) known.set(key, [...(known.get(key) ?? []), id])
  }
  for (const { id, way } of branches) if (way.includes('/')) known.set(pathKey(way), [id])
  return known
}

async function findTags(db: Reader, merchantId: number, rows: readonly SheetRow[]): Promise<Map<string, string>> {
  const named = [...new Set(rows.flatMap(({ cells }) => partsOf(cells.tags ?? '')).map((each) => each.toLowerCase()))]
  if (named.length === 0) return new Map()
  const found = await sql<{ word: string; code: string }>`
    select lower(w.word) as word, i.code from dictionary_item i
    join dictionary_type t on t.id = i.type_id and t.code = 'productTag'
    join merchant m on m.id = ${merchantId}
    cross join lateral (values (i.code), (i.zh), (i.en), (i.fr), (i.ko)) w(word)
    where i.is_on and (i.merchant_id is null or i.merchant_id = any(m.path)) and lower(w.word) = any(${named}::text[])
    order by i.id`.execute(db)
  return new Map(found.rows.map(({ word, code }) => [word, code]))
}

/** Of these barcodes, those under which the library has a picture. */
export async function findPictured(db: Reader, codes: readonly string[]): Promise<Set<string>> {
  const found = await sql<{ code: string }>`select w.code
    from unnest(${[...codes]}::text[]) as w(code) join library_barcode b on b.gtin = lpad(w.code, 14, '0')
    join library_item i on i.id = b.item_id
    where i.state = 'checked' and i.merged_into is null and i.picture is not null`.execute(db)
  return new Set(found.rows.map(({ code }) => code))
}
