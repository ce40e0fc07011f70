import { planNote, toldVersion } from './memory'
import { type Machine, type Slot, slotOf } from './world'

type Data = Record<string, unknown>
type Told = { code: string; product: string | null; priceFen: number | null; capacity: number; locked: boolean }

/** @returns what to write down, or why it is refused; a plan is taken whole or not at all */
export function takePlan(machine: Machine, { slots, version }: Data): Record<string, unknown> | string {
  const told = Array.isArray(slots) ? slots.map(slotIn) : []
  if (told.length === 0 || told.some((slot) => slot === null)) return 'malformed'
  const next = told.flatMap((slot) => (slot ? [slotFor(machine, slot)] : []))
  machine.slots.splice(0, machine.slots.length, ...next)
  return planNote(machine.plan, typeof version === 'number' ? version : 0, next)
}

/** What lies in a slot stays there; another product has to be filled in by a hand. */
function slotFor(machine: Machine, { locked, ...told }: Told): Slot {
  const known = slotOf(machine, told.code)
  if (known) {
    const stock = known.product === told.product ? known.stock : 0
    return Object.assign(known, { ...told, stock, isLocked: locked, closedUntilMs: 0 })
  }
  const counters = { sold: 0, soldFen: 0, soldCashFen: 0 }
  return { ...told, stock: 0, plannedStock: 0, fault: null, isLocked: locked, closedUntilMs: 0, ...counters }
}

function slotIn(value: unknown): Told | null {
  const { code, product = null, priceFen = null, capacity, locked } = Object(value) as Record<string, unknown>
  const isSlot = typeof code === 'string' && Number.isSafeInteger(capacity)
  const isFilled = (product === null || typeof product === 'string') && (priceFen === null || isPrice(priceFen))
  if (!isSlot || !isFilled) return null
  return { code, product, priceFen, capacity: Number(capacity), locked: locked === true }
}

const isPrice = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

export function takePrices(machine: Machine, { prices }: Data): Record<string, unknown> | string {
  if (!Array.isArray(prices)) return 'malformed'
  const told = prices.map((each) => Object(each) as { slot?: unknown; priceFen?: unknown })
  const changes = told.map(({ slot, priceFen }) => ({ slot: slotOf(machine, String(slot)), priceFen }))
  if (changes.some(({ slot }) => !slot)) return 'unknownSlot'
  if (changes.some(({ priceFen }) => priceFen !== null && !isPrice(priceFen))) return 'malformed'
  for (const { slot, priceFen } of changes) {
    if (slot) Object.assign(slot, { priceFen, closedUntilMs: 0 })
  }
  return planNote(machine.plan, toldVersion(machine), machine.slots)
}

export function lockSlots(machine: Machine, { slots }: Data, isLocked: boolean): Record<string, unknown> | string {
  if (!Array.isArray(slots) || slots.length === 0) return 'malformed'
  const named = slots.map((code) => slotOf(machine, String(code)))
  if (named.some((slot) => !slot)) return 'unknownSlot'
  for (const slot of named) if (slot) slot.isLocked = isLocked
  return planNote(machine.plan, toldVersion(machine), machine.slots)
}
