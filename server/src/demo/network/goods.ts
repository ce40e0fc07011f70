import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isBarcode } from '@aisle/contract/catalog/barcode'
import { addCategory } from '@aisle/contract/catalog/category'
import { addProduct } from '@aisle/contract/catalog/product'
import { addMedicine } from '@aisle/contract/medicine/medicine'
import type { Past } from '../life/within'
import { catalogue, type DemoProduct } from './catalogue'
import { idOf, type Ids } from '../people/people'
import { seedOf, withCheckDigit } from '../random'
import { drawPicture } from '../shapes/picture'
import { knownOf } from '../medicine/medicines'

const pictureName = (code: string) => `${code}.svg`

/** Drawn again each time: the same product gives the same bytes, so a half-finished folder does no harm. */
export async function writePictures(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'pictures')
  await mkdir(folder, { recursive: true })
  await Promise.all(
    catalogue.map(({ code, shape, paint }) => writeFile(join(folder, pictureName(code)), drawPicture(shape, paint))),
  )
}

/** The catalogue in its categories, as people typed it. @returns ids by product code */
export async function addProducts({ as }: Past, merchantIds: Ids): Promise<Ids> {
  const categories = new Map<string, number>()
  const ids = new Map<string, number>()
  for (const product of catalogue) {
    const merchantId = idOf(merchantIds, product.merchant)
    const tree = product.medicineClass === null ? ('goods' as const) : ('medicine' as const)
    const key = `${merchantId}/${tree}/${product.category}`
    const added = categories.get(key)
    const categoryId = added ?? (await as('admin', addCategory, { merchantId, tree, name: product.category })).id
    categories.set(key, categoryId)
    const { code, name, brand, specification, unit, manufacturer, medicineClass, costFen, priceFen } = product
    const about = { merchantId, categoryId, code, name, brand, specification, unit, manufacturer, costFen, priceFen }
    const typed = { ...about, picture: `/pictures/${pictureName(code)}`, shelfLifeDays: shelfLife[product.shelf] }
    const codes = [{ code: barcodeOf(product) }]
    const { id } =
      medicineClass === null
        ? await as('admin', addProduct, { ...typed, barcodes: codes })
        : await as('admin', addMedicine, { ...typed, barcodes: codes, medicineClass, ...knownOf(product) })
    ids.set(code, id)
  }
  return ids
}

const shelfLife: Record<DemoProduct['shelf'], number> = {
  drink: 360,
  snack: 270,
  daily: 1080,
  care: 1080,
  medicine: 730,
}

/** Of those that begin with 20: shops give them themselves, so that no real product has one of them. */
const barcodeOf = ({ code }: DemoProduct) => withCheckDigit(`20${String(seedOf(code)).padStart(10, '0')}`, isBarcode)
