import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { catalogue } from './catalogue'
import { soundOf } from '../../features/catalog/public'
import { idOf, type Ids } from '../people/people'
import { drawPicture } from './picture'

const pictureName = (code: string) => `${code}.svg`

/** Drawn again each time: the same product gives the same bytes, so a half-finished folder does no harm. */
export async function writePictures(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'pictures')
  await mkdir(folder, { recursive: true })
  await Promise.all(
    catalogue.map(({ code, shape, paint }) => writeFile(join(folder, pictureName(code)), drawPicture(shape, paint))),
  )
}

/** @returns ids by product code */
export async function seedProducts(tx: Tx, merchantIds: Ids): Promise<Ids> {
  const products = catalogue.map((product) => ({
    ...product,
    merchantId: idOf(merchantIds, product.merchant),
    kind: product.medicineClass === null ? 'goods' : 'medicine',
    picture: `/pictures/${pictureName(product.code)}`,
    sound: soundOf(product.name),
  }))
  const categories = await seedCategories(tx, products)
  const made = await sql<{ id: number; code: string }>`
    insert into product (merchant_id, code, name, brand, category_id, specification, unit, manufacturer, kind,
      medicine_class, cost_fen, price_fen, picture, sound)
    select * from ${rows(
      'p',
      products.map((each) => ({ ...each, categoryId: categories.get(treeKey(each)) })),
      {
        merchantId: 'bigint',
        code: 'text',
        name: 'text',
        brand: 'text',
        categoryId: 'bigint',
        specification: 'text',
        unit: 'text',
        manufacturer: 'text',
        kind: 'text',
        medicineClass: 'text',
        costFen: 'bigint',
        priceFen: 'bigint',
        picture: 'text',
        sound: 'text',
      },
    )} returning id, code`.execute(tx)
  return new Map(made.rows.map(({ code, id }) => [code, id]))
}

type Sorted = { merchantId: number; kind: string; category: string }
const treeKey = ({ merchantId, kind, category }: Sorted) => `${merchantId}/${kind}/${category}`

async function seedCategories(tx: Tx, products: readonly Sorted[]): Promise<Map<string, number>> {
  const wanted = [...new Map(products.map((each) => [treeKey(each), each])).values()]
  const made = await sql<Sorted & { id: number }>`
    insert into category (merchant_id, tree, name, sort)
    select merchant_id, kind, category, row_number() over ()
    from ${rows('c', wanted, { merchantId: 'bigint', kind: 'text', category: 'text' })}
    returning id, merchant_id as "merchantId", tree as kind, name as category`.execute(tx)
  return new Map(made.rows.map((each) => [treeKey(each), each.id]))
}
