import type { ShipmentRequest } from '@aisle/contract/partner/open'

export type Stocked = { code: string; product: string | null; stock: number }

/**
 * A slot for each piece. A slot that is named is taken as it is, and whether it may sell is decided with the order; a
 * product is taken from where most of it lies, piece by piece. @returns the product of which there is too little
 */
export function choosePieces(
  items: ShipmentRequest['items'],
  slots: readonly Stocked[],
): { codes: string[] } | { product: string } {
  const left = new Map(slots.map(({ code, stock }) => [code, stock]))
  const codes: string[] = []
  for (const item of items) {
    for (let piece = 0; piece < item.quantity; piece += 1) {
      const code = 'slot' in item ? item.slot : fullest(slots, left, item.product)
      if (code === undefined) return { product: 'product' in item ? item.product : '' }
      left.set(code, (left.get(code) ?? 0) - 1)
      codes.push(code)
    }
  }
  return { codes }
}

function fullest(slots: readonly Stocked[], left: ReadonlyMap<string, number>, product: string): string | undefined {
  const having = slots.filter((slot) => slot.product === product && (left.get(slot.code) ?? 0) > 0)
  having.sort((a, b) => (left.get(b.code) ?? 0) - (left.get(a.code) ?? 0))
  return having[0]?.code
}
