import type { Services } from '../../../kernel/context'
import type { Attempt, Channel, Notification, PaymentAnswer, RefundAnswer, RefundAsk } from './channel.types'
import { chinaDigits, fromChina, unionPayDay } from './chinaTime.rules'
import type { ExchangeKind } from '../exchange.store'
import { readUnionPayBill } from './unionpay.bill'
import { fieldsIn, isSigned, withSignature } from './unionpay.sign'
import type { Heard, Wire } from './wire'

export type UnionPayParameters = {
  gateway: string
  fileGateway: string
  merId: string
  certId: string
  privateKey: string
  unionPayKey: string
  notifyUrl: string
}

type Answer = { isProven: boolean; code: string | null; fields: Record<string, string> }
export type Ask = (
  kind: ExchangeKind,
  reference: string,
  url: string,
  fields: Record<string, string>,
) => Promise<Answer | null>

/** UnionPay's gateway, version 5.1.0: number, merchant and the time of asking together name a transaction. */
export function unionPayChannel(
  wire: Wire,
  parameters: UnionPayParameters,
  { clock }: Pick<Services, 'clock'>,
): Channel {
  const ask = asker(wire, parameters)
  const query = async (attempt: Attempt) => {
    const named = { orderId: attempt.attemptNo, txnTime: chinaDigits(attempt.askedAt) }
    const answer = await ask('query', attempt.attemptNo, queryUrl(parameters), { ...QUERY, ...named })
    return paymentOf(answer, clock.now() > attempt.expiresAt)
  }
  const queryRefund = async ({ refundNo, askedAt }: RefundAsk) => {
    const named = { orderId: refundNo, txnTime: chinaDigits(askedAt) }
    return refundOf(await ask('query_refund', refundNo, queryUrl(parameters), { ...QUERY, ...named }))
  }
  return {
    provider: 'unionpay',
    payee: parameters.merId,
    offer: async (attempt) => {
      const offered = await offer(ask, parameters, attempt)
      // Asked again after it was paid: only the query says how much and when.
      return offered.code === DUPLICATE ? query(attempt) : offered
    },
    query,
    // There is no call for it: `payTimeout` ends what nobody has paid.
    close: query,
    refund: async (each) => {
      const answer = await refund(ask, parameters, each)
      if (answer.code !== DUPLICATE) return answer
      // A number that it has had before: only the query says what became of it.
      const known = await queryRefund(each)
      return known.code === NOT_FOUND ? answer : known
    },
    queryRefund,
    splits: null,
    readNotification: (_, rawBody) => readNotice(parameters, rawBody),
    replyTo: (isTaken) => ({ status: isTaken ? 200 : 500, type: 'text/plain', body: isTaken ? 'ok' : 'not taken' }),
    bill: (day) => readUnionPayBill(ask, parameters, { day, now: clock.now() }),
  }
}

const QUERY = { txnType: '00', txnSubType: '00', bizType: '000000' }
const queryUrl = ({ gateway }: UnionPayParameters) => `${gateway}/gateway/api/queryTrans.do`
const tradeUrl = ({ gateway }: UnionPayParameters) => `${gateway}/gateway/api/backTransReq.do`

function asker(wire: Wire, { merId, certId, privateKey, unionPayKey }: UnionPayParameters): Ask {
  return async (kind, reference, url, fields) => {
    const common = { version: '5.1.0', encoding: 'UTF-8', signMethod: '01', accessType: '0', merId, certId }
    const body = new URLSearchParams(withSignature({ ...common, ...fields }, privateKey)).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
    const read = (heard: Heard) => fieldsIn(heard.body.toString('utf8'))
    const judge = (heard: Heard) => {
      const said = read(heard)
      if (!isSigned(said, unionPayKey)) return 'forged'
      return said.respCode === '00' ? 'answered' : 'refused'
    }
    const heard = await wire({ kind, reference, method: 'POST', url, headers, body }, judge)
    if (!heard) return null
    const said = read(heard)
    return { isProven: isSigned(said, unionPayKey), code: said.respCode?.slice(0, 64) ?? null, fields: said }
  }
}

const nothing = { channelNo: null, paidFen: null, paidAt: null, payUrl: null, code: null }

/** 03, 04 and 05: under way or not known, to be asked again (list of answers, open.unionpay.com). */
const OPEN = new Set(['03', '04', '05', '06'])
const NOT_FOUND = '34'
const DUPLICATE = '12'

async function offer(ask: Ask, parameters: UnionPayParameters, attempt: Attempt): Promise<PaymentAnswer> {
  const { attemptNo, amountFen, askedAt, expiresAt, authCode, title } = attempt
  const answer = await ask('offer', attemptNo, tradeUrl(parameters), {
    txnType: '01',
    // 07: the customer scans ours; 06: we scan the customer's.
    txnSubType: authCode === undefined ? '07' : '06',
    bizType: '000000',
    channelType: '08',
    orderId: attemptNo,
    txnTime: chinaDigits(askedAt),
    txnAmt: String(amountFen),
    currencyCode: '156',
    backUrl: parameters.notifyUrl,
    orderDesc: title.slice(0, 32),
    ...(authCode === undefined ? { payTimeout: chinaDigits(expiresAt) } : { qrNo: authCode }),
  })
  if (!answer?.isProven || !answer.code) return { ...nothing, outcome: 'unknown', code: answer?.code ?? null }
  const { code, fields } = answer
  if (code === '00') return { ...nothing, outcome: 'waiting', payUrl: fields.qrCode ?? null }
  return { ...nothing, outcome: OPEN.has(code) ? 'waiting' : 'closed', code }
}

