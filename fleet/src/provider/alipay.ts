import { alipayFundBill, alipayTradeBill } from './bills'
import { type Answer, assumed, close, type Core, find, offer, pay, refund, type Request } from './core'
import { type Party, strangersKey } from './keys'
import { isFrozen, splitMethods } from './alipay.splits'
import { no, OK, type Said } from './alipay.words'
import { nonce, sign, sortedText, verify } from './sign'
import { chinaStamp, digitsToMs, fenOf, yuan } from './time'
import type { Refund, Trade } from './truth'

type Fields = Record<string, string>
export type Call = { core: Core; party: Party; content: Fields; notifyUrl: string }

/** Alipay's gateway: one address, the method among the fields, RSA2 over all of them. */
export function alipay(core: Core, request: Request): Answer {
  const fields = Object.fromEntries(new URLSearchParams(request.body))
  const party = core.file.parties.alipay.find(({ appId }) => appId === fields.app_id)
  const member = `${(fields.method ?? 'error').replaceAll('.', '_')}_response`
  const text = sortedText(fields, ['sign'])
  if (!party || fields.sign_type !== 'RSA2' || !verify(party.publicKey, text, fields.sign ?? '')) {
    return answer(core, 'error_response', no('isv.invalid-signature', '40002'))
  }
  const content = JSON.parse(fields.biz_content ?? '{}') as Fields
  const handle = methods[fields.method ?? '']
  if (!handle) return answer(core, member, no('isv.invalid-method', '40001'))
  return answer(core, member, handle({ core, party, content, notifyUrl: fields.notify_url ?? '' }))
}

function answer({ file, mischief }: Core, member: string, said: Said): Answer {
  // Slashes are escaped there, as PHP and Java like to do: what is signed is the text as it stands.
  const text = JSON.stringify(said).replaceAll('/', '\\/')
  const signature = sign(mischief.isAnswerForged ? strangersKey() : file.keys.alipay.privateKey, text)
  const body = `{"${member}":${text},"sign":"${signature}"}`
  return { status: 200, headers: { 'content-type': 'application/json;charset=utf-8' }, body }
}

const methods: Readonly<Record<string, (call: Call) => Said>> = {
  'alipay.trade.precreate': (call) => {
    const ordered = order(call)
    if ('refused' in ordered) return ordered.refused
    const { trade } = ordered
    return { ...OK, out_trade_no: trade.no, qr_code: `${call.core.baseUrl()}/pay/${trade.token}` }
  },
  'alipay.trade.pay': payByCode,
  'alipay.trade.query': ({ core, content }) => {
    const trade = find(core, 'alipay', content.out_trade_no ?? '')
    // A trade begins when its code is scanned.
    if (!trade || trade.state === 'waiting') return no('ACQ.TRADE_NOT_EXIST')
    return { ...OK, ...tradeBody(trade) }
  },
  'alipay.trade.close': ({ core, content }) => {
    const trade = find(core, 'alipay', content.out_trade_no ?? '')
    if (!trade) return no('ACQ.TRADE_NOT_EXIST')
    return close(core, trade) ? { ...OK, out_trade_no: trade.no } : no('ACQ.REASON_TRADE_STATUS_INVALID')
  },
  'alipay.trade.cancel': ({ core, content }) => {
    const trade = find(core, 'alipay', content.out_trade_no ?? '')
    if (!trade || close(core, trade)) return { ...OK, out_trade_no: content.out_trade_no, action: 'close' }
    refund(core, trade, { no: `${trade.no}C`, amountFen: trade.paidFen, notifyUrl: '' })
    return { ...OK, out_trade_no: trade.no, action: 'refund' }
  },
  'alipay.trade.refund': giveBack,
  ...splitMethods,
  'alipay.trade.fastpay.refund.query': ({ core, content }) => {
    const found = core.truth.findRefund('alipay', content.out_request_no ?? '')
    if (!found) return OK
    const status = found.refund.state === 'refunded' ? { refund_status: 'REFUND_SUCCESS' } : {}
    return { ...OK, ...status, out_request_no: found.refund.no, trade_no: found.trade.channelNo }
  },
  'alipay.data.dataservice.bill.downloadurl.query': ({ core, party, content }) => {
    const kind = content.bill_type === 'trade' ? 'trade' : 'funds'
    const token = `${kind}.${content.bill_date}.${party.appId}`
    if (alipayFile(core, token).length === 0) return no('isp.bill_not_exist')
    return { ...OK, bill_download_url: `${core.baseUrl()}/alipay/bill?token=${token}` }
  },
}

export function alipayFile(core: Core, token: string): Buffer {
  const [kind, day = '', party = ''] = token.split('.')
  return kind === 'trade' ? alipayTradeBill(core, { day, party }) : alipayFundBill(core, { day, party })
}

type Ordered = { trade: Trade } | { refused: Said }

