import { z } from 'zod'
import type { Services } from '../../../kernel/context'
import { readAlipayBill } from './alipay.bill'
import { alipayNotification } from './alipay.notification'
import { provenMember, withSign } from './alipay.sign'
import { alipaySplits } from './alipay.splits'
import { ownTrouble } from './alipay.trouble'
import type { Attempt, Channel, PaymentAnswer, RefundAnswer, RefundAsk } from './channel.types'
import { chinaStamp, fromChina } from './chinaTime.rules'
import type { ExchangeKind } from '../exchange.store'
import { readJson } from './read'
import type { Heard, Wire } from './wire'
import { fromYuan, toYuan } from './yuan.rules'

export type AlipayParameters = {
  gateway: string
  appId: string
  /** Number of who collects (PID), 16 digits. */
  sellerId: string
  privateKey: string
  alipayKey: string
  notifyUrl: string
}

/** `code` is the channel's own word, the finer one where there are two. */
export type Answer = { isProven: boolean; isOk: boolean; code: string | null; body: unknown }
export type Ask = (kind: ExchangeKind, reference: string, method: string, content: object) => Promise<Answer | null>

/** Alipay's gateway, version 1.0, RSA2. Amounts are yuan there and fen everywhere else. */
export function alipayChannel(wire: Wire, parameters: AlipayParameters, { clock }: Pick<Services, 'clock'>): Channel {
  const ask = asker(wire, parameters, clock.now)
  const query = async ({ attemptNo, expiresAt }: Attempt) => {
    const answer = await ask('query', attemptNo, 'alipay.trade.query', { out_trade_no: attemptNo })
    return paymentOf(answer, clock.now() > expiresAt)
  }
  return {
    provider: 'alipay',
    payee: payeeOf(parameters),
    offer: async (attempt) => {
      const isScanned = attempt.authCode !== undefined
      const offered = isScanned ? await pay(ask, attempt) : await precreate(ask, parameters, attempt)
      // Asked again after it was paid: only the query says how much and when.
      return offered.code === 'ACQ.TRADE_HAS_SUCCESS' ? query(attempt) : offered
    },
    query,
    close: (attempt) => close(ask, attempt, query),
    refund: (each) => refund(ask, each),
    queryRefund: (each) => queryRefund(ask, each),
    splits: alipaySplits(ask, parameters),
    readNotification: (_, rawBody) => alipayNotification(parameters, rawBody),
    replyTo: (isTaken) => ({ status: 200, type: 'text/plain', body: isTaken ? 'success' : 'failure' }),
    bill: (day) => readAlipayBill(wire, ask, day),
  }
}

export const payeeOf = ({ appId, sellerId }: AlipayParameters): string => [appId, sellerId].join('/')

function asker(wire: Wire, parameters: AlipayParameters, now: () => Date): Ask {
  const { gateway, appId, privateKey, alipayKey, notifyUrl } = parameters
  return async (kind, reference, method, content) => {
    const common = {
      app_id: appId,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: chinaStamp(now()),
      version: '1.0',
      ...(kind === 'offer' && notifyUrl ? { notify_url: notifyUrl } : {}),
      biz_content: JSON.stringify(content),
    }
    const body = new URLSearchParams(withSign(common, privateKey)).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8', accept: 'application/json' }
    const member = (heard: Heard) => provenMember(heard.body.toString('utf8'), method, alipayKey)
    const judge = (heard: Heard) => {
      const text = member(heard)
      if (text === null) return 'forged'
      return isOk(readJson(text)) ? 'answered' : 'refused'
    }
    const heard = await wire({ kind, reference, method: 'POST', url: gateway, headers, body }, judge)
    if (!heard) return null
    const text = member(heard)
    // What is not proven is shown to people and believed by nobody.
    const read = readJson(text ?? heard.body.toString('utf8'))
    return { isProven: text !== null, isOk: isOk(read), code: codeOf(read), body: read }
  }
}

const isOk = (body: unknown): boolean => z.object({ code: z.literal('10000') }).safeParse(body).success

function codeOf(body: unknown): string | null {
  const shape = z.object({ code: z.string(), sub_code: z.string().optional() })
  const parsed = shape.safeParse(body)
  const inner = parsed.success ? parsed : z.object({ error_response: shape }).safeParse(body)
  if (!inner.success) return null
  const found = 'error_response' in inner.data ? inner.data.error_response : inner.data
  return (found.sub_code ?? found.code).slice(0, 64)
}

const nothing = { channelNo: null, paidFen: null, paidAt: null, payUrl: null, code: null }

/** What is to be shared stays frozen until it is. */
const frozen = ({ isShared }: Attempt) => (isShared ? { extend_params: { royalty_freeze: 'true' } } : {})

async function precreate(ask: Ask, { sellerId }: AlipayParameters, attempt: Attempt): Promise<PaymentAnswer> {
  const { attemptNo, amountFen, title, expiresAt } = attempt
  const answer = await ask('offer', attemptNo, 'alipay.trade.precreate', {
    out_trade_no: attemptNo,
    total_amount: toYuan(amountFen),
    subject: title,
    ...(sellerId ? { seller_id: sellerId } : {}),
    time_expire: chinaStamp(expiresAt),
    ...frozen(attempt),
  })
  const given = z.object({ qr_code: z.string().min(1) }).safeParse(answer?.body)
  if (answer?.isProven && answer.isOk && given.success) {
    return { ...nothing, outcome: 'waiting', payUrl: given.data.qr_code }
  }
  return { ...nothing, outcome: refusedFor(answer), code: answer?.code ?? null }
}

