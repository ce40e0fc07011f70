import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { addProduct } from '@aisle/contract/catalog/product'

type Typed = Pick<InputOf<typeof addProduct>, 'producedOn' | 'bestBefore' | 'barcodes'>
export type Wrong = { code: 'product.dates' | 'product.barcodeTwice'; field: 'bestBefore' | 'barcodes' }

/** What of a product contradicts itself, typed in the form or in a sheet. */
export function wrongOf({ producedOn, bestBefore, barcodes }: Typed): Wrong[] {
  const wrong: Wrong[] = []
  if (producedOn && bestBefore && bestBefore < producedOn) wrong.push({ code: 'product.dates', field: 'bestBefore' })
  if (new Set(barcodes.map(({ code }) => code)).size < barcodes.length)
    wrong.push({ code: 'product.barcodeTwice', field: 'barcodes' })
  return wrong
}
