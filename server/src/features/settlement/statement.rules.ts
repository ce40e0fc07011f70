import type { BillLine, FundLine } from '../payment/public'
import type { StatementLine } from './statement.store'

const tradeLine = (line: BillLine): StatementLine => ({
  kind: line.kind,
  attemptNo: line.attemptNo,
  refundNo: line.refundNo ?? '',
  channelNo: line.channelNo,
  amountFen: line.amountFen,
  feeFen: line.feeFen,
  balanceFen: null,
  at: line.at,
})

/** Both kinds of line, in one order whatever file they came in. */
export const statementLines = ({
  lines = [],
  funds = [],
}: {
  lines?: BillLine[]
  funds?: FundLine[]
}): StatementLine[] => [...lines.map(tradeLine), ...funds.map(fundLine)]

const fundLine = (line: FundLine): StatementLine => ({
  kind: fundKind(line.kind),
  attemptNo: '',
  refundNo: '',
  channelNo: line.reference,
  amountFen: line.amountFen,
  feeFen: 0,
  balanceFen: line.balanceFen,
  at: line.at,
})

/** The channels' words for what moved on the account; fees first, since their names hold the others' too. */
const words: readonly [RegExp, StatementLine['kind']][] = [
  [/手续费|服务费|收费|fee/i, 'fund_fee'],
  [/分账|分润|royalty|profit.?sharing/i, 'fund_split'],
  [/退款|refund/i, 'fund_refund'],
  [/提现|结算|划付|payout|withdraw/i, 'fund_payout'],
  [/交易|支付|收款|trade|payment/i, 'fund_payment'],
]
export const fundKind = (word: string): StatementLine['kind'] =>
  words.find(([pattern]) => pattern.test(word))?.[1] ?? 'fund_other'

/** A bill of another day was taken by mistake: not one line of it is of this one. */
export const isOfDay = (lines: readonly { at: Date }[], from: Date, to: Date): boolean =>
  lines.length === 0 || lines.some(({ at }) => at >= from && at < to)
