import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { soundOf } from '../../features/catalog/public'
import type { Tx } from '../../kernel/context'
import { catalogue } from './catalogue'
import { idOf, type Ids } from '../people/people'
import { drawPicture } from '../shapes/picture'

const pictureName = (code: string) => `${code}.svg`

/** Drawn again each time: the same product gives the same bytes, so a half-finished folder does no harm. */
export async function writePictures(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'pictures')
  await mkdir(folder, { recursive: true })
  await Promise.all(
    catalogue.map(({ code, shape, paint }) => writeFile(join(folder, pictureName(code)), drawPicture(shape, paint))),
  )
}

type Category = { merchantId: number; tree: string; name: string }
const keyOf = ({ merchantId, tree, name }: Category) => `${merchantId}/${tree}/${name}`

/** The catalogue in its categories. @returns ids by product code */
export async function seedProducts(tx: Tx, merchantIds: Ids): Promise<Ids> {
  const sorted = catalogue.map((product) => {
    const tree = product.medicineClass === null ? ('goods' as const) : ('medicine' as const)
    const merchantId = idOf(merchantIds, product.merchant)
    return { product, category: { merchantId, tree, name: product.category } }
  })
  const categories = [...new Map(sorted.map(({ category }) => [keyOf(category), category])).values()]
  const sorts = await tx
    .insertInto('category')
    .values(categories.map((category, at) => ({ ...category, sort: at + 1 })))
    .returning(['id', 'merchantId', 'tree', 'name'])
    .execute()
  const categoryIds = new Map(sorts.map((category) => [keyOf(category), category.id]))
  const products = sorted.map(({ product, category }) => {
    const { code, name, brand, specification, unit, manufacturer, medicineClass, costFen, priceFen } = product
    const categoryId = idOf(categoryIds, keyOf(category))
    const named = { code, name, brand, specification, unit, manufacturer, sound: soundOf(name) }
    const priced = { medicineClass, costFen, priceFen, picture: `/pictures/${pictureName(code)}` }
    return { ...named, ...priced, categoryId, kind: category.tree, merchantId: category.merchantId }
  })
  const made = await tx.insertInto('product').values(products).returning(['id', 'code']).execute()
  return new Map(made.map(({ code, id }) => [code, id]))
}
