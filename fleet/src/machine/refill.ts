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

export async function refill(machine: Machine): Promise<void> {
  const low = machine.slots.filter((slot) => slot.product !== null && slot.stock * 2 < slot.capacity)
  if (low.length === 0) return
  const openMs = machine.world.settings.doorMs
  const messages = low.map((slot) => {
    const before = slot.stock
    const change = slot.capacity - before
    moveStock(machine, slot, change)
    const brought = medicineFor(machine, slot, change)
    slot.traceCodes = [...slot.traceCodes, ...(brought?.traceCodes ?? [])]
    const data = {
      slot: slot.code,
      product: slot.product ?? '',
      before,
      change,
      after: slot.stock,
      cause: 'fill' as const,
      user: 'filler',
      ...brought,
    }
    return compose(machine, 'stock.delta', data)
  })
  await sayDoor(machine, 'opened', { by: 'key' })
  await record(machine, messages, Object.assign({}, ...low.map(stockNote)))
  machine.world.wheel.after(openMs, () => {
    void sayDoor(machine, 'closed', { by: 'key', openSeconds: Math.round(openMs / 1000) })
  })
}
