import { z } from 'zod'
import type { Services } from '../../../kernel/context'
import type { Attempt, Channel, PaymentAnswer, RefundAnswer, RefundAsk } from './channel.types'
import { chinaIso } from './chinaTime.rules'
import { readJson } from './read'
import { readWechatBill } from './wechat.bill'
import { wechatNotification } from './wechat.notification'
import { payerFields, payerOf } from './wechat.payer'
import { authorization, distrust } from './wechat.sign'
import { wechatSplits } from './wechat.splits'
import type { ExchangeKind } from '../exchange.store'
import { type Heard, nonce, type Wire } from './wire'

export type WechatParameters = {
  gateway: string
  appId: string
  mchId: string
  /** Of the sub-merchant whose service provider we are, '' where `mchId` collects itself. */
  subMchId: string
  serial: string
  privateKey: string
  apiKey: string
  platformSerial: string
  platformKey: string
  notifyUrl: string
}

/** A body that its signature holds for, or only what the other side calls its trouble. */
export type Answer = { isProven: boolean; status: number; body: unknown; code: string | null }
export type Speak = (kind: ExchangeKind, reference: string, path: string, body?: unknown) => Promise<Answer | null>

/** WeChat Pay API v3 over its own HTTP: the protocol is small, and what was said stays whole for the records. */
export function wechatChannel(wire: Wire, parameters: WechatParameters, { clock }: Pick<Services, 'clock'>): Channel {
  const speak = speaker(wire, parameters, clock.now)
  const query = async ({ attemptNo }: Attempt) => {
    const path = `${payPath(parameters)}/out-trade-no/${attemptNo}?${queryOf(mch(parameters))}`
    return paymentOf(await speak('query', attemptNo, path))
  }
  return {
    provider: 'wechat',
    payee: payeeOf(parameters),
    offer: async (attempt) => {
      const offered = await offer(speak, parameters, attempt)
      // Asked again after it was paid: only the query says how much and when.
      return offered.code === 'ORDERPAID' ? query(attempt) : offered
    },
    query,
    close: async (attempt) => {
      const path = `${payPath(parameters)}/out-trade-no/${attempt.attemptNo}/close`
      const answer = await speak('close', attempt.attemptNo, path, mch(parameters))
      if (answer?.isProven && answer.status === 204) return { ...nothing, outcome: 'closed' }
      // Paid in the meantime, or closed before: the query says which.
      return query(attempt)
    },
    refund: (ask) => refund(speak, parameters, ask),
    queryRefund: async ({ refundNo }) => {
      const sub = parameters.subMchId ? `?${queryOf({ sub_mchid: parameters.subMchId })}` : ''
      return refundOf(await speak('query_refund', refundNo, `/v3/refund/domestic/refunds/${refundNo}${sub}`))
    },
    splits: wechatSplits(speak, parameters),
    readNotification: (headers, rawBody, now) => wechatNotification(parameters, headers, rawBody, now),
    replyTo: (isTaken) => ({
      status: isTaken ? 200 : 500,
      type: 'application/json',
      body: JSON.stringify(isTaken ? { code: 'SUCCESS' } : { code: 'FAIL', message: 'not taken' }),
    }),
    bill: (day) => readWechatBill({ wire, speak, parameters, now: clock.now }, day),
  }
}

export const payeeOf = ({ appId, mchId, subMchId }: WechatParameters): string => [appId, mchId, subMchId].join('/')

const payPath = ({ subMchId }: WechatParameters): string =>
  subMchId ? '/v3/pay/partner/transactions' : '/v3/pay/transactions'

const mch = ({ mchId, subMchId }: WechatParameters): Record<string, string> =>
  subMchId ? { sp_mchid: mchId, sub_mchid: subMchId } : { mchid: mchId }

const apps = ({ appId, subMchId }: WechatParameters) => (subMchId ? { sp_appid: appId } : { appid: appId })

const queryOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

function speaker(wire: Wire, parameters: WechatParameters, now: () => Date): Speak {
  const { gateway, mchId, serial, privateKey, platformSerial: platform, platformKey: key } = parameters
  return async (kind, reference, path, body) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const method = body === undefined ? 'GET' : 'POST'
    const asked = { method, path, body: text, timestamp: Math.floor(now().getTime() / 1000), nonce: nonce() }
    const headers = {
      authorization: authorization({ mchId, serial, privateKey }, asked),
      accept: 'application/json',
      'content-type': 'application/json',
      'wechatpay-serial': platform,
    }
    const isProven = (heard: Heard) =>
      distrust(heard.headers, heard.body.toString('utf8'), { serial: platform, key }, now()) === null
    const judge = (heard: Heard) => (isProven(heard) ? (heard.status < 300 ? 'answered' : 'refused') : 'forged')
    const heard = await wire({ kind, reference, method, url: gateway + path, headers, body: text }, judge)
    if (!heard) return null
    const read = heard.body.length > 0 ? readJson(heard.body.toString('utf8')) : {}
    return { isProven: isProven(heard), status: heard.status, body: read, code: codeOf(read) }
  }
}

const codeOf = (body: unknown): string | null => {
  const parsed = z.object({ code: z.string().max(64) }).safeParse(body)
  return parsed.success ? parsed.data.code : null
}

