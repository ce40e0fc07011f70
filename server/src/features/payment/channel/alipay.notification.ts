import { z } from 'zod'
import type { AlipayParameters } from './alipay.channel'
import { isNotificationSigned } from './alipay.sign'
import type { Notification } from './channel.types'
import { fromChina } from './chinaTime.rules'
import { fromYuan } from './yuan.rules'

const notice = z.object({
  app_id: z.string(),
  out_trade_no: z.string(),
  trade_no: z.string(),
  trade_status: z.enum(['WAIT_BUYER_PAY', 'TRADE_CLOSED', 'TRADE_SUCCESS', 'TRADE_FINISHED']),
  total_amount: z.string(),
  seller_id: z.string(),
  gmt_payment: z.string().optional(),
  refund_fee: z.string().optional(),
})

/**
 * A form whose `sign` covers all its fields. Refunds are told with the trade's own status and the sum of all refunds of
 * it, so nothing is concluded from them: each refund is asked after by its number.
 */
export function alipayNotification({ alipayKey }: AlipayParameters, rawBody: string): Notification {
  const fields = Object.fromEntries(new URLSearchParams(rawBody))
  if (!isNotificationSigned(fields, alipayKey)) return { about: 'forged', reason: 'wrong signature' }
  const parsed = notice.safeParse(fields)
  const amountFen = parsed.success ? fromYuan(parsed.data.total_amount) : null
  if (!parsed.success || amountFen === null || amountFen < 0) return { about: 'unreadable', reason: 'not a trade' }
  const { data } = parsed
  const isPaid = data.trade_status === 'TRADE_SUCCESS' || data.trade_status === 'TRADE_FINISHED'
  const paidAt = fromChina(data.gmt_payment ?? '')
  const wasPaid = isPaid || (data.trade_status === 'TRADE_CLOSED' && paidAt !== null)
  return {
    about: 'payment',
    attemptNo: data.out_trade_no,
    outcome: wasPaid ? 'paid' : data.trade_status === 'TRADE_CLOSED' ? 'closed' : 'waiting',
    channelNo: data.trade_no,
    amountFen,
    currency: 'CNY',
    paidAt,
    payee: [data.app_id, data.seller_id].join('/'),
  }
}
