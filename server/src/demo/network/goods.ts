import { isBarcode } from '@aisle/contract/catalog/barcode'
import { addCategory } from '@aisle/contract/catalog/category'
import { addProduct } from '@aisle/contract/catalog/product'
import { addMedicine } from '@aisle/contract/medicine/medicine'
import type { Files } from '../../kernel/files/store'
import { keepsDays } from '../data/places'
import type { Past } from '../life/within'
import { catalogue, type DemoProduct } from './catalogue'
import { seedOf, withCheckDigit } from '../random'
import { drawPicture } from '../shapes/picture'
import { knownOf } from '../medicine/medicines'

const pictureName = (code: string) => `${code}.svg`

/** Drawn again each time: the same product gives the same bytes, so a half-finished folder does no harm. */
export async function writePictures(files: Files): Promise<void> {
  const keep = ({ code, shape, paint }: DemoProduct) =>
    files.keep('pictures', pictureName(code), Buffer.from(drawPicture(shape, paint)))
  await Promise.all(catalogue.map(keep))
}

/** The catalogue in its categories, as people typed it. */
export async function addProducts({ as, ids, idOf }: Past): Promise<void> {
  const categories = new Map<string, number>()
  for (const product of catalogue) {
    const merchantId = idOf('merchant', product.merchant)
    const tree = product.medicineClass === null ? ('goods' as const) : ('medicine' as const)
    const key = `${merchantId}/${tree}/${product.category}`
    const added = categories.get(key)
    const categoryId = added ?? (await as('admin', addCategory, { merchantId, tree, name: product.category })).id
    categories.set(key, categoryId)
    const { code, name, brand, specification, unit, manufacturer, medicineClass, costFen, priceFen } = product
    const about = { merchantId, categoryId, code, name, brand, specification, unit, manufacturer, costFen, priceFen }
    const typed = { ...about, picture: `/pictures/${pictureName(code)}`, shelfLifeDays: keepsDays[product.shelf] }
    const barcodes = [{ code: barcodeOf(product) }]
    const { id } =
      medicineClass === null
        ? await as('admin', addProduct, { ...typed, barcodes })
        : await as('admin', addMedicine, { ...typed, barcodes, medicineClass, ...knownOf(product) })
    ids.product.set(code, id)
  }
}

/** Of those that begin with 20: shops give them themselves, so that no real product has one of them. */
const barcodeOf = ({ code }: DemoProduct) => withCheckDigit(`20${String(seedOf(code)).padStart(10, '0')}`, isBarcode)
