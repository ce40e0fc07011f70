export { ASK_CHANNELS, openAttempts, payCodeOf } from './attempt.commands'
export {
  addPaidAttempt,
  type AttemptRow,
  claimAttempts,
  findAttempt,
  findOffers,
  isPaidTwice,
  lockAttempts,
  moveAttempt,
  moveToPaid,
  nextDueAt,
  recheckAttempt,
} from './attempt.store'
export { caseOfRefundNo, caseRefundNo, caseRefundNoOf } from './case.number'
export { channelOf, channelOfProvider, channelOfToken } from './channel/channel'
export type {
  Attempt,
  PaymentAnswer,
  PaymentNotice,
  RefundAnswer,
  RefundAsk,
  RefundNotice,
} from './channel/channel.types'
export { keepExchange } from './exchange.store'
export { isOfAccount } from './channel/notice.rules'
export type {
  SplitAnswer,
  SplitAsk,
  SplitReturnAnswer,
  SplitReturnAsk,
  SplitStepAnswer,
} from './channel/channel.types'
export { isReceiverOf, isSharing, nearestSplitRule } from './splitRule'
export type { Bill, BillLine, FundLine } from './channel/channel.types'
export { readUpload } from './bill/statement.upload'
