import { addDays } from '../kernel/businessDay'
import { type DemoDay, HOUR_MS } from './calendar'
import type { DemoFill } from './history'
import type { DemoMachine } from './network'
import type { DemoSlot } from './planogram'
import { type Random, randomFrom, seedOf } from './random'

export type Shelving = {
  /** Pieces in each slot, never below 0. */
  stock: number[]
  fills: DemoFill[]
  /** When the replenisher comes that day; null when nobody does. */
  visitOn: (day: DemoDay) => number | null
  fill: (atMs: number, day: DemoDay) => void
  /** One piece out; with `stays` it jams and stays where it is. Answers the batch it came from. */
  take: (slot: number, stays: boolean) => string | null
}

type Lot = { batch: string | null; left: number }

/**
 * Every so many days somebody tops up what has gone down; the oldest batch leaves first. One machine in eight lies
 * far off the route: there the shelves show gaps.
 */
export function stockShelves(machine: DemoMachine, slots: readonly DemoSlot[], random: Random): Shelving {
  const isFarOff = random.chance(0.13)
  const every = isFarOff ? random.between(17, 28) : random.between(6, 9)
  const turn = random.between(0, every - 1)
  const visitMs = random.between(6 * 60, 15 * 60) * 60_000
  const stock = slots.map(() => 0)
  const lots: Lot[][] = slots.map(() => [])
  const fills: DemoFill[] = []
  let isOpen = false

  const add = (slot: number, quantity: number, atMs: number, day: DemoDay) => {
    const product = slots[slot]?.product
    if (!product || quantity <= 0) return
    const batch = product.medicineClass === null ? null : batchOf(product.code, day)
    stock[slot] = (stock[slot] ?? 0) + quantity
    lots[slot]?.push({ batch, left: quantity })
    fills.push({ slot, quantity, batch, atMs, day: day.day })
  }
  const fill = (atMs: number, day: DemoDay) => {
    for (const [index, { capacity, product }] of slots.entries()) {
      const present = stock[index] ?? 0
      if (!product || present > capacity * 0.62 || isShort(machine, product.code, day)) continue
      if (!isFarOff || random.chance(0.8)) add(index, capacity - present, atMs, day)
    }
  }
  return {
    stock,
    fills,
    fill,
    visitOn: (day) => {
      if (!isOpen) {
        isOpen = true
        for (const [index, { capacity }] of slots.entries()) {
          add(index, Math.ceil(capacity * (0.7 + random.next() * 0.3)), day.startMs + HOUR_MS / 2, day)
        }
      }
      return (day.daysAgo + turn) % every === 0 ? day.startMs + visitMs : null
    },
    take: (slot, stays) => {
      const lot = lots[slot]?.find((each) => each.left > 0)
      if (stays || !lot) return lot?.batch ?? null
      lot.left -= 1
      stock[slot] = (stock[slot] ?? 0) - 1
      return lot.batch
    },
  }
}

/** A product that a region's warehouse lacks for a fortnight stays empty wherever it runs out. */
function isShort(machine: DemoMachine, productCode: string, day: DemoDay): boolean {
  const fortnight = Math.floor(day.startMs / (14 * 24 * HOUR_MS))
  return randomFrom(seedOf(`${machine.merchant}/${productCode}/${fortnight}`)).chance(0.008)
}

/** The batch on the way in that month: made a few months before, on a day of the product's own. */
export function batchOf(productCode: string, day: DemoDay): string {
  const line = seedOf(productCode)
  const made = addDays(`${day.day.slice(0, 8)}01`, -(70 + (line % 90)))
  return `${made.slice(2).replaceAll('-', '')}${String((line % 8) + 1).padStart(2, '0')}`
}
