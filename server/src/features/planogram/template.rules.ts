import { unlawfulBecause, type MedicineClass } from '@aisle/contract/catalog/product'
import type { ApplyOutcome, templateSettings } from '@aisle/contract/planogram/apply'

type LicenceMode = Parameters<typeof unlawfulBecause>[0]

/** A slot as a template wants it. */
export type Line = {
  layer: number
  position: number
  productId: number | null
  medicineClass: MedicineClass | null
  priceFen: number | null
  capacity: number
  alarmThreshold: number
}

/** A slot as a machine has it. */
export type Standing = Omit<Line, 'medicineClass'> & {
  id: number
  code: string
  /** Pieces inside that are of another product than the template's. */
  held: number
  /** By an excursion or a recall: who may judge its goods has not done so. */
  isHeld: boolean
  /** An order still waits for goods from it. */
  isAwaited: boolean
}

export type TemplateDiff = {
  added: Line[]
  removed: Standing[]
  changed: { slot: Standing; line: Line; isReplaced: boolean }[]
  /** How many of the changed have another price. */
  prices: number
}

const placeOf = ({ layer, position }: { layer: number; position: number }) => `${layer}/${position}`

/** Slots are matched by where they are, whatever they are called. */
export function diffTemplate(lines: readonly Line[], slots: readonly Standing[]): TemplateDiff {
  const wanted = new Map(lines.map((line) => [placeOf(line), line]))
  const standing = new Set(slots.map(placeOf))
  const changed = slots.flatMap((slot) => {
    const line = wanted.get(placeOf(slot))
    if (!line || isSame(slot, line)) return []
    return [{ slot, line, isReplaced: slot.productId !== line.productId }]
  })
  return {
    added: lines.filter((line) => !standing.has(placeOf(line))),
    removed: slots.filter((slot) => !wanted.has(placeOf(slot))),
    changed,
    prices: changed.filter(({ slot, line }) => slot.priceFen !== line.priceFen).length,
  }
}

const compared = ['productId', 'priceFen', 'capacity', 'alarmThreshold'] as const
const isSame = (slot: Standing, line: Line) => compared.every((field) => slot[field] === line[field])

type Facts = {
  licenceMode: LicenceMode
  isRetired: boolean
  /** Whether the machine's merchant may sell all products of the template. */
  maySellAll: boolean
  settings: readonly (typeof templateSettings)[number][]
  /** What the template sets and what the machine keeps would be a range that begins above its end. */
  hasWrongRange: boolean
}

/**
 * How an application to one machine ends: it changes, is the same already, or is refused as a whole, by the first of
 * these reasons. Half a template is none.
 */
export function outcomeOf(
  facts: Facts,
  lines: readonly Line[],
  diff: TemplateDiff,
  removeContents: boolean,
): { outcome: ApplyOutcome; refused: ({ code: string } | { layer: number; position: number })[] } {
  if (facts.isRetired) return { outcome: 'retired', refused: [] }
  if (!facts.maySellAll) return { outcome: 'foreignProduct', refused: [] }
  if (facts.hasWrongRange) return { outcome: 'wrongRange', refused: [] }
  const unlawful = lines.filter(({ medicineClass }) => unlawfulBecause(facts.licenceMode, medicineClass) !== null)
  if (unlawful.length > 0) return { outcome: 'unlawful', refused: unlawful }
  const emptied = [...diff.removed, ...diff.changed.filter(({ isReplaced }) => isReplaced).map(({ slot }) => slot)]
  const awaited = emptied.filter(({ isAwaited }) => isAwaited)
  if (awaited.length > 0) return { outcome: 'waitsForOrder', refused: awaited }
  const held = emptied.filter((slot) => slot.held > 0 && (slot.isHeld || !removeContents))
  if (held.length > 0) return { outcome: 'holdsStock', refused: held }
  const changes = diff.added.length + diff.removed.length + diff.changed.length + facts.settings.length
  return { outcome: changes > 0 ? 'changes' : 'same', refused: [] }
}

export type Settings = {
  flowAlarmMb: number | null
  temperatureMinC: number | null
  temperatureMaxC: number | null
  humidityMin: number | null
  humidityMax: number | null
  thermostat: unknown
}

/** A template may set one end of a range; the other is the machine's own. */
export function wrongRange(template: Settings, machine: Settings): boolean {
  const rises = (low: keyof Settings, high: keyof Settings) => {
    const from = template[low] ?? machine[low]
    const to = template[high] ?? machine[high]
    return typeof from !== 'number' || typeof to !== 'number' || from < to
  }
  return !rises('temperatureMinC', 'temperatureMaxC') || !rises('humidityMin', 'humidityMax')
}

const settingFields: Record<(typeof templateSettings)[number], readonly (keyof Settings)[]> = {
  flowAlarmMb: ['flowAlarmMb'],
  temperature: ['temperatureMinC', 'temperatureMaxC'],
  humidity: ['humidityMin', 'humidityMax'],
  thermostat: ['thermostat'],
}

/** Settings that the template says and the machine has otherwise; what it leaves open stays. */
export function changedSettings(template: Settings, machine: Settings): (typeof templateSettings)[number][] {
  const names = Object.keys(settingFields) as (typeof templateSettings)[number][]
  return names.filter((name) =>
    settingFields[name].some((field) => template[field] !== null && !isEqual(template[field], machine[field])),
  )
}

/** PostgreSQL keeps the keys of a jsonb in an order of its own. */
function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => isEqual(Reflect.get(a, key), Reflect.get(b, key)))
}
