import type { Placeable, PlanSlot } from '@aisle/contract/planogram/slot'

type Slot = Pick<
  PlanSlot,
  | 'code'
  | 'productId'
  | 'productCode'
  | 'productName'
  | 'picture'
  | 'medicineClass'
  | 'priceFen'
  | 'capacity'
  | 'alarmThreshold'
  | 'choice'
  | 'isLocked'
>
export type Change = Partial<Omit<Slot, 'code'>>
/** What a person has changed and not saved yet, by slot. */
export type Draft = ReadonlyMap<string, Change>

const planned = ['productId', 'priceFen', 'capacity', 'alarmThreshold', 'choice', 'isLocked'] as const

/** The same wish for some slots; what is wished back to how it stands is no change any more. */
export function withChange<S extends Slot>(draft: Draft, slots: readonly S[], change: Change): Draft {
  const next = new Map(draft)
  for (const slot of slots) {
    const whole = { ...next.get(slot.code), ...change }
    if (planned.some((name) => name in whole && whole[name] !== slot[name])) next.set(slot.code, whole)
    else next.delete(slot.code)
  }
  return next
}

/** As the slot shall be. */
export const drafted = <S extends Slot>(slot: S, draft: Draft): S => ({ ...slot, ...draft.get(slot.code) })

/** Another product comes with its usual price; a slot that had one keeps its size. */
export const placing = (
  product: Pick<Placeable, 'id' | 'code' | 'name' | 'picture' | 'medicineClass' | 'priceFen'>,
) => ({
  productId: product.id,
  productCode: product.code,
  productName: product.name,
  picture: product.picture,
  medicineClass: product.medicineClass,
  priceFen: product.priceFen,
})

export const emptying: Change = {
  productId: null,
  productCode: null,
  productName: null,
  picture: null,
  medicineClass: null,
  priceFen: null,
}

/** What all of them have; undefined where they differ, or where there is none. */
export function common<S, K extends keyof S>(slots: readonly S[], name: K): S[K] | undefined {
  const [first] = slots
  return first && slots.every((slot) => slot[name] === first[name]) ? first[name] : undefined
}

export type Picked = { codes: ReadonlySet<string>; anchor: string | null }
export const nothingPicked: Picked = { codes: new Set(), anchor: null }

/** One by a press; one more, or one less, with Ctrl; all between with Shift. */
export function pick(
  picked: Picked,
  order: readonly string[],
  code: string,
  how: { isMore: boolean; isRange: boolean },
): Picked {
  if (how.isRange && picked.anchor !== null) {
    const [from, to] = [order.indexOf(picked.anchor), order.indexOf(code)].sort((a, b) => a - b)
    return { codes: new Set(order.slice(from, (to ?? 0) + 1)), anchor: picked.anchor }
  }
  if (!how.isMore) return { codes: new Set([code]), anchor: code }
  const codes = new Set(picked.codes)
  if (!codes.delete(code)) codes.add(code)
  return { codes, anchor: code }
}

/** A whole layer, or none of it where all of it was picked. */
export function pickAll(picked: Picked, codes: readonly string[]): Picked {
  const isWhole = codes.length > 0 && codes.every((code) => picked.codes.has(code))
  return { codes: new Set(isWhole ? [] : codes), anchor: codes[0] ?? null }
}

/** How many slots stand where between desired and reported. */
export function syncCounts(slots: readonly Pick<PlanSlot, 'sync'>[]): Record<PlanSlot['sync'], number> {
  const counts = { in_sync: 0, pending: 0, differs: 0, unknown: 0 }
  for (const { sync } of slots) counts[sync] += 1
  return counts
}

/** What is recommended for a picked slot comes before the rest, which keeps its order. */
export function recommendedFirst<P extends { recommendedFor: readonly string[] }>(
  products: readonly P[],
  picked: readonly string[],
): P[] {
  const isMeant = ({ recommendedFor }: P) => recommendedFor.some((code) => picked.includes(code))
  return [...products.filter(isMeant), ...products.filter((product) => !isMeant(product))]
}
