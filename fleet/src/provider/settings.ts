import type { Span } from '../random'

/** What may go wrong at a provider; as shipped nothing does. Shares are between 0 and 1. */
export type Mischief = {
  /** How long an answer and a notification take. */
  answerMs: Span
  notifyMs: Span
  /** Done, but never answered: the caller hears nothing. */
  silentShare: number
  /** Paid, but never told. */
  untoldShare: number
  /** Each notification is sent so often. */
  copies: number
  /** Signed notifications that say something else than the truth. */
  lie: 'amount' | 'merchant' | 'order' | null
  /** Notifications signed with a key of nobody. */
  isForging: boolean
  /** How refunds end, and how long they stay under way. */
  refundEnds: 'refunded' | 'abnormal' | 'closed'
  refundMs: Span
  /** WeChat's rule of one refund a minute. */
  limitsRefunds: boolean
  /** Why a receiver gets no share, and why one gives nothing back, by its account. */
  splitFails: Record<string, string>
  returnFails: Record<string, string>
  /** Every answer is signed with a key of nobody. */
  isAnswerForged: boolean
}

export const honest: Mischief = {
  answerMs: [0, 0],
  notifyMs: [0, 0],
  silentShare: 0,
  untoldShare: 0,
  copies: 1,
  lie: null,
  isForging: false,
  refundEnds: 'refunded',
  refundMs: [0, 0],
  limitsRefunds: false,
  splitFails: {},
  returnFails: {},
  isAnswerForged: false,
}

/** A difference that is put into a day's bill, for who compares. */
export type BillFault =
  | { kind: 'leaveOut' | 'twice'; no: string }
  | { kind: 'amount'; no: string; amountFen: number }
  | { kind: 'add'; provider: 'wechat' | 'alipay' | 'unionpay'; no: string; amountFen: number; atMs: number }
