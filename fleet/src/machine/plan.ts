import { planNote, setsNote, toldVersion } from './memory'
import { stockNote, stockSince } from './motor'
import { type Machine, type Slot, slotOf } from '../world'

type Data = Record<string, unknown>
type Told = Pick<
  Slot,
  'code' | 'product' | 'priceFen' | 'struckFen' | 'memberFen' | 'capacity' | 'isStopped' | 'isMedicine'
> & {
  locked: boolean
  counted: Counted | null
}
/** What a person found in the slot, and when. */
type Counted = { pieces: number; atMs: number }

/** @returns what to write down, or why it is refused; a plan is taken whole or not at all */
export function takePlan(machine: Machine, { slots, version, sets }: Data): Record<string, unknown> | string {
  const told = Array.isArray(slots) ? slots.map(slotIn) : []
  if (told.length === 0 || told.some((slot) => slot === null)) return 'malformed'
  const next = told.flatMap((slot) => (slot ? [slotFor(machine, slot)] : []))
  machine.slots.splice(0, machine.slots.length, ...next)
  const notes = told.flatMap((slot, i) => (slot?.counted && next[i] ? [stockNote(next[i])] : []))
  const toldPlan = planNote(machine.plan, typeof version === 'number' ? version : 0, next)
  return Object.assign(toldPlan, takeSets(machine, sets), ...notes)
}

/** Sets that it offers from now on, as one order each; where nothing is said of them they stay. */
function takeSets(machine: Machine, told: unknown): Record<string, unknown> {
  if (!Array.isArray(told)) return {}
  machine.sets = told.map((set) => {
    const { items = [] } = Object(set) as { items?: { product: string; pieces: number }[] }
    return items.flatMap(({ product, pieces }) => Array.from({ length: pieces }, () => product))
  })
  return setsNote(machine.sets)
}

/** What lies in a slot stays there; another product has to be filled in by a hand. */
function slotFor(machine: Machine, { locked, counted, ...told }: Told): Slot {
  const known = slotOf(machine, told.code)
  if (known) {
    const held = known.product === told.product ? known.stock : 0
    const stock = counted ? stockSince(known, counted) : held
    const { traceCodes, lapsed } = known.product === told.product ? known : { traceCodes: [], lapsed: null }
    return Object.assign(known, { ...told, stock, traceCodes, lapsed, isLocked: locked, closedUntilMs: 0 })
  }
  const counters = { traceCodes: [], lapsed: null, sold: 0, soldFen: 0, soldCashFen: 0 }
  const stock = counted?.pieces ?? 0
  const fresh = { stock, plannedStock: stock, fault: null, isLocked: locked, closedUntilMs: 0, moves: [], ...counters }
  return { ...told, ...fresh }
}

function slotIn(value: unknown): Told | null {
  const {
    code,
    product = null,
    priceFen = null,
    capacity,
    choice,
    locked,
    medicine,
    struckFen = null,
    memberFen = null,
    counted: said,
  } = Object(value) as Record<string, unknown>
  const isSlot = typeof code === 'string' && Number.isSafeInteger(capacity)
  const isFilled = (product === null || typeof product === 'string') && (priceFen === null || isPrice(priceFen))
  const counted = countedIn(said)
  if (!isSlot || !isFilled || counted === null) return null
  const isStopped = choice === 'stopped_sale'
  const shown = { priceFen, struckFen: priceIn(struckFen), memberFen: priceIn(memberFen) }
  const plan = { code, product, ...shown, capacity: Number(capacity), isStopped, isMedicine: medicine === true }
  return { ...plan, locked: locked === true, counted: counted ?? null }
}

/** @returns null for what can't be read, undefined where the slot was not counted */
function countedIn(value: unknown): Counted | null | undefined {
  if (value === undefined) return undefined
  const { pieces, at } = Object(value) as Record<string, unknown>
  const atMs = typeof at === 'string' ? Date.parse(at) : Number.NaN
  return isPrice(pieces) && !Number.isNaN(atMs) ? { pieces, atMs } : null
}

const isPrice = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const priceIn = (value: unknown): number | null => (isPrice(value) ? value : null)

export function takePrices(machine: Machine, { prices, sets }: Data): Record<string, unknown> | string {
  if (!Array.isArray(prices)) return 'malformed'
  const told = prices.map((each) => Object(each) as Record<'slot' | 'priceFen' | 'struckFen' | 'memberFen', unknown>)
  const changes = told.map(({ slot, priceFen, struckFen, memberFen }) => ({
    slot: slotOf(machine, String(slot)),
    priceFen,
    struckFen: priceIn(struckFen),
    memberFen: priceIn(memberFen),
  }))
  if (changes.some(({ slot }) => !slot)) return 'unknownSlot'
  if (changes.some(({ priceFen }) => priceFen !== null && !isPrice(priceFen))) return 'malformed'
  for (const { slot, ...shown } of changes) {
    if (slot) Object.assign(slot, { ...shown, closedUntilMs: 0 })
  }
  return { ...planNote(machine.plan, toldVersion(machine), machine.slots), ...takeSets(machine, sets) }
}

export function lockSlots(machine: Machine, { slots }: Data, isLocked: boolean): Record<string, unknown> | string {
  if (!Array.isArray(slots) || slots.length === 0) return 'malformed'
  const named = slots.map((code) => slotOf(machine, String(code)))
  if (named.some((slot) => !slot)) return 'unknownSlot'
  for (const slot of named) if (slot) slot.isLocked = isLocked
  return planNote(machine.plan, toldVersion(machine), machine.slots)
}
