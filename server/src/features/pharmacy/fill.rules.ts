import { fillItemState, type FillItemState, type PrescriptionState } from '@aisle/contract/pharmacy/states'
import type { MessageRefusal } from '@aisle/contract/device/messages'

/** A medicine of a prescription: `quantity` a use, the rest of all uses that were opened so far. */
export type FillLine = { productId: number; quantity: number; allowed: number; held: number; dispensed: number }

export type Fillable = {
  state: PrescriptionState
  expiresAt: Date
  /** What the pharmacist signed is what it says now. */
  isSigned: boolean
  uses: number
  usesOpened: number
  intervalDays: number
  lastDispensedAt: Date | null
  lines: readonly FillLine[]
}

/** What a customer wants: `isRx` can't be had without it, other medicines on it are taken off it where some is left. */
export type Wanted = { productId: number; isRx: boolean }

/** Of each wanted piece whether it is taken off the prescription; `opens`: the next use begins with it. */
export type FillDecision = { refused: MessageRefusal } | { refused: null; opens: boolean; isBound: boolean[] }

const DAY_MS = 86_400_000

/** Domain rules, section 3; goals M3 and M4. */
export function decideFill(prescription: Fillable | undefined, wanted: readonly Wanted[], now: Date): FillDecision {
  if (!prescription) return { refused: 'prescriptionUnknown' }
  const closed = closedBecause(prescription, now)
  if (closed) return { refused: closed }
  const { lines } = prescription
  const lineOf = new Map(lines.map((line) => [line.productId, line]))
  if (wanted.some(({ productId, isRx }) => isRx && !lineOf.has(productId))) return { refused: 'medicineNotNamed' }
  const packs = countOf(wanted.filter(({ isRx }) => isRx))
  const fits = (more: 0 | 1) =>
    [...packs].every(([productId, count]) => {
      const line = lineOf.get(productId)
      return line !== undefined && count <= atOnceOf(line, more)
    })
  if (fits(0)) return { refused: null, opens: false, isBound: boundOf(wanted, lines, 0) }
  if (!fits(1) || prescription.usesOpened >= prescription.uses) return { refused: 'prescriptionSpent' }
  // While it is not known what became of one use, no other begins.
  if (lines.some(({ held }) => held > 0)) return { refused: 'prescriptionSpent' }
  if (now.getTime() < nextUseMs(prescription)) return { refused: 'limitReached' }
  return { refused: null, opens: true, isBound: boundOf(wanted, lines, 1) }
}

function closedBecause({ state, expiresAt, isSigned }: Fillable, now: Date): MessageRefusal | null {
  if (state === 'dispensed') return 'prescriptionSpent'
  if (state === 'expired') return 'prescriptionExpired'
  if (state !== 'approved' || !isSigned) return 'prescriptionNotApproved'
  return now >= expiresAt ? 'prescriptionExpired' : null
}

/** What is left of uses comes before the next one: two uses are never had in one order, without the days between. */
const atOnceOf = (line: FillLine, more: 0 | 1): number => leftOf(line) || more * line.quantity

export const leftOf = ({ allowed, held, dispensed }: FillLine): number => allowed - held - dispensed

/** From when on the next use may begin; 0 where nothing has come out yet. */
export const nextUseMs = ({ lastDispensedAt, intervalDays }: Pick<Fillable, 'lastDispensedAt' | 'intervalDays'>) =>
  lastDispensedAt === null ? 0 : lastDispensedAt.getTime() + intervalDays * DAY_MS

function countOf(wanted: readonly Wanted[]): Map<number, number> {
  const packs = new Map<number, number>()
  for (const { productId } of wanted) packs.set(productId, (packs.get(productId) ?? 0) + 1)
  return packs
}

function boundOf(wanted: readonly Wanted[], lines: readonly FillLine[], more: 0 | 1): boolean[] {
  const left = new Map(lines.map((line) => [line.productId, atOnceOf(line, more)]))
  return wanted.map(({ productId }) => {
    const room = left.get(productId) ?? 0
    left.set(productId, room - 1)
    return room > 0
  })
}

/** What became of a piece; one that no machine has spoken of yet is neither out nor free (goals M10). */
export const settledState = (item: { isDispensed: boolean; isUnknown: boolean }): FillItemState =>
  item.isDispensed ? 'dispensed' : item.isUnknown ? 'unknown' : 'free'

type Counts = { held: number; dispensed: number; excess: number }

/**
 * What a piece's new state does to its line. A piece that is with the customer stays there. One that comes out after it
 * was let go takes what is left, or counts as excess where another order has had it meanwhile.
 */
export function countChange(from: FillItemState, to: FillItemState, left: number): Counts {
  const none = { held: 0, dispensed: 0, excess: 0 }
  const isHeld = (state: FillItemState) => fillItemState.is(state, 'heldStill')
  if (from === to) return none
  if (to === 'dispensed') {
    if (isHeld(from)) return { held: -1, dispensed: 1, excess: 0 }
    return left > 0 ? { ...none, dispensed: 1 } : { ...none, excess: 1 }
  }
  // What was let go is not taken hold of again: somebody else may have it by now.
  return isHeld(from) && to === 'free' ? { ...none, held: -1 } : none
}

/** A step that `countChange` ignores leaves the piece as it is. */
export const nextState = (from: FillItemState, to: FillItemState): FillItemState =>
  from === 'dispensed' || (from === 'free' && to !== 'dispensed') ? from : to

/** Nothing of it is left. */
export const isSpent = ({ uses, lines }: { uses: number; lines: readonly FillLine[] }): boolean =>
  lines.every(({ quantity, dispensed }) => dispensed >= quantity * uses)

/** What may be had on it now: the packs of each medicine, of the use that is open or of the one that would begin. */
export function offerOf(prescription: Fillable | undefined, now: Date): { refused: MessageRefusal } | FillOffer {
  if (!prescription) return { refused: 'prescriptionUnknown' }
  const closed = closedBecause(prescription, now)
  if (closed) return { refused: closed }
  const { lines, uses, usesOpened } = prescription
  const open = lines
    .map((line) => ({ productId: line.productId, packs: leftOf(line) }))
    .filter(({ packs }) => packs > 0)
  if (open.length > 0) return { refused: null, medicines: open }
  if (usesOpened >= uses || lines.some(({ held }) => held > 0)) return { refused: 'prescriptionSpent' }
  if (now.getTime() < nextUseMs(prescription)) return { refused: 'limitReached' }
  return { refused: null, medicines: lines.map(({ productId, quantity }) => ({ productId, packs: quantity })) }
}
export type FillOffer = { refused: null; medicines: { productId: number; packs: number }[] }