async function offer(speak: Speak, parameters: WechatParameters, attempt: Attempt): Promise<PaymentAnswer> {
  const { attemptNo, amountFen, title, authCode, expiresAt, isShared } = attempt
  const asked = {
    ...apps(parameters),
    ...mch(parameters),
    description: title,
    out_trade_no: attemptNo,
    notify_url: parameters.notifyUrl,
    amount: { total: amountFen, currency: 'CNY' },
    ...(isShared ? { settle_info: { profit_sharing: true } } : {}),
  }
  if (authCode === undefined) {
    const body = { ...asked, time_expire: chinaIso(expiresAt) }
    const answer = await speak('offer', attemptNo, `${payPath(parameters)}/native`, body)
    const payUrl = answer?.isProven ? z.object({ code_url: z.string().min(1) }).safeParse(answer.body) : null
    if (payUrl?.success) return { ...nothing, outcome: 'waiting', payUrl: payUrl.data.code_url }
    return { ...nothing, outcome: refusedFor(answer), code: answer?.code ?? null }
  }
  const scene = { payer: { auth_code: authCode }, scene_info: { store_info: { id: 'machine' } } }
  const answer = await speak('offer', attemptNo, `${payPath(parameters)}/codepay`, { ...asked, ...scene })
  // The customer is typing a password: the query says how it ended.
  if (answer?.isProven && answer.code === 'USERPAYING') return { ...nothing, outcome: 'waiting', code: answer.code }
  const paid = paymentOf(answer)
  return paid.outcome === 'unknown' ? { ...paid, outcome: refusedFor(answer) } : paid
}

/** What the channel says in so many words that it won't take; its own trouble and silence leave it open. */
const refusedFor = (answer: Answer | null): 'closed' | 'unknown' =>
  answer?.isProven && answer.status >= 400 && answer.status < 500 && answer.status !== 429 ? 'closed' : 'unknown'

const nothing = { channelNo: null, paidFen: null, paidAt: null, payUrl: null, code: null }

const transaction = z.object({
  trade_state: z.string(),
  transaction_id: z.string().optional(),
  success_time: z.iso.datetime({ offset: true }).optional(),
  amount: z.object({ total: z.number().int() }).optional(),
  ...payerFields,
})

function paymentOf(answer: Answer | null): PaymentAnswer {
  if (!answer?.isProven) return { ...nothing, outcome: 'unknown', code: answer?.code ?? null }
  // Never offered there, so nobody can pay it.
  if (answer.status === 404 && answer.code === 'ORDER_NOT_EXIST') {
    return { ...nothing, outcome: 'closed', code: answer.code }
  }
  const parsed = transaction.safeParse(answer.body)
  if (!parsed.success) return { ...nothing, outcome: 'unknown', code: answer.code }
  const { trade_state: code, transaction_id: channelNo = null, success_time: at, amount } = parsed.data
  const known = { ...nothing, channelNo, code }
  // Refunded has been paid: what went back is on the refund.
  if (code === 'SUCCESS' || code === 'REFUND') {
    return {
      ...known,
      outcome: 'paid',
      paidFen: amount?.total ?? null,
      paidAt: at ? new Date(at) : null,
      ...payerOf(parsed.data),
    }
  }
  if (code === 'NOTPAY' || code === 'USERPAYING') return { ...known, outcome: 'waiting' }
  return { ...known, outcome: ['CLOSED', 'REVOKED', 'PAYERROR'].includes(code) ? 'closed' : 'unknown' }
}

async function refund(speak: Speak, parameters: WechatParameters, ask: RefundAsk): Promise<RefundAnswer> {
  const { refundNo, attempt, amountFen, reason } = ask
  const answer = await speak('refund', refundNo, '/v3/refund/domestic/refunds', {
    ...(parameters.subMchId ? { sub_mchid: parameters.subMchId } : {}),
    out_trade_no: attempt.attemptNo,
    out_refund_no: refundNo,
    reason: reason.slice(0, 80),
    notify_url: parameters.notifyUrl,
    amount: { refund: amountFen, total: attempt.amountFen, currency: 'CNY' },
  })
  return refundOf(answer)
}

/** Refusals that the same number may be tried again after; the rest wants a person. */
const passing = new Set(['NOT_ENOUGH', 'FREQUENCY_LIMITED', 'RATELIMIT_EXCEEDED', 'RESOURCE_NOT_EXISTS'])
const refundStates = {
  SUCCESS: 'refunded',
  PROCESSING: 'accepted',
  ABNORMAL: 'needs_handling',
  CLOSED: 'failed',
} as const

function refundOf(answer: Answer | null): RefundAnswer {
  const code = answer?.code ?? null
  if (!answer?.isProven || answer.status >= 500) return { outcome: 'unknown', channelRefundNo: null, code }
  if (answer.status >= 400) {
    return { outcome: code && passing.has(code) ? 'failed' : 'needs_handling', channelRefundNo: null, code }
  }
  const parsed = z
    .object({ status: z.enum(['SUCCESS', 'PROCESSING', 'ABNORMAL', 'CLOSED']), refund_id: z.string().optional() })
    .safeParse(answer.body)
  if (!parsed.success) return { outcome: 'unknown', channelRefundNo: null, code }
  const { status, refund_id: channelRefundNo = null } = parsed.data
  return { outcome: refundStates[status], channelRefundNo, code: status }
}
