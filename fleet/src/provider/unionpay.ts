import { deflateSync } from 'node:zlib'
import { unionPayBill } from './bills'
import { type Answer, assumed, type Core, find, findByChannelNo, offer, pay, refund, type Request } from './core'
import { type Party, strangersKey } from './keys'
import { sign, unionPayDigest, verify } from './sign'
import { chinaDay, chinaDigits, digitsToMs } from './time'
import type { Refund, Trade } from './truth'

type Fields = Record<string, string>
const HOUR_MS = 3_600_000

/** UnionPay 5.1.0: fields in, fields out, each side signed; answers are not URL-encoded. */
export function unionpay(core: Core, request: Request): Answer {
  const fields = Object.fromEntries(new URLSearchParams(request.body))
  // A platform signs for the merchants that it brought with its own certificate.
  const party = core.file.parties.unionpay.find((each) => each.serial === fields.certId)
  if (
    !party ||
    fields.signMethod !== '01' ||
    !verify(party.publicKey, unionPayDigest(fields), fields.signature ?? '')
  ) {
    return answer(core, fields, { respCode: '11', respMsg: '验证签名失败' })
  }
  if (/[-_]/.test(fields.orderId ?? '')) return answer(core, fields, { respCode: '10', respMsg: 'orderId' })
  return answer(core, fields, handle(core, party, fields))
}

function handle(core: Core, party: Party, fields: Fields): Fields {
  if (fields.txnType === '76') return statement(core, fields)
  if (fields.txnType === '00') return query(core, fields)
  if (fields.txnType === '01') return order(core, party, fields)
  return fields.txnType === '04' || fields.txnType === '31' ? giveBack(core, party, fields) : { respCode: '12' }
}

function answer(core: Core, asked: Fields, said: Fields): Answer {
  const echo = ['version', 'encoding', 'merId', 'orderId', 'txnTime', 'txnType', 'signMethod']
  const known = Object.fromEntries(echo.flatMap((name) => (asked[name] ? [[name, asked[name]]] : [])))
  const fields = withSignature(core, { respMsg: 'success', ...known, ...said }, core.mischief.isAnswerForged)
  const body = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  return { status: 200, headers: { 'content-type': 'text/html;charset=UTF-8' }, body: body.join('&') }
}

function withSignature({ file }: Core, fields: Fields, isForged: boolean): Fields {
  const key = isForged ? strangersKey() : file.keys.unionpay.privateKey
  return { ...fields, signature: sign(key, unionPayDigest(fields)) }
}

function order(core: Core, party: Party, fields: Fields): Fields {
  const amountFen = Number(fields.txnAmt)
  if (!/^[A-Za-z0-9]{8,40}$/.test(fields.orderId ?? '') || !(amountFen >= 1) || fields.currencyCode !== '156') {
    return { respCode: '10', respMsg: '报文格式错误' }
  }
  const expiresMs = fields.payTimeout ? digitsToMs(fields.payTimeout) : core.nowMs() + 900_000
  const given = { merchant: fields.merId ?? party.number, appId: '', no: fields.orderId ?? '', amountFen, expiresMs }
  const trade = offer(core, 'unionpay', { ...given, notifyUrl: fields.backUrl ?? '' })
  if (typeof trade === 'string') return { respCode: '12', respMsg: '重复交易' }
  if (fields.txnSubType === '07') return { respCode: '00', qrCode: `${core.baseUrl()}/pay/${trade.token}` }
  const code = fields.qrNo ?? ''
  if (!/^62\d{17}$/.test(code)) return { respCode: '43' }
  if (code.endsWith('2')) return { respCode: '51', respMsg: '余额不足' }
  if (code.endsWith('1')) core.later(async () => void pay(core, trade), 0)
  else pay(core, trade)
  return { respCode: '00' }
}

function query(core: Core, { orderId = '' }: Fields): Fields {
  const trade = find(core, 'unionpay', orderId)
  if (trade) {
    const code = trade.state === 'paid' ? '00' : trade.state === 'closed' ? '02' : '05'
    const paid: Fields = trade.state === 'paid' ? { queryId: trade.channelNo, payTime: chinaDigits(trade.paidMs) } : {}
    return { respCode: '00', origRespCode: code, txnAmt: String(trade.paidFen || trade.amountFen), ...paid }
  }
  const found = core.truth.findRefund('unionpay', orderId)
  if (!found) return { respCode: '34', respMsg: '查无此交易' }
  const { refund: each } = found
  return { respCode: '00', origRespCode: codes[each.state], txnAmt: String(each.amountFen), queryId: each.channelNo }
}

const codes = { processing: '05', refunded: '00', abnormal: '41', closed: '98' } as const

/** A void is for the whole amount, on UnionPay's own day, and not after a refund. */
function giveBack(core: Core, party: Party, fields: Fields): Fields {
  const amountFen = Number(fields.txnAmt)
  const known = findByChannelNo(core, 'unionpay', fields.origQryId ?? '')
  const old = { merchant: party.number, appId: '', no: `Q${fields.origQryId}`, amountFen }
  const trade = known ?? assumed(core, 'unionpay', old)
  const day = (ms: number) => chinaDay(ms + HOUR_MS)
  const isVoid = fields.txnType === '31'
  const same = trade?.refunds.find(({ no }) => no === fields.orderId)
  if (same && same.state !== 'closed') return { respCode: '12', respMsg: '重复交易' }
  if (trade && known && isVoid && !same) {
    const mayVoid = amountFen === trade.paidFen && day(trade.paidMs) === day(core.nowMs()) && trade.refunds.length === 0
    if (!mayVoid) return { respCode: '12', respMsg: '不支持的交易' }
  }
  const done = refund(core, trade, { no: fields.orderId ?? '', amountFen, notifyUrl: fields.backUrl ?? '' })
  if (done === 'unknown') return { respCode: '36', respMsg: '原交易不存在' }
  if (typeof done === 'string') return { respCode: '37', respMsg: done }
  return { respCode: '00', queryId: done.channelNo }
}

function statement(core: Core, { settleDate = '' }: Fields): Fields {
  const file = unionPayBill(core, settleDate)
  if (file.length === 0) return { respCode: '98', respMsg: '文件不存在' }
  const name = `777290058110048_${settleDate}.zip`
  return { respCode: '00', fileName: name, fileContent: deflateSync(file).toString('base64') }
}

export function unionPayNotice(core: Core, trade: Trade, each: Refund | null) {
  const { mischief } = core
  const fields: Fields = {
    version: '5.1.0',
    encoding: 'UTF-8',
    signMethod: '01',
    txnType: each ? '04' : '01',
    txnSubType: each ? '00' : '07',
    bizType: '000000',
    accessType: '0',
    merId: !each && mischief.lie === 'merchant' ? '777290058199999' : trade.merchant,
    orderId: each ? each.no : mischief.lie === 'order' ? `X${trade.no.slice(1)}` : trade.no,
    queryId: each ? each.channelNo : mischief.lie === 'order' ? `X${trade.channelNo}` : trade.channelNo,
    txnAmt: String(each ? each.amountFen : mischief.lie === 'amount' ? 1 : trade.paidFen),
    txnTime: chinaDigits(each ? each.atMs : trade.atMs),
    payTime: chinaDigits(trade.paidMs),
    currencyCode: '156',
    respCode: each ? codes[each.state] : '00',
    respMsg: 'success',
  }
  return {
    url: each?.notifyUrl || trade.notifyUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    body: new URLSearchParams(withSignature(core, fields, mischief.isForging)).toString(),
    isTaken: (status: number) => status < 300,
  }
}
