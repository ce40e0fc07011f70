import type { Slot } from './slotPlanogram'

type Counted = Pick<Slot, 'stock' | 'capacity' | 'alarmThreshold'>

/** Shelves from the top as the cabinet stands, each from the left. */
export function layersOf<S extends { layer: number; position: number }>(slots: readonly S[]) {
  const layers = [...new Set(slots.map(({ layer }) => layer))].sort((a, b) => a - b)
  return layers.map((layer) => ({
    layer,
    slots: slots.filter((slot) => slot.layer === layer).sort((a, b) => a.position - b.position),
  }))
}

/** Pieces that fit in where something stands; a slot that a count has yet to correct below zero is empty. */
export const missingPieces = (slots: readonly (Counted & Pick<Slot, 'productId'>)[]): number =>
  slots
    .filter(({ productId }) => productId !== null)
    .reduce((sum, { stock, capacity }) => sum + Math.max(0, capacity - Math.max(0, stock)), 0)

/** What the goods inside would sell for, in fen. */
export const worthFen = (slots: readonly Pick<Slot, 'stock' | 'priceFen'>[]): number =>
  slots.reduce((sum, { stock, priceFen }) => sum + Math.max(0, stock) * (priceFen ?? 0), 0)

/** As gaps are counted: nothing left, at or below the slot's own threshold, or enough. */
export function stockTone({ stock, alarmThreshold }: Counted): 'bad' | 'warn' | 'good' {
  if (stock <= 0) return 'bad'
  return stock <= alarmThreshold ? 'warn' : 'good'
}

type Goods = Pick<Slot, 'code' | 'productCode' | 'productName' | 'picture' | 'stock' | 'capacity'>
export type Stocked = {
  code: string
  name: string
  picture: string | null
  stock: number
  capacity: number
  slots: readonly string[]
}

/** A product over all its slots; what is emptiest for its room first. */
export function stockByProduct(slots: readonly Goods[]): Stocked[] {
  const products = new Map<string, Stocked>()
  for (const { code: slot, productCode, productName, picture, stock, capacity } of slots) {
    if (productCode === null) continue
    const before = products.get(productCode)
    products.set(productCode, {
      code: productCode,
      name: productName ?? productCode,
      picture,
      stock: (before?.stock ?? 0) + Math.max(0, stock),
      capacity: (before?.capacity ?? 0) + capacity,
      slots: [...(before?.slots ?? []), slot],
    })
  }
  const share = ({ stock, capacity }: Stocked) => (capacity > 0 ? stock / capacity : 1)
  return [...products.values()].sort((a, b) => share(a) - share(b) || a.code.localeCompare(b.code))
}
