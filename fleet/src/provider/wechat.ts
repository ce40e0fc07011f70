import { createHash } from 'node:crypto'
import { wechatFundBill, wechatTradeBill } from './bills'
import { type Answer, assumed, close, type Core, find, offer, pay, refund, type Request } from './core'
import { type Party, strangersKey } from './keys'
import { nonce, sealed, sign, verify } from './sign'
import { readShares, share } from './wechat.splits'
import { type Json, no, type Said } from './wechat.words'
import { chinaIso } from './time'
import type { Refund, Trade } from './truth'

export type Call = { core: Core; party: Party; path: string; query: URLSearchParams; body: Json }

const OLDEST_S = 300

/** WeChat Pay v3: merchants sign each request, and each answer is signed. */
export function wechat(core: Core, request: Request): Answer {
  const party = partyOf(core, request)
  if (!party) return answer(core, { status: 401, body: { code: 'SIGN_ERROR', message: '签名错误' } })
  const body = (request.body === '' ? {} : JSON.parse(request.body)) as Json
  const call = { core, party, path: request.path, query: new URLSearchParams(request.query), body }
  if (request.method === 'GET') return answer(core, read(call))
  return answer(core, write(call))
}

function partyOf({ file, nowMs }: Core, { method, path, query, headers, body }: Request): Party | undefined {
  const found = /^WECHATPAY2-SHA256-RSA2048 (.*)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const parts = Object.fromEntries([...found.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
  const { mchid, serial_no: serial, nonce_str: once = '', timestamp = '', signature = '' } = parts
  const party = file.parties.wechat.find((each) => each.number === mchid && each.serial === serial)
  if (!party || Math.abs(nowMs() / 1000 - Number(timestamp)) > OLDEST_S) return undefined
  const url = query === '' ? path : `${path}?${query}`
  const text = [method, url, timestamp, once, body].map((part) => `${part}\n`).join('')
  return verify(party.publicKey, text, signature) ? party : undefined
}

function answer(core: Core, { status, body, file }: Said): Answer {
  if (file) return { status, headers: { 'content-type': 'text/plain' }, body: file }
  const text = body === undefined ? '' : JSON.stringify(body)
  return { status, headers: { 'content-type': 'application/json', ...signedHeaders(core, text) }, body: text }
}

function signedHeaders({ file, mischief, nowMs }: Core, body: string, isForged = mischief.isAnswerForged) {
  const timestamp = String(Math.floor(nowMs() / 1000))
  const once = nonce()
  const key = isForged ? strangersKey() : file.keys.wechat.privateKey
  return {
    'wechatpay-serial': file.keys.wechat.serial,
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': once,
    'wechatpay-signature': sign(key, [timestamp, once, body].map((part) => `${part}\n`).join('')),
  }
}

function write(call: Call): Said {
  const { core, party, path, body } = call
  if (/^\/v3\/pay\/(partner\/)?transactions\/(native|codepay)$/.test(path)) return order(call, path.endsWith('codepay'))
  if (path === '/v3/refund/domestic/refunds') return giveBack(call)
  if (path.startsWith('/v3/profitsharing/')) return share(call)
  const closing = /\/out-trade-no\/([A-Za-z0-9]+)\/close$/.exec(path)?.[1]
  const trade = closing === undefined ? undefined : find(core, 'wechat', closing)
  if (closing === undefined || (body.mchid ?? body.sp_mchid) !== party.number) return no(404, 'NOT_FOUND')
  if (!trade) return no(404, 'ORDER_NOT_EXIST')
  return close(core, trade) ? { status: 204 } : no(400, 'ORDERPAID', '订单已支付')
}

const merchantOf = (body: Json): string => [body.mchid ?? body.sp_mchid, body.sub_mchid].filter(Boolean).join('/')

function order({ core, party, body }: Call, isScanned: boolean): Said {
  const amount = Number((body.amount as Json | undefined)?.total)
  const [appId, number] = [body.appid ?? body.sp_appid, body.mchid ?? body.sp_mchid]
  const notifyUrl = String(body.notify_url ?? '')
  const isWhole =
    Number.isSafeInteger(amount) && amount >= 1 && /^[A-Za-z0-9_*-]{6,32}$/.test(String(body.out_trade_no))
  if (!isWhole || notifyUrl.includes('?') || !body.description) return no(400, 'PARAM_ERROR')
  if (appId !== party.appId || number !== party.number) return no(400, 'APPID_MCHID_NOT_MATCH')
  const expiresMs = body.time_expire ? Date.parse(String(body.time_expire)) : core.nowMs() + 7_200_000
  const isShared = (body.settle_info as Json | undefined)?.profit_sharing === true
  const given = { merchant: merchantOf(body), appId: party.appId, no: String(body.out_trade_no), notifyUrl, isShared }
  const trade = offer(core, 'wechat', { ...given, amountFen: amount, expiresMs })
  if (trade === 'paid') return no(400, 'ORDERPAID', '订单已支付')
  if (trade === 'closed') return no(400, 'ORDER_CLOSED', '订单已关闭')
  if (trade === 'differs') return no(400, 'INVALID_REQUEST', '201 商户订单号重复')
  if (!isScanned) return { status: 200, body: { code_url: `${core.baseUrl()}/pay/${trade.token}` } }
  return scanned(core, trade, String((body.payer as Json | undefined)?.auth_code ?? ''))
}

/** Codes that end in 1: the customer types a password first; in 2: there is no money behind it. */
function scanned(core: Core, trade: Trade, code: string): Said {
  if (!/^1[0-5]\d{16}$/.test(code)) return no(400, 'AUTH_CODE_INVALID', '付款码无效')
  if (code.endsWith('2')) return no(403, 'NOTENOUGH', '余额不足')
  if (code.endsWith('1')) {
    core.later(async () => void pay(core, trade), 0)
    return no(400, 'USERPAYING', '用户支付中')
  }
  pay(core, trade)
  return { status: 200, body: transaction(trade) }
}

function read({ core, party, path, query }: Call): Said {
  const trade = /\/transactions\/out-trade-no\/([A-Za-z0-9]+)$/.exec(path)?.[1]
  if (trade !== undefined) {
    const found = find(core, 'wechat', trade)
    const isOwn = (query.get('mchid') ?? query.get('sp_mchid')) === party.number
    return found && isOwn ? { status: 200, body: transaction(found) } : no(404, 'ORDER_NOT_EXIST', '订单不存在')
  }
  const refundNo = /^\/v3\/refund\/domestic\/refunds\/([A-Za-z0-9]+)$/.exec(path)?.[1]
  if (refundNo !== undefined) {
    const found = core.truth.findRefund('wechat', refundNo)
    return found ? { status: 200, body: refundBody(found.trade, found.refund) } : no(404, 'RESOURCE_NOT_EXISTS')
  }
  if (path.startsWith('/v3/profitsharing/orders/')) return readShares(core, path, query)
  return bill(core, party, path, query)
}

function bill(core: Core, party: Party, path: string, query: URLSearchParams): Said {
  const day = query.get('bill_date') ?? ''
  const kind = path === '/v3/bill/tradebill' ? 'trade' : 'fund'
  if (path === '/v3/billdownload/file') return { status: 200, file: billFile(core, query) }
  if (path !== '/v3/bill/tradebill' && path !== '/v3/bill/fundflowbill') return no(404, 'NOT_FOUND')
  const asked = new URLSearchParams({ token: `${kind}.${day}.${party.number}` })
  const file = billFile(core, asked)
  if (file.length === 0) return no(400, 'NO_STATEMENT_EXIST', '账单不存在')
  const sum = createHash('sha1').update(file).digest('hex')
  const url = `${core.baseUrl()}/v3/billdownload/file?${asked}`
  return { status: 200, body: { hash_type: 'SHA1', hash_value: sum, download_url: url } }
}

function billFile(core: Core, query: URLSearchParams): Buffer {
  const [kind, day = '', party = ''] = (query.get('token') ?? '').split('.')
  const asked = { day, party }
  return Buffer.from(kind === 'fund' ? wechatFundBill(core, asked) : wechatTradeBill(core, asked))
}

function giveBack({ core, party, body }: Call): Said {
  const amount = (body.amount ?? {}) as Json
  const [amountFen, total] = [Number(amount.refund), Number(amount.total)]
  const merchant = [party.number, body.sub_mchid].filter(Boolean).join('/')
  const about = { merchant, appId: party.appId, no: String(body.out_trade_no), amountFen: total }
  const trade = assumed(core, 'wechat', about)
  if (trade && trade.amountFen !== total) return no(400, 'INVALID_REQUEST', '订单金额或退款金额与之前请求不一致')
  const given = { no: String(body.out_refund_no), amountFen, notifyUrl: String(body.notify_url ?? '') }
  const done = refund(core, trade, given)
  if (done === 'unknown' || done === 'unpaid') return no(404, 'RESOURCE_NOT_EXISTS', '订单不存在')
  if (done === 'tooSoon') return no(429, 'FREQUENCY_LIMITED', '频率限制')
  if (typeof done === 'string') return no(400, 'INVALID_REQUEST', done)
  return { status: 200, body: refundBody(trade!, done) }
}

function transaction(trade: Trade): Json {
  const [number, sub] = trade.merchant.split('/')
  const who = sub ? { sp_appid: trade.appId, sp_mchid: number, sub_mchid: sub } : { appid: trade.appId, mchid: number }
  const isPaid = trade.state === 'paid'
  const isRefunded = trade.refunds.some(({ state }) => state !== 'closed')
  return {
    ...who,
    out_trade_no: trade.no,
    trade_type: 'NATIVE',
    trade_state: isPaid ? (isRefunded ? 'REFUND' : 'SUCCESS') : trade.state === 'closed' ? 'CLOSED' : 'NOTPAY',
    trade_state_desc: '',
    ...(isPaid ? { transaction_id: trade.channelNo, success_time: chinaIso(trade.paidMs), bank_type: 'OTHERS' } : {}),
    amount: { total: isPaid ? trade.paidFen : trade.amountFen, payer_total: trade.paidFen, currency: 'CNY' },
    payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
  }
}

const refundStates = { processing: 'PROCESSING', refunded: 'SUCCESS', abnormal: 'ABNORMAL', closed: 'CLOSED' } as const

const refundBody = (trade: Trade, each: Refund): Json => ({
  refund_id: each.channelNo,
  out_refund_no: each.no,
  transaction_id: trade.channelNo,
  out_trade_no: trade.no,
  channel: 'ORIGINAL',
  status: refundStates[each.state],
  create_time: chinaIso(each.atMs),
  amount: { total: trade.amountFen, refund: each.amountFen, currency: 'CNY' },
})

/** What is told: sealed with the merchant's key and signed, unless the truth is to be bent. */
export function wechatNotice(core: Core, trade: Trade, each: Refund | null) {
  const { mischief } = core
  const number = trade.merchant.split('/')[0]
  const apiKey = core.file.parties.wechat.find((party) => party.number === number)?.apiKey ?? ''
  const status = each ? refundStates[each.state] : ''
  const inside = each
    ? { ...refundBody(trade, each), refund_status: status, mchid: number }
    : { ...transaction(trade), trade_state: 'SUCCESS', ...lieOf(mischief.lie, trade) }
  const type = each ? `REFUND.${status}` : 'TRANSACTION.SUCCESS'
  const body = JSON.stringify({
    id: nonce(),
    create_time: chinaIso(core.nowMs()),
    event_type: type,
    resource_type: 'encrypt-resource',
    resource: {
      ...sealed(apiKey, JSON.stringify(inside), each ? 'refund' : 'transaction'),
      original_type: 'transaction',
    },
    summary: each ? '退款' : '支付成功',
  })
  const headers = { 'content-type': 'application/json', ...signedHeaders(core, body, mischief.isForging) }
  return { url: each?.notifyUrl || trade.notifyUrl, headers, body, isTaken: (status: number) => status < 300 }
}

function lieOf(lie: Core['mischief']['lie'], trade: Trade): Json {
  if (lie === 'amount') return { amount: { total: 1, payer_total: 1, currency: 'CNY' } }
  if (lie === 'merchant') return trade.merchant.includes('/') ? { sub_mchid: '1900000001' } : { mchid: '1900000001' }
  return lie === 'order' ? { out_trade_no: `X${trade.no.slice(1)}`, transaction_id: `X${trade.channelNo}` } : {}
}
