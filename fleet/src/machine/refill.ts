import { minuteOfDay } from './clock'
import { compose, record } from '../link/delivery'
import { sayDoor } from './chores'
import { moveStock, stockNote } from './motor'
import { hash32, spread } from '../random'
import { type Machine, type Slot, wallMs } from '../world'

const DAY_MS = 24 * 3_600_000
const FROM_MINUTE = 5 * 60
const WITHIN_MINUTES = 4 * 60

const HOUR_MS = 3_600_000
/** Of all that fits in: with less somebody comes the same hour, as after a storm or nights without power. */
const SCARCE = 0.3

/** Somebody comes once a day, between five and nine in the morning. */
export function scheduleRefills(machine: Machine): void {
  const atMinute = FROM_MINUTE + spread(machine.code, WITHIN_MINUTES)
  const nowMinute = minuteOfDay(wallMs(machine), machine.timeZone)
  const waitMs = ((atMinute - nowMinute + 24 * 60) % (24 * 60)) * 60_000
  const { wheel } = machine.world
  wheel.every(DAY_MS, () => void visit(machine), waitMs)
  wheel.every(HOUR_MS, () => isScarce(machine) && void visit(machine), spread(`${machine.code} scarce`, HOUR_MS))
}

function isScarce({ slots }: Machine): boolean {
  const own = slots.filter(({ product }) => product !== null)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
  return sum(own.map(({ stock }) => stock)) < SCARCE * sum(own.map(({ capacity }) => capacity))
}

/** Packs of the batch that its filler has, each scanned before it is put in; undefined for what has no codes. */
function medicineFor(machine: Machine, { code, product }: Slot, count: number) {
  const lot = machine.slots.find((slot) => slot.lot?.product === product)?.lot
  if (!lot) return undefined
  const digits = (nth: number) => {
    const about = `${machine.code}/${code}/${wallMs(machine)}/${nth}`
    return `${hash32(about)}${String(hash32(`${about}/end`) % 1_000).padStart(3, '0')}`.padStart(13, '0')
  }
  return { batch: lot.batch, traceCodes: Array.from({ length: count }, (_, nth) => lot.prefix + digits(nth)) }
}

/** Takes out what nobody may buy, counts a slot, then fills what is less than half full. */
export async function visit(machine: Machine): Promise<void> {
  const own = machine.slots.filter(({ product }) => product !== null)
  const counted = own[Math.floor(wallMs(machine) / DAY_MS) % own.length]
  const said = [
    ...own.flatMap((slot) => takeOut(machine, slot)),
    ...(counted ? [{ slot: counted, ...moved(machine, counted, 0), cause: 'count' as const }] : []),
    ...own.filter(({ stock, capacity }) => stock * 2 < capacity).map((slot) => fill(machine, slot)),
  ]
  if (said.length === 0) return
  const openMs = machine.world.settings.doorMs
  const messages = said.map(({ slot, ...about }) => {
    const data = { slot: slot.code, product: slot.product ?? '', user: 'filler', ...about }
    return compose(machine, 'stock.delta', data)
  })
  await sayDoor(machine, 'opened', { by: 'key' })
  await record(machine, messages, Object.assign({}, ...said.map(({ slot }) => stockNote(slot))))
  machine.world.wheel.after(openMs, () => {
    void sayDoor(machine, 'closed', { by: 'key', openSeconds: Math.round(openMs / 1000) })
  })
}

function moved(machine: Machine, slot: Slot, change: number) {
  const before = slot.stock
  moveStock(machine, slot, change)
  return { before, change, after: slot.stock }
}

/** What is past its day, and the piece that a motor crushed. */
function takeOut(machine: Machine, slot: Slot) {
  const { lapsed, fault, stock } = slot
  const pulled = Math.min(lapsed?.pieces ?? 0, stock)
  const crushed = fault !== null && stock > pulled ? 1 : 0
  slot.lapsed = null
  // Packs of before there were codes are taken out without them.
  slot.traceCodes = slot.traceCodes.slice(Math.max(0, slot.traceCodes.length - (stock - pulled - crushed)))
  return [
    ...(pulled > 0
      ? [{ slot, ...moved(machine, slot, -pulled), cause: 'expired' as const, batch: lapsed?.batch }]
      : []),
    ...(crushed > 0 ? [{ slot, ...moved(machine, slot, -crushed), cause: 'remove' as const }] : []),
  ]
}

function fill(machine: Machine, slot: Slot) {
  const change = slot.capacity - slot.stock
  const about = moved(machine, slot, change)
  const brought = medicineFor(machine, slot, change)
  slot.traceCodes = [...slot.traceCodes, ...(brought?.traceCodes ?? [])]
  return { slot, ...about, cause: 'fill' as const, ...brought }
}
