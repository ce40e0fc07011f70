import { z } from 'zod'
import type { Notification, PaymentNotice, RefundNotice } from './channel.types'
import { readJson } from './read'
import { payerFields, payerOf } from './wechat.payer'
import type { WechatParameters } from './wechat.channel'
import { distrust, opened } from './wechat.sign'

const outer = z.object({
  event_type: z.string(),
  resource: z.object({ ciphertext: z.string(), nonce: z.string(), associated_data: z.string().optional() }),
})
const time = z.iso.datetime({ offset: true }).optional()
const payment = z.object({
  out_trade_no: z.string(),
  transaction_id: z.string(),
  trade_state: z.string(),
  success_time: time,
  ...payerFields,
  mchid: z.string().optional(),
  sp_mchid: z.string().optional(),
  sub_mchid: z.string().optional(),
  amount: z.object({ total: z.number().int().nonnegative(), currency: z.string().default('CNY') }),
})
const refund = z.object({
  out_trade_no: z.string(),
  out_refund_no: z.string(),
  refund_id: z.string(),
  refund_status: z.enum(['SUCCESS', 'CLOSED', 'ABNORMAL', 'PROCESSING']),
  amount: z.object({ refund: z.number().int().nonnegative() }),
})

/** The signature over the raw body first, then the seal, then what is inside. */
export function wechatNotification(
  { platformSerial, platformKey, apiKey }: WechatParameters,
  headers: Readonly<Record<string, string>>,
  rawBody: string,
  now: Date,
): Notification {
  const reason = distrust(headers, rawBody, { serial: platformSerial, key: platformKey }, now)
  if (reason) return { about: 'forged', reason }
  const parsed = outer.safeParse(readJson(rawBody))
  if (!parsed.success) return { about: 'unreadable', reason: 'not a notification' }
  const text = opened(apiKey, parsed.data.resource)
  if (text === null) return { about: 'forged', reason: 'sealed with another key' }
  const inside = readJson(text)
  const notice = parsed.data.event_type.startsWith('REFUND.') ? refundIn(inside) : paymentIn(inside)
  return notice ?? { about: 'unreadable', reason: parsed.data.event_type }
}

function paymentIn(inside: unknown): PaymentNotice | null {
  const read = payment.safeParse(inside)
  if (!read.success) return null
  const { data } = read
  const isPaid = data.trade_state === 'SUCCESS' || data.trade_state === 'REFUND'
  return {
    about: 'payment',
    attemptNo: data.out_trade_no,
    outcome: isPaid ? 'paid' : data.trade_state === 'CLOSED' ? 'closed' : 'waiting',
    channelNo: data.transaction_id,
    amountFen: data.amount.total,
    currency: data.amount.currency,
    paidAt: data.success_time ? new Date(data.success_time) : null,
    payee: [data.sp_appid ?? data.appid ?? '', data.sp_mchid ?? data.mchid ?? '', data.sub_mchid ?? ''].join('/'),
    ...payerOf(data),
  }
}

const outcomes = { SUCCESS: 'refunded', CLOSED: 'failed', ABNORMAL: 'needs_handling' } as const

function refundIn(inside: unknown): RefundNotice | null {
  const read = refund.safeParse(inside)
  if (!read.success || read.data.refund_status === 'PROCESSING') return null
  const { data } = read
  return {
    about: 'refund',
    refundNo: data.out_refund_no,
    attemptNo: data.out_trade_no,
    outcome: outcomes[read.data.refund_status],
    channelRefundNo: data.refund_id,
    amountFen: data.amount.refund,
  }
}
