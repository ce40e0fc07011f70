import { unlawfulBecause, type MedicineClass, type UnlawfulReason } from '@aisle/contract/catalog/product'
import { MOST_SLOTS, slotCode } from '@aisle/contract/fleet/layout'
import type { WantedSlot } from '@aisle/contract/planogram/slot'
import type { SlotRow } from './slot.store'

type LicenceMode = Parameters<typeof unlawfulBecause>[0]
type Planned = Pick<SlotRow, 'productId' | 'priceFen' | 'capacity' | 'alarmThreshold' | 'choice' | 'isLocked'>
const fields = ['productId', 'priceFen', 'capacity', 'alarmThreshold', 'choice', 'isLocked'] as const

export const planOf = ({ productId, priceFen, capacity, alarmThreshold, choice, isLocked }: Planned): Planned => ({
  productId,
  priceFen,
  capacity,
  alarmThreshold,
  choice,
  isLocked,
})

/** Which parts of a slot's plan are to be others than they are. */
export const changedFields = (now: Planned, wanted: Planned): (typeof fields)[number][] =>
  fields.filter((field) => now[field] !== wanted[field])

export type SlotDecision = {
  /** What stands from now on; null where it stays as it is. */
  plan: Planned | null
  /** What waits for its filler. */
  next: { productId: number; priceFen: number | null; capacity: number } | null
  /** Another product, or none, stands here from now on: what lies in it has to go. */
  isReplaced: boolean
}

/**
 * What a wish comes to. At the next service: another product waits with its price and size until it is filled in, all
 * else applies now; a slot that shall have no product has nothing to wait for.
 */
export function decideSlot(now: Planned, wanted: Planned, when: 'now' | 'nextService'): SlotDecision {
  const isOther = wanted.productId !== now.productId
  const { productId, priceFen, capacity } = wanted
  const next = when === 'nextService' && isOther && productId !== null ? { productId, priceFen, capacity } : null
  const current = next
    ? { ...planOf(wanted), productId: now.productId, priceFen: now.priceFen, capacity: now.capacity }
    : planOf(wanted)
  return {
    plan: changedFields(now, current).length > 0 ? current : null,
    next,
    isReplaced: isOther && next === null,
  }
}

/** Slots whose product the licence mode forbids, each with the reason: the law of slot, template, push and order. */
export function unlawfulSlots<S extends { medicineClass: MedicineClass | null }>(
  mode: LicenceMode,
  slots: readonly S[],
): { slot: S; reason: UnlawfulReason }[] {
  return slots.flatMap((slot) => {
    const reason = unlawfulBecause(mode, slot.medicineClass)
    return reason ? [{ slot, reason }] : []
  })
}

/** Prices alone can be told without the rest of the plan. */
export const isOnlyPrices = (changes: readonly (readonly string[])[]): boolean =>
  changes.length > 0 && changes.every((names) => names.every((name) => name === 'priceFen'))

/** The first free positions of a layer, from the left; null when they are not enough. */
export function freePositions(
  slots: readonly { layer: number; position: number }[],
  layer: number,
  count: number,
): number[] | null {
  const taken = new Set(slots.filter((slot) => slot.layer === layer).map(({ position }) => position))
  const free = Array.from({ length: MOST_SLOTS }, (_, i) => i + 1).filter((position) => !taken.has(position))
  return free.length < count ? null : free.slice(0, count)
}

/** A code that the machine has no slot of yet: people may have named its slots otherwise. */
export function freeCode(taken: ReadonlySet<string>, layer: number, position: number): string {
  const usual = slotCode(layer, position)
  const codes = [usual, ...Array.from({ length: 100 }, (_, i) => `${usual}-${i + 2}`)]
  return codes.find((code) => !taken.has(code)) ?? usual
}

/** Rows that somebody saved since they were read. */
export const staleSlots = <S extends { code: string; version: number }>(
  rows: readonly S[],
  wanted: readonly Pick<WantedSlot, 'code' | 'version'>[],
): S[] => {
  const read = new Map(wanted.map(({ code, version }) => [code, version]))
  return rows.filter(({ code, version }) => read.has(code) && read.get(code) !== version)
}
