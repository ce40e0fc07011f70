import type { Provider } from '@aisle/contract/payment/states'

/** What is asked of a channel and what it answers, the same for every provider. Money is whole fen. */

/** An attempt as channels need it. `askedAt` is when it was first offered; UnionPay names an attempt by it, too. */
export type Attempt = {
  /** 8 to 32 letters and digits: what every provider takes. */
  attemptNo: string
  amountFen: number
  title: string
  askedAt: Date
  expiresAt: Date
  /** Known once the channel has said it. */
  channelNo: string | null
  paidAt: Date | null
  /** Others share in it: the channel freezes it until it is told how, or that nobody does. */
  isShared?: boolean
  /** The customer's own payment code, where the machine has read one; else the customer scans ours. */
  authCode?: string
}

/** `unknown`: silence, or an answer that can't be trusted; only a query or the bill ends it. */
export type PaymentAnswer = {
  outcome: 'waiting' | 'paid' | 'closed' | 'unknown'
  channelNo: string | null
  paidFen: number | null
  paidAt: Date | null
  /** What the customer scans. */
  payUrl: string | null
  /** Where the provider names who paid. */
  payer?: Payer
  /** The channel's own word for it, for the person who looks into it. */
  code: string | null
}

/**
 * @property askedAt when it was first asked for: a retry says the same again
 * @property channelRefundNo where an earlier answer gave it
 */
export type RefundAsk = {
  /** 8 to 32 letters and digits: what every provider takes. */
  refundNo: string
  attempt: Attempt
  amountFen: number
  reason: string
  askedAt: Date
  channelRefundNo?: string | null
}

/**
 * `accepted`: on its way, a query says how it ended. `failed`: nothing moved, the same number may be tried again.
 * `needs_handling`: the channel wants a person.
 */
export type RefundAnswer = {
  outcome: 'accepted' | 'refunded' | 'failed' | 'unknown' | 'needs_handling'
  channelRefundNo: string | null
  code: string | null
}

/** The customer by the name that one app has for them: nobody else's app knows it. */
export type Payer = { appId: string; openId: string }

/** A notification whose signature is right; everything in it is still to be compared with our row. */
export type PaymentNotice = {
  about: 'payment'
  attemptNo: string
  outcome: 'paid' | 'waiting' | 'closed'
  channelNo: string
  amountFen: number
  currency: string
  paidAt: Date | null
  /** Who the money went to, in the form of `Channel.payee`. */
  payee: string
  payer?: Payer
}
export type RefundNotice = {
  about: 'refund'
  refundNo: string
  attemptNo: string
  outcome: 'refunded' | 'failed' | 'needs_handling'
  channelRefundNo: string | null
  amountFen: number
  /** Where the provider names by itself whose refund it is, in the form of `Channel.payee`. */
  payee?: string
}
/** `forged`: not signed by the provider, or too old. `unreadable`: signed, and not about a payment or refund. */
export type Notification = PaymentNotice | RefundNotice | { about: 'forged' | 'unreadable'; reason: string }

/** A line of a day's statement; `feeFen` is what the channel kept. Refunds carry both numbers. */
export type BillLine = {
  kind: 'payment' | 'refund'
  attemptNo: string
  refundNo: string | null
  channelNo: string
  amountFen: number
  feeFen: number
  at: Date
}
/** Money that moved on the account that day, as the fund bill has it; positive came in. */
export type FundLine = { kind: string; reference: string; amountFen: number; balanceFen: number | null; at: Date }
/** As it came, for the one who keeps it: `hash` is SHA-256 of the bytes, in hex. A `bill` holds lines and funds. */
export type BillFile = { kind: 'trade' | 'funds' | 'bill'; name: string; content: Buffer; hash: string }
/** `notReady`: made later in the day, or nothing of that day; `unknown`: silence, or a file that isn't what it says. */
export type Bill =
  | { outcome: 'ready'; files: BillFile[]; lines: BillLine[]; funds: FundLine[] }
  | { outcome: 'notReady' | 'unknown'; code: string | null }

/** What a provider wants to hear to a notification: taken, or send it again. */
export type NoticeReply = { status: number; type: string; body: string }

/** Who shares in orders, as the channel names it; `name` is what its owner is called there. */
export type SplitReceiver = { type: 'merchant_no' | 'openid' | 'user_id' | 'login'; account: string; name: string }
export type SplitShare = { receiver: SplitReceiver; amountFen: number }

/** @property splitNo 8 to 32 letters and digits; the same number is the same request however often it is made */
export type SplitAsk = { splitNo: string; attempt: Attempt; shares: readonly SplitShare[]; reason: string }

/**
 * `taken`: on its way or over, by share. `refused`: nothing moved, and under this number nothing will. `notFound`: the
 * number was never heard of. A share that is `failed` came back to who was to share.
 */
export type SplitAnswer = {
  outcome: 'taken' | 'refused' | 'notFound' | 'unknown'
  shares: readonly { account: string; amountFen: number; outcome: 'waiting' | 'done' | 'failed'; code: string | null }[]
  code: string | null
}
/** `over`: nothing moved under this number and nothing will; another may be tried. `refused`: no number will help. */
export type SplitReturnAnswer = { outcome: 'done' | 'waiting' | 'over' | 'refused' | 'unknown'; code: string | null }
export type SplitStepAnswer = { outcome: 'done' | 'refused' | 'unknown'; code: string | null }
export type SplitReturnAsk = { returnNo: string; splitNo: string; share: SplitShare; reason: string }

/** Sharing an order's money with others at the channel, after it was asked for as shared. */
export type Splits = {
  /** Makes a receiver known or forgotten; known twice is known. @param asReference of our records */
  bind: (receiver: SplitReceiver, isBound: boolean, asReference: string) => Promise<SplitStepAnswer>
  split: (ask: SplitAsk) => Promise<SplitAnswer>
  querySplit: (ask: SplitAsk) => Promise<SplitAnswer>
  /** What is left over is its merchant's; afterwards nothing of the order is shared any more. */
  finishSplit: (ask: Omit<SplitAsk, 'shares'>) => Promise<SplitStepAnswer>
  /** Back from a receiver. Null where the channel takes each receiver's part back with the refund itself. */
  returnSplit: ((ask: SplitReturnAsk) => Promise<SplitReturnAnswer>) | null
}

/**
 * One provider account behind one type. Calls end in time and never throw for what the other side does; none may run
 * inside a transaction.
 */
export type Channel = {
  provider: Provider
  /** Whose money it is at the channel: our application and the merchant's number there. */
  payee: string
  offer: (attempt: Attempt) => Promise<PaymentAnswer>
  query: (attempt: Attempt) => Promise<PaymentAnswer>
  /** `closed`: can't be paid any more; `paid`: it was paid after all. */
  close: (attempt: Attempt) => Promise<PaymentAnswer>
  refund: (ask: RefundAsk) => Promise<RefundAnswer>
  queryRefund: (ask: RefundAsk) => Promise<RefundAnswer>
  /** Null where the channel shares nothing. */
  splits: Splits | null
  readNotification: (headers: Readonly<Record<string, string>>, rawBody: string, now: Date) => Notification
  replyTo: (isTaken: boolean) => NoticeReply
  /** @param day of the channel's own calendar, `2026-11-21` */
  bill: (day: string) => Promise<Bill>
}
