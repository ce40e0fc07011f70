import { minuteOfDay } from './clock'
import { compose, record } from '../link/delivery'
import { moveStock, stockNote } from './motor'
import { spread } from '../random'
import { type Machine, wallMs } from '../world'

const DAY_MS = 24 * 3_600_000
const FROM_MINUTE = 5 * 60
const WITHIN_MINUTES = 4 * 60

const HOUR_MS = 3_600_000
/** Of all that fits in: with less somebody comes the same hour, as after a storm or nights without power. */
const SCARCE = 0.3

/** Somebody comes once a day, between five and nine in the morning, and fills what is less than half full. */
export function scheduleRefills(machine: Machine): void {
  const atMinute = FROM_MINUTE + spread(machine.code, WITHIN_MINUTES)
  const nowMinute = minuteOfDay(wallMs(machine), machine.timeZone)
  const waitMs = ((atMinute - nowMinute + 24 * 60) % (24 * 60)) * 60_000
  const { wheel } = machine.world
  wheel.every(DAY_MS, () => void refill(machine), waitMs)
  wheel.every(HOUR_MS, () => isScarce(machine) && void refill(machine), spread(`${machine.code} scarce`, HOUR_MS))
}

function isScarce({ slots }: Machine): boolean {
  const own = slots.filter(({ product }) => product !== null)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
  return sum(own.map(({ stock }) => stock)) < SCARCE * sum(own.map(({ capacity }) => capacity))
}

export async function refill(machine: Machine): Promise<void> {
  const low = machine.slots.filter((slot) => slot.product !== null && slot.stock * 2 < slot.capacity)
  if (low.length === 0) return
  const messages = low.map((slot) => {
    const before = slot.stock
    const change = slot.capacity - before
    moveStock(machine, slot, change)
    const data = {
      slot: slot.code,
      product: slot.product ?? '',
      before,
      change,
      after: slot.stock,
      cause: 'fill' as const,
      user: 'filler',
    }
    return compose(machine, 'stock.delta', data)
  })
  await record(machine, messages, Object.assign({}, ...low.map(stockNote)))
}
