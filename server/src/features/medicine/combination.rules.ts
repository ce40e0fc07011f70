import { isSaleLawful, type MedicineClass } from '@aisle/contract/catalog/product'
import { type Finding, findingKinds } from '@aisle/contract/medicine/combination'

export type Piece = {
  productId: number
  name: string
  medicineClass: MedicineClass | null
  ingredients: readonly string[]
  limitGroup: string | null
  /** Packs of the group that one person may have; null where nothing limits it. */
  limitPacks: number | null
  quantity: number
}
export type Pair = readonly [string, string]

const isBoth = (one: Piece, other: Piece, [a, b]: Pair) =>
  (one.ingredients.includes(a) && other.ingredients.includes(b)) ||
  (one.ingredients.includes(b) && other.ingredients.includes(a))

/** What speaks against having these together, and what the law makes of the whole; worst first. */
export function findingsOf(pieces: readonly Piece[], pairs: readonly Pair[]): Finding[] {
  const meeting = pieces.flatMap((one, at) => pieces.slice(at + 1).flatMap((other) => meetingOf(one, other, pairs)))
  const found = [...meeting, ...limitsOf(pieces), ...lawOf(pieces)]
  return found.sort((a, b) => findingKinds.indexOf(a.kind) - findingKinds.indexOf(b.kind))
}

function meetingOf(one: Piece, other: Piece, pairs: readonly Pair[]): Finding[] {
  const names = { name: one.name, other: other.name }
  const same = one.ingredients.find((each) => other.ingredients.includes(each))
  const pair = pairs.find((each) => isBoth(one, other, each))
  return [
    ...(same ? [{ kind: 'ingredientTwice' as const, facts: { ...names, substance: same } }] : []),
    ...(pair ? [{ kind: 'pair' as const, facts: { ...names, substances: pair.join(' + ') } }] : []),
  ]
}

function limitsOf(pieces: readonly Piece[]): Finding[] {
  const groups = new Map<string, Piece[]>()
  for (const piece of pieces) {
    if (piece.limitGroup !== null) groups.set(piece.limitGroup, [...(groups.get(piece.limitGroup) ?? []), piece])
  }
  return [...groups.values()].map((own): Finding => {
    const name = own.map((each) => each.name).join(', ')
    const packs = own.reduce((sum, { quantity }) => sum + quantity, 0)
    const max = own[0]?.limitPacks ?? null
    const isOver = max !== null && packs > max
    return isOver
      ? { kind: 'overLimit', facts: { name, packs: `${packs}`, max: `${max}` } }
      : { kind: 'limited', facts: { name } }
  })
}

function lawOf(pieces: readonly Piece[]): Finding[] {
  const namesOf = (of: readonly Piece[]) => of.map(({ name }) => name).join(', ')
  const rx = pieces.filter(({ medicineClass }) => medicineClass === 'rx')
  if (rx.length > 0) return [{ kind: 'prescription', facts: { name: namesOf(rx) } }]
  const bound = pieces.filter(({ medicineClass }) => !isSaleLawful('retail', medicineClass))
  return bound.length > 0 ? [{ kind: 'hospitalOnly', facts: { name: namesOf(bound) } }] : []
}

export type Offered = {
  id: number
  name: string
  priceFen: number
  items: readonly { productId: number; quantity: number }[]
}
type Wanted = { productId: number; askedFen: number }
/** Of the pieces of an order those that are the set, with what each costs then. */
export type SetPrice = { set: Offered; pieces: { at: number; afterFen: number }[] }

/**
 * The set by which an order costs least: all of its pieces are there, and together they would cost more. Its price is
 * parted by what each piece would have cost, to the fen, and no piece gets dearer.
 */
export function setPriceOf(wanted: readonly Wanted[], offered: readonly Offered[]): SetPrice | null {
  const fitting = offered.flatMap((set) => {
    const places = placesOf(wanted, set)
    const fullFen = places?.reduce((sum, at) => sum + (wanted[at]?.askedFen ?? 0), 0) ?? 0
    return places && fullFen > set.priceFen ? [{ set, places, savedFen: fullFen - set.priceFen, fullFen }] : []
  })
  const [best] = fitting.sort((a, b) => b.savedFen - a.savedFen || a.set.id - b.set.id)
  if (!best) return null
  const { set, places, fullFen } = best
  let before = 0
  const pieces = places.map((at) => {
    const from = before
    before += wanted[at]?.askedFen ?? 0
    const part = (to: number) => Math.floor((to * set.priceFen) / fullFen)
    return { at, afterFen: part(before) - part(from) }
  })
  return { set, pieces }
}

/** Where in the order the pieces of the set are; null where one is missing. */
function placesOf(wanted: readonly Wanted[], { items }: Offered): number[] | null {
  const places: number[] = []
  for (const { productId, quantity } of items) {
    const own = wanted.flatMap((each, at) => (each.productId === productId ? [at] : []))
    if (own.length < quantity) return null
    places.push(...own.slice(0, quantity))
  }
  return places.sort((a, b) => a - b)
}