function order({ core, party, content, notifyUrl }: Call): Ordered {
  const amountFen = fenOf(content.total_amount ?? '')
  if (!(amountFen >= 1) || !content.subject || !content.out_trade_no) return refused('ACQ.INVALID_PARAMETER')
  const expires = content.time_expire ? digitsToMs(content.time_expire) : core.nowMs() + 7_200_000
  const merchant = content.seller_id ?? party.number
  const isShared = isFrozen(content)
  const asked = { no: content.out_trade_no, amountFen, expiresMs: expires, notifyUrl, isShared }
  const given = { merchant, appId: party.appId, ...asked }
  const trade = offer(core, 'alipay', given)
  if (trade === 'paid') return refused('ACQ.TRADE_HAS_SUCCESS')
  if (trade === 'closed') return refused('ACQ.TRADE_HAS_CLOSE')
  return trade === 'differs' ? refused('ACQ.CONTEXT_INCONSISTENT') : { trade }
}

const refused = (code: string): Ordered => ({ refused: no(code) })

/** Codes that end in 1: the customer types a password first; in 2: there is no money behind it. */
function payByCode(call: Call): Said {
  const code = call.content.auth_code ?? ''
  if (!/^(2[5-9]|30)\d{14,22}$/.test(code)) return no('ACQ.PAYMENT_AUTH_CODE_INVALID')
  if (code.endsWith('2')) return no('ACQ.BUYER_BALANCE_NOT_ENOUGH')
  const ordered = order(call)
  if ('refused' in ordered) return ordered.refused
  const { trade } = ordered
  if (code.endsWith('1')) {
    call.core.later(async () => void pay(call.core, trade), 0)
    return { code: '10003', msg: 'order success pay inprocess', out_trade_no: trade.no, trade_no: trade.channelNo }
  }
  pay(call.core, trade)
  return { ...OK, ...tradeBody(trade) }
}

function giveBack({ core, party, content }: Call): Said {
  const amountFen = fenOf(content.refund_amount ?? '')
  const given = { merchant: party.number, appId: party.appId, no: content.out_trade_no ?? '', amountFen }
  const trade = assumed(core, 'alipay', given)
  const isPart = trade !== undefined && amountFen !== trade.paidFen
  if (isPart && !content.out_request_no) return no('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL')
  const wasKnown = core.truth.findRefund('alipay', content.out_request_no ?? '') !== undefined
  const done = refund(core, trade, { no: content.out_request_no ?? given.no, amountFen, notifyUrl: '' })
  if (done === 'unknown') return no('ACQ.TRADE_NOT_EXIST')
  if (done === 'unpaid') return no('ACQ.TRADE_STATUS_ERROR')
  if (done === 'differs') return no('ACQ.DISCORDANT_REPEAT_REQUEST')
  if (typeof done === 'string') return no('ACQ.REASON_TRADE_REFUND_FEE_ERR')
  const moved = !wasKnown && done.state === 'refunded'
  return { ...OK, ...tradeBody(trade!), fund_change: moved ? 'Y' : 'N', refund_fee: yuan(refundedFen(trade!)) }
}

const refundedFen = ({ refunds }: Trade): number =>
  refunds.filter(({ state }) => state === 'refunded').reduce((sum, each) => sum + each.amountFen, 0)

function tradeBody(trade: Trade): Fields {
  const isOver = trade.state === 'closed' || (trade.state === 'paid' && refundedFen(trade) === trade.paidFen)
  return {
    out_trade_no: trade.no,
    trade_no: trade.channelNo,
    trade_status: isOver ? 'TRADE_CLOSED' : trade.state === 'paid' ? 'TRADE_SUCCESS' : 'WAIT_BUYER_PAY',
    total_amount: yuan(trade.state === 'paid' ? trade.paidFen : trade.amountFen),
    buyer_logon_id: '159****5620',
    ...(trade.state === 'paid' ? { send_pay_date: chinaStamp(trade.paidMs) } : {}),
  }
}

export function alipayNotice(core: Core, trade: Trade, each: Refund | null) {
  const { mischief, file, nowMs } = core
  const bent = {
    ...(mischief.lie === 'amount' ? { total_amount: '0.01' } : {}),
    ...(mischief.lie === 'merchant' ? { seller_id: '2088000000000000' } : {}),
    ...(mischief.lie === 'order' ? { out_trade_no: `X${trade.no.slice(1)}`, trade_no: `X${trade.channelNo}` } : {}),
  }
  const { send_pay_date: gmt_payment = '', ...body } = tradeBody(trade)
  const fields: Fields = {
    ...body,
    gmt_payment,
    app_id: trade.appId,
    seller_id: trade.merchant,
    notify_id: nonce(),
    notify_type: 'trade_status_sync',
    notify_time: chinaStamp(nowMs()),
    charset: 'utf-8',
    version: '1.0',
    ...(each ? { refund_fee: yuan(refundedFen(trade)), out_biz_no: each.no } : bent),
  }
  const key = mischief.isForging ? strangersKey() : file.keys.alipay.privateKey
  const signature = sign(key, sortedText(fields, []))
  return {
    url: trade.notifyUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams({ ...fields, sign_type: 'RSA2', sign: signature }).toString(),
    isTaken: (_: number, said: string) => said === 'success',
  }
}