async function pay(ask: Ask, attempt: Attempt): Promise<PaymentAnswer> {
  const { attemptNo, amountFen, title, authCode } = attempt
  const answer = await ask('offer', attemptNo, 'alipay.trade.pay', {
    out_trade_no: attemptNo,
    total_amount: toYuan(amountFen),
    subject: title,
    scene: 'bar_code',
    auth_code: authCode,
    ...frozen(attempt),
  })
  if (!answer?.isProven) return { ...nothing, outcome: 'unknown', code: answer?.code ?? null }
  if (answer.isOk)
    return paymentOf({ ...answer, body: { ...Object(answer.body), trade_status: 'TRADE_SUCCESS' } }, false)
  // 10003: the customer is typing a password. 20000 and SYSTEM_ERROR say nothing about the money.
  if (answer.code === '10003') return { ...nothing, outcome: 'waiting', code: answer.code }
  return { ...nothing, outcome: refusedFor(answer), code: answer.code }
}

const refusedFor = (answer: Answer | null): 'closed' | 'unknown' =>
  answer?.isProven && answer.code && !ownTrouble.test(answer.code) ? 'closed' : 'unknown'

const trade = z.object({
  trade_no: z.string().optional(),
  trade_status: z.string(),
  total_amount: z.string().optional(),
  send_pay_date: z.string().optional(),
  gmt_payment: z.string().optional(),
})

function paymentOf(answer: Answer | null, isOver: boolean): PaymentAnswer {
  if (!answer?.isProven) return { ...nothing, outcome: 'unknown', code: answer?.code ?? null }
  // A trade begins when the customer scans the code; after `time_expire` nobody can any more.
  if (answer.code === 'ACQ.TRADE_NOT_EXIST') {
    return { ...nothing, outcome: isOver ? 'closed' : 'waiting', code: answer.code }
  }
  const parsed = trade.safeParse(answer.body)
  if (!answer.isOk || !parsed.success) return { ...nothing, outcome: 'unknown', code: answer.code }
  const { trade_status: code, trade_no: channelNo = null, total_amount, send_pay_date, gmt_payment } = parsed.data
  const known = { ...nothing, channelNo, code }
  if (code === 'WAIT_BUYER_PAY') return { ...known, outcome: 'waiting' }
  const at = fromChina(send_pay_date ?? gmt_payment ?? '')
  // Closed with a time of payment was paid and has gone back in whole.
  if (code === 'TRADE_CLOSED' && !at) return { ...known, outcome: 'closed' }
  return { ...known, outcome: 'paid', paidFen: total_amount ? fromYuan(total_amount) : null, paidAt: at }
}

/**
 * Only what nobody has paid is closed: `close` refuses the rest, where `cancel` would pay it back behind our books.
 * A payment with the customer's own code whose end nobody knows is cancelled, as Alipay asks for.
 */
async function close(ask: Ask, attempt: Attempt, query: Channel['query']): Promise<PaymentAnswer> {
  const before = await query(attempt)
  if (before.outcome === 'paid' || before.outcome === 'closed') return before
  const method = attempt.authCode === undefined ? 'alipay.trade.close' : 'alipay.trade.cancel'
  const answer = await ask('close', attempt.attemptNo, method, { out_trade_no: attempt.attemptNo })
  if (answer?.isProven && answer.isOk) return { ...nothing, outcome: 'closed' }
  return query(attempt)
}

/** Refusals after which the same number may be tried again; the rest wants a person. */
const passing = new Set([
  'ACQ.SELLER_BALANCE_NOT_ENOUGH',
  'ACQ.REFUND_ACCOUNT_NOT_EXIST',
  'ACQ.DISCORDANT_REPEAT_REQUEST',
])

async function refund(ask: Ask, { refundNo, attempt, amountFen, reason }: RefundAsk): Promise<RefundAnswer> {
  const answer = await ask('refund', refundNo, 'alipay.trade.refund', {
    out_trade_no: attempt.attemptNo,
    refund_amount: toYuan(amountFen),
    out_request_no: refundNo,
    refund_reason: reason.slice(0, 128),
  })
  const code = answer?.code ?? null
  if (!answer?.isProven || (code && ownTrouble.test(code))) return { outcome: 'unknown', channelRefundNo: null, code }
  if (!answer.isOk) {
    return { outcome: code && passing.has(code) ? 'failed' : 'needs_handling', channelRefundNo: null, code }
  }
  const parsed = z
    .object({ fund_change: z.string().optional(), trade_no: z.string().optional() })
    .safeParse(answer.body)
  const moved = parsed.success && parsed.data.fund_change === 'Y'
  const channelRefundNo = parsed.success ? (parsed.data.trade_no ?? null) : null
  // Without `fund_change` the call worked and says nothing of the money: also when the number was used before.
  return { outcome: moved ? 'refunded' : 'accepted', channelRefundNo, code: moved ? 'FUND_CHANGE_Y' : 'FUND_CHANGE_N' }
}

async function queryRefund(ask: Ask, { refundNo, attempt }: RefundAsk): Promise<RefundAnswer> {
  const content = { out_trade_no: attempt.attemptNo, out_request_no: refundNo }
  const answer = await ask('query_refund', refundNo, 'alipay.trade.fastpay.refund.query', content)
  const code = answer?.code ?? null
  if (!answer?.isProven || (code && ownTrouble.test(code))) return { outcome: 'unknown', channelRefundNo: null, code }
  const shape = z.object({ refund_status: z.string().optional(), trade_no: z.string().optional() })
  const parsed = shape.safeParse(answer.body)
  const status = answer.isOk && parsed.success ? (parsed.data.refund_status ?? null) : null
  const channelRefundNo = parsed.success ? (parsed.data.trade_no ?? null) : null
  // Nothing came of it there: the same number may be tried again.
  return { outcome: status === 'REFUND_SUCCESS' ? 'refunded' : 'failed', channelRefundNo, code: status ?? code }
}
