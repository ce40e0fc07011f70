export { ASK_CHANNELS, openAttempts, payCodeOf } from './attempt.commands'
export {
  type AttemptRow,
  claimAttempts,
  findAttempt,
  findOffers,
  isPaidTwice,
  keepUnclaimed,
  lockAttempt,
  moveAttempt,
  nextDueAt,
  recheckAttempt,
} from './attempt.store'
export { caseOfRefundNo, caseRefundNo, caseRefundNoOf } from './case.number'
export { channelOf, channelOfProvider, channelOfToken } from './channel'
export type {
  Attempt,
  PaymentAnswer,
  Payer,
  PaymentNotice,
  RefundAnswer,
  RefundAsk,
  RefundNotice,
} from './channel.types'
export { keepExchange } from './exchange.store'
export { isOfAccount } from './notice.rules'
export type { Bill, BillLine, FundLine } from './channel.types'
export { readUpload } from './statement.upload'