function paymentOf(answer: Answer | null, isOver: boolean): PaymentAnswer {
  if (!answer?.isProven || !answer.code) return { ...nothing, outcome: 'unknown', code: answer?.code ?? null }
  if (answer.code === NOT_FOUND) return { ...nothing, outcome: 'closed', code: NOT_FOUND }
  const { origRespCode: code, queryId: channelNo = null, txnAmt = '', payTime, traceTime } = answer.fields
  if (answer.code !== '00' || code === undefined) return { ...nothing, outcome: 'unknown', code: answer.code }
  const known = { ...nothing, channelNo, code }
  if (code === '00') {
    const paidFen = /^\d{1,12}$/.test(txnAmt) ? Number(txnAmt) : null
    return { ...known, outcome: 'paid', paidFen, paidAt: fromChina(payTime ?? traceTime ?? '') }
  }
  if (OPEN.has(code)) return { ...known, outcome: isOver ? 'closed' : 'waiting' }
  return { ...known, outcome: 'closed' }
}

/**
 * The whole amount on UnionPay's own day (23:00 to 23:00) is voided, which is instant; anything else is a return. What
 * was first asked for is asked again, so a retry after 23:00 does not change its kind.
 */
export const isVoid = ({ attempt, amountFen, askedAt }: RefundAsk): boolean =>
  amountFen === attempt.amountFen && attempt.paidAt !== null && unionPayDay(attempt.paidAt) === unionPayDay(askedAt)

async function refund(ask: Ask, parameters: UnionPayParameters, each: RefundAsk): Promise<RefundAnswer> {
  const { refundNo, attempt, amountFen, askedAt } = each
  const answer = await ask('refund', refundNo, tradeUrl(parameters), {
    txnType: isVoid(each) ? '31' : '04',
    txnSubType: '00',
    bizType: '000000',
    channelType: '08',
    orderId: refundNo,
    txnTime: chinaDigits(askedAt),
    origQryId: attempt.channelNo ?? '',
    txnAmt: String(amountFen),
    backUrl: parameters.notifyUrl,
  })
  if (!answer?.isProven || !answer.code)
    return { outcome: 'unknown', channelRefundNo: null, code: answer?.code ?? null }
  return {
    outcome: outcomeOf(answer.code, 'accepted'),
    channelRefundNo: answer.fields.queryId ?? null,
    code: answer.code,
  }
}

/** Refusals after which the same number may be tried again: the account is empty, or the system rests. */
const passing = new Set(['01', '02', '51', '61', '98'])

function outcomeOf(code: string, good: 'accepted' | 'refunded'): RefundAnswer['outcome'] {
  if (code === '00') return good
  if (OPEN.has(code)) return 'accepted'
  return passing.has(code) ? 'failed' : 'needs_handling'
}

function refundOf(answer: Answer | null): RefundAnswer {
  const channelRefundNo = answer?.fields.queryId ?? null
  if (!answer?.isProven || !answer.code)
    return { outcome: 'unknown', channelRefundNo: null, code: answer?.code ?? null }
  if (answer.code === NOT_FOUND) return { outcome: 'failed', channelRefundNo: null, code: NOT_FOUND }
  const code = answer.fields.origRespCode
  if (answer.code !== '00' || code === undefined) return { outcome: 'unknown', channelRefundNo, code: answer.code }
  return { outcome: outcomeOf(code, 'refunded'), channelRefundNo, code }
}

function readNotice({ unionPayKey }: UnionPayParameters, rawBody: string): Notification {
  const fields = Object.fromEntries(new URLSearchParams(rawBody))
  if (!isSigned(fields, unionPayKey)) return { about: 'forged', reason: 'wrong signature' }
  const { orderId = '', txnType, queryId = '', txnAmt = '', respCode = '', merId = '' } = fields
  if (orderId === '' || !/^\d{1,12}$/.test(txnAmt)) return { about: 'unreadable', reason: 'not a transaction' }
  if (txnType === '01') {
    return {
      about: 'payment',
      attemptNo: orderId,
      outcome: respCode === '00' ? 'paid' : OPEN.has(respCode) ? 'waiting' : 'closed',
      channelNo: queryId,
      amountFen: Number(txnAmt),
      currency: fields.currencyCode === '156' ? 'CNY' : (fields.currencyCode ?? ''),
      paidAt: fromChina(fields.payTime ?? fields.txnTime ?? ''),
      payee: merId,
    }
  }
  if (txnType !== '04' && txnType !== '31') return { about: 'unreadable', reason: `txnType ${txnType}` }
  const outcome = outcomeOf(respCode, 'refunded')
  if (outcome === 'accepted' || outcome === 'unknown') return { about: 'unreadable', reason: 'still under way' }
  return {
    about: 'refund',
    refundNo: orderId,
    attemptNo: '',
    outcome,
    channelRefundNo: queryId,
    amountFen: Number(txnAmt),
    payee: merId,
  }
}
