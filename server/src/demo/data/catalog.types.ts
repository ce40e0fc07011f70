import type { MedicineClass } from '@aisle/contract/catalog/product'
import type { RegionKey } from './merchants'

/** What is drawn (pictures) and, for medicines, how the box is marked. */
export type Shape =
  | 'water'
  | 'bottle'
  | 'can'
  | 'carton'
  | 'cup'
  | 'bowl'
  | 'bag'
  | 'pouch'
  | 'bar'
  | 'box'
  | 'kit'
  | 'jar'
  | 'tissue'
  | 'mask'
  | 'pump'
  | 'gadget'
  | 'umbrella'
  | 'toothbrush'
  | 'capsules'
  | 'tablets'
  | 'sachets'
  | 'syrup'
  | 'tube'
  | 'drops'
  | 'plaster'

/** How a product sells over the year. */
export type Season = 'even' | 'cold' | 'warm' | 'flu' | 'summer' | 'spring' | 'rain' | 'winter'

/** Which machines carry a product. */
export type Shelf = 'drink' | 'snack' | 'daily' | 'care' | 'medicine'

/** Name, brand, specification, cost, price (fen), main colour, second colour, words on the pack, how well it sells. */
export type GoodsLine = readonly [
  name: string,
  brand: string,
  specification: string,
  costFen: number,
  priceFen: number,
  main: string,
  second: string,
  label: string,
  appeal: number,
]

export type GoodsGroup = {
  prefix: string
  category: string
  shelf: Shelf
  shape: Shape
  season: Season
  unit: string
  manufacturer: string
  /** Only where the region's operator sells it; then it is the operator's own product, else the platform's. */
  region?: RegionKey
  lines: readonly GoodsLine[]
}

export type MedicineLine = readonly [
  name: string,
  medicineClass: MedicineClass,
  specification: string,
  costFen: number,
  priceFen: number,
  main: string,
  second: string,
  appeal: number,
]

export type MedicineGroup = {
  prefix: string
  category: string
  shape: Shape
  season: Season
  unit: string
  manufacturer: string
  lines: readonly MedicineLine[]
}
