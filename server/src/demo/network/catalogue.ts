import type { MedicineClass } from '@aisle/contract/catalog/product'
import { daily } from '../data/daily'
import { drinks } from '../data/drinks'
import { medicines } from '../data/medicines'
import { ownerOf, PLATFORM } from '../data/merchants'
import { snacks } from '../data/snacks'
import type { Mark } from '../shapes/kit'

const marks: Record<MedicineClass, Mark> = { otc_a: 'OTC 甲', otc_b: 'OTC 乙', rx: 'Rx' }
const codeOf = (prefix: string, index: number) => `${prefix}${String(index + 1).padStart(3, '0')}`

const goods = [...drinks, ...snacks, ...daily].flatMap(({ prefix, lines, region, ...group }) =>
  lines.map(([name, brand, specification, costFen, priceFen, main, second, label, appeal], index) => ({
    ...group,
    code: codeOf(prefix, index),
    /** The owner: the platform's standard catalogue, or the operator of the one region that sells it. */
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

const remedies = medicines.flatMap(({ prefix, lines, ...group }) =>
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
      shelf: 'medicine' as const,
      appeal,
      paint: { main, second, label: name.slice(0, 4), brand, name, mark: marks[medicineClass] },
    }
  }),
)

export const catalogue = [...goods, ...remedies]
export type DemoProduct = (typeof catalogue)[number]
