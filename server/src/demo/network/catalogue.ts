import type { MedicineClass } from '@aisle/contract/catalog/product'
import type { Season, Shape, Shelf } from '../data/catalog.types'
import { daily } from '../data/daily'
import { drinks } from '../data/drinks'
import { medicines } from '../data/medicines'
import { ownerOf, PLATFORM, type RegionKey } from '../data/merchants'
import { snacks } from '../data/snacks'
import type { Mark, Paint } from '../shapes/kit'

export type DemoProduct = {
  code: string
  /** The owner: the platform's standard catalogue, or the operator of the one region that sells it. */
  merchant: string
  region: RegionKey | null
  name: string
  brand: string
  category: string
  specification: string
  unit: string
  manufacturer: string
  medicineClass: MedicineClass | null
  costFen: number
  priceFen: number
  shelf: Shelf
  season: Season
  /** How well it sells beside its neighbours, 1 to 10. */
  appeal: number
  shape: Shape
  paint: Paint
}

const marks: Record<MedicineClass, Mark> = { otc_a: 'OTC 甲', otc_b: 'OTC 乙', rx: 'Rx' }
const codeOf = (prefix: string, index: number) => `${prefix}${String(index + 1).padStart(3, '0')}`

const goods = [...drinks, ...snacks, ...daily].flatMap(({ prefix, lines, region, ...group }): DemoProduct[] =>
  lines.map(([name, brand, specification, costFen, priceFen, main, second, label, appeal], index) => ({
    ...group,
    code: codeOf(prefix, index),
    merchant: region ? ownerOf(region, 'operator') : PLATFORM,
    region: region ?? null,
    name,
    brand,
    specification,
    costFen,
    priceFen,
    medicineClass: null,
    appeal,
    paint: { main, second, label, brand, name, mark: null },
  })),
)

const remedies = medicines.flatMap(({ prefix, lines, ...group }): DemoProduct[] =>
  lines.map(([name, medicineClass, specification, costFen, priceFen, main, second, appeal], index) => {
    const brand = group.manufacturer.slice(0, 2)
    return {
      ...group,
      code: codeOf(prefix, index),
      merchant: PLATFORM,
      region: null,
      name,
      brand,
      specification,
      costFen,
      priceFen,
      medicineClass,
      shelf: 'medicine',
      appeal,
      paint: { main, second, label: name.slice(0, 4), brand, name, mark: marks[medicineClass] },
    }
  }),
)

export const catalogue: readonly DemoProduct[] = [...goods, ...remedies]
