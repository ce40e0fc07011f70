import { z } from 'zod'

/** Whole fen (1/100 yuan). Never a float; yuan appear only at the edges that the specification fixes. */
export type Fen = number & { readonly __fen: unique symbol }

export function fen(n: number): Fen {
  if (!Number.isSafeInteger(n)) throw new RangeError(`not a whole number of fen: ${n}`)
  return n as Fen
}

/** The wallboard's push speaks yuan (spec §3, live push message); everything else speaks fen. */
export const yuan = (amount: number): number => amount / 100

export const sumFen = (amounts: readonly number[]): Fen => fen(amounts.reduce((sum, amount) => sum + amount, 0))

/** An amount in fen on the wire: a safe integer, up to 90 trillion yuan. */
export const zFen = z.int()
export const zFenPositive = z.int().nonnegative()

/** An entry before it is posted: `account` is its kind, and behind a colon what it is kept for. */
export const zMovement = z.object({
  account: z.string(),
  merchantName: z.string(),
  amountFen: zFen,
  /** What the account would hold then. */
  afterFen: zFen,
})
export type Movement = z.output<typeof zMovement>
