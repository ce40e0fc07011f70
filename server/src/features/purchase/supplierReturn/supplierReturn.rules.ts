export type Source = {
  receiptId: number
  line: number
  counted: number
  costFen: number
  /** By returns that stand. */
  returned: number
}
export type Taken = { receiptId: number; receiptLine: number; counted: number; quantity: number; costFen: number }

/**
 * Which receipts the pieces came on, in the order in which they are given, at what they had cost there: part by part
 * never more than all of a line, to the fen. Null where more goes back than came.
 */
export function takenFrom(sources: readonly Source[], quantity: number): Taken[] | null {
  const taken: Taken[] = []
  let left = quantity
  for (const source of sources) {
    const { receiptId, line: receiptLine, counted, returned } = source
    const pieces = Math.min(left, counted - returned)
    if (pieces <= 0) continue
    const costFen = costUpTo(source, returned + pieces) - costUpTo(source, returned)
    taken.push({ receiptId, receiptLine, counted, quantity: pieces, costFen })
    left -= pieces
  }
  return left === 0 ? taken : null
}

const costUpTo = ({ counted, costFen }: Source, pieces: number): number => Math.floor((costFen * pieces) / counted)
