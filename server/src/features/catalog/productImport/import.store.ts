import { productState } from '@aisle/contract/catalog/states'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { isOffered, sharedOf } from '../library/shared.sql'
import { soundOf } from '../product.sound'
import type { NewProduct } from './import.rules'

/** @returns ids by code; of a code that somebody took meanwhile, none */
export async function insertProducts(
  tx: Tx,
  merchantId: number,
  wanted: readonly NewProduct[],
  at: Date,
): Promise<Map<string, number>> {
  const lines = wanted.map((each) => ({ ...each, sound: soundOf(each.name), tagList: JSON.stringify(each.tags) }))
  const made = await sql<{ id: number; code: string }>`
    insert into product (merchant_id, code, name, sound, kind, picture, category_id, brand, specification, unit,
      manufacturer, external_code, is_joint_venture, shelf_life_days, produced_on, best_before, cost_fen, price_fen,
      remark, tags, created_at, state)
    select ${merchantId}, w.code, w.name, w.sound, 'goods', w.picture, w.category_id, w.brand, w.specification, w.unit,
      w.manufacturer, w.external_code, w.is_joint_venture, w.shelf_life_days, w.produced_on, w.best_before, w.cost_fen,
      w.price_fen, w.remark, array(select jsonb_array_elements_text(w.tag_list)), ${at},
      case when w.picture is null then ${sql.lit(productState.to('takeOffline'))}
        else ${sql.lit(productState.initial)} end
    from ${rows('w', lines, {
      code: 'text',
      name: 'text',
      sound: 'text',
      picture: 'text',
      categoryId: 'bigint',
      brand: 'text',
      specification: 'text',
      unit: 'text',
      manufacturer: 'text',
      externalCode: 'text',
      isJointVenture: 'boolean',
      shelfLifeDays: 'int',
      producedOn: 'date',
      bestBefore: 'date',
      costFen: 'bigint',
      priceFen: 'bigint',
      remark: 'text',
      tagList: 'jsonb',
    })} order by w.code on conflict do nothing returning id, code`.execute(tx)
  return new Map(made.rows.map(({ id, code }) => [code, id]))
}

type Coded = { productId: number; code: string; packUnits: number }

/** @returns whether all of them were free */
export async function insertBarcodes(tx: Tx, merchantId: number, codes: readonly Coded[]): Promise<boolean> {
  const made = await sql`insert into product_barcode (merchant_id, code, product_id, pack_units)
    select ${merchantId}, b.code, b.product_id, b.pack_units
    from ${rows('b', codes, { productId: 'bigint', code: 'text', packUnits: 'int' })} order by b.code
    on conflict do nothing`.execute(tx)
  return Number(made.numAffectedRows ?? 0) === codes.length
}

export async function insertConditions(
  tx: Tx,
  pairs: readonly { productId: number; categoryId: number }[],
): Promise<void> {
  await sql`insert into product_condition (product_id, category_id)
    select w.product_id, w.category_id from ${rows('w', pairs, { productId: 'bigint', categoryId: 'bigint' })}
    on conflict do nothing`.execute(tx)
}

/** What the library has by their barcodes comes from there: tied to it, and pictured by it where they lack that. */
export async function tieKnown(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`
    with known as (
      select distinct on (b.product_id) b.product_id, i.id, i.version, i.picture, ${sharedOf('i')} as seen
      from product_barcode b join library_barcode l on l.gtin = lpad(b.code, 14, '0')
      join library_item i on i.id = l.item_id
      where b.product_id = any(${[...ids]}::bigint[]) and ${isOffered} order by b.product_id, i.id),
    pictured as (
      update product p set picture = known.picture, state = ${sql.lit(productState.to('relist'))}
      from known where p.id = known.product_id and p.picture is null and known.picture is not null)
    insert into product_origin (product_id, item_id, version, seen)
    select product_id, id, version, seen from known on conflict do nothing`.execute(tx)
}

export async function countBare(tx: Tx, ids: readonly number[]): Promise<number> {
  const found = await sql<{ n: number }>`select count(*)::int as n from product
    where id = any(${[...ids]}::bigint[]) and picture is null`.execute(tx)
  return found.rows[0]?.n ?? 0
}
