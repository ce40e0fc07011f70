import { isSaleLawful } from '@aisle/contract/catalog/product'
import { catalogue, type DemoProduct } from './catalogue'
import { bulky, shelvesOf } from '../data/places'
import type { Shelf } from '../data/catalog.types'
import type { DemoMachine } from './network'
import { type Random, randomFrom, seedOf } from '../random'

export type DemoSlot = ReturnType<typeof planSlot>

/** What stands where: lawful for the machine's licence, regional goods at home, kinds side by side. */
export function planSlots(machine: DemoMachine): DemoSlot[] {
  const random = randomFrom(seedOf(`${machine.code}/slots`))
  const total = machine.layers * machine.positions
  const products = shelvesOf[machine.category].flatMap(([shelf, share], index, all) => {
    const before = all.slice(0, index).reduce((sum, [, each]) => sum + each, 0)
    return chosen(random, machine, shelf, Math.round((before + share) * total) - Math.round(before * total))
  })
  return Array.from({ length: total }, (_, index) => planSlot(random, machine, index, products[index] ?? null))
}

function chosen(random: Random, machine: DemoMachine, shelf: Shelf, count: number): DemoProduct[] {
  const fits = catalogue.filter(
    (product) =>
      product.shelf === shelf &&
      (product.region === null || product.region === machine.point.region) &&
      isSaleLawful(machine.licenceMode, product.medicineClass),
  )
  const ranked = fits.map((product) => ({ product, rank: product.appeal * random.factor(0.35) }))
  ranked.sort((a, b) => b.rank - a.rank)
  // With more slots than products the best sellers stand twice.
  return Array.from({ length: count }, (_, index) => ranked[index % ranked.length]?.product)
    .filter((product) => product !== undefined)
    .sort((a, b) => a.code.localeCompare(b.code))
}

function planSlot(random: Random, machine: DemoMachine, index: number, product: DemoProduct | null) {
  const layer = Math.floor(index / machine.positions) + 1
  const position = (index % machine.positions) + 1
  const capacity = machine.capacity + random.between(-1, 2) - (product && bulky.has(product.shape) ? 2 : 0)
  const isBare = random.chance(0.0005)
  return {
    code: `${String.fromCharCode(64 + layer)}${String(position).padStart(2, '0')}`,
    layer,
    position,
    product: isBare ? null : product,
    capacity,
    alarmThreshold: capacity >= 7 ? 2 : 1,
    priceFen: isBare || !product || random.chance(0.0015) ? null : askedFen(machine, product),
    choice: choiceOf(random, machine),
    // The motor's code as the machine reports it: over-current, or timed out.
    fault: random.chance(0.002) ? random.pick(['102', '103']) : null,
  }
}

function choiceOf(random: Random, machine: DemoMachine): 'none' | 'stopped_sale' | 'reserved_only' {
  if (random.chance(0.003)) return 'stopped_sale'
  return machine.licenceMode === 'hospital' && random.chance(0.03) ? 'reserved_only' : 'none'
}

/** Stations and far places ask a little more for drinks and snacks, in steps of 50 fen; medicine costs the same. */
function askedFen(machine: DemoMachine, product: DemoProduct): number {
  if (product.medicineClass !== null || product.shelf === 'care') return product.priceFen
  const isDear = machine.point.kind === 'station' || machine.point.city === '拉萨市'
  const isCheap = machine.point.kind === 'campus' && product.priceFen >= 400
  return product.priceFen + (isDear ? 100 : isCheap ? -50 : 0)
}
