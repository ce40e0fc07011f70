import { entry, moving, type Posting } from '../../ledger/public'

/** A hundredth of what is expected is change that was rounded, or a coin that stuck. */
const USUAL_SHARE = 0.01

/** Off by so much that somebody has to look. */
export const isOff = (expectedFen: number, countedFen: number, toleranceFen: number): boolean =>
  Math.abs(countedFen - expectedFen) > Math.max(toleranceFen, expectedFen * USUAL_SHARE)

type Box = { merchantId: number; machineCode: string }

/** Out of the machine into somebody's hand; below 0 back into it. */
export const takenPostings = ({ merchantId, machineCode }: Box, fen: number): Posting[] =>
  moving([
    entry('cash_in_transit', merchantId, machineCode, fen),
    entry('cash_in_machine', merchantId, machineCode, -fen),
  ])

/** Out of the cash room to the bank; what the bank took less or more the merchant has lost or won. */
export const bankedPostings = (
  merchantId: number,
  { countedFen, amountFen }: { countedFen: number; amountFen: number },
): Posting[] =>
  moving([
    entry('bank', merchantId, 'cash_deposit', amountFen),
    entry('cash_counted', merchantId, '', -countedFen),
    entry('loss', merchantId, 'cash_difference', countedFen - amountFen),
  ])

/** What was counted is there, and the merchant has lost or won the rest. */
export const settledPostings = (
  { merchantId, machineCode }: Box,
  { expectedFen, countedFen }: { expectedFen: number; countedFen: number },
): Posting[] =>
  moving([
    entry('cash_counted', merchantId, '', countedFen),
    entry('cash_in_transit', merchantId, machineCode, -expectedFen),
    entry('loss', merchantId, 'cash_difference', expectedFen - countedFen),
  ])
