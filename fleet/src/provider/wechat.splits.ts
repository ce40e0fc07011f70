import { constants, privateDecrypt } from 'node:crypto'
import { assumedShared, type Core, findByChannelNo, sumOf } from './core'
import { finish, relation, split, type SplitRefusal, takeBack } from './splits'
import type { Split } from './truth'
import type { Call } from './wechat'
import { type Json, no, type Said } from './wechat.words'

/** Profit sharing as WeChat Pay v3 takes it. */
export function share(call: Call): Said {
  const { core, path, body } = call
  if (path === '/v3/profitsharing/receivers/add') return relate(call, true)
  if (path === '/v3/profitsharing/receivers/delete') return relate(call, false)
  if (path === '/v3/profitsharing/return-orders') return giveBack(core, body)
  const channelNo = String(body.transaction_id ?? '')
  const outNo = String(body.out_order_no ?? '')
  if (!/^[\w|*@-]{1,64}$/.test(outNo)) return no(400, 'PARAM_ERROR')
  if (path === '/v3/profitsharing/orders/unfreeze') {
    const refused = finish(core, findByChannelNo(core, 'wechat', channelNo))
    const done = { transaction_id: body.transaction_id, out_order_no: outNo, state: 'FINISHED', receivers: [] }
    return refused ? refusal(refused) : { status: 200, body: done }
  }
  if (path !== '/v3/profitsharing/orders' || typeof body.unfreeze_unsplit !== 'boolean') return no(400, 'PARAM_ERROR')
  const asked = ((body.receivers ?? []) as Json[]).map(({ type, account, amount, description }) => ({
    type: String(type),
    account: String(account),
    // A share without a word of what it is for is refused.
    amountFen: description ? Number(amount) : Number.NaN,
  }))
  const owner = { provider: 'wechat' as const, merchant: merchantOf(call), appId: call.party.appId }
  const done = split(core, assumedShared(core, owner, channelNo, sumOf(asked)), outNo, asked)
  return typeof done === 'string' ? refusal(done) : { status: 200, body: told(done, channelNo) }
}

const merchantOf = ({ party, body }: Call): string => [party.number, body.sub_mchid].filter(Boolean).join('/')

/** A merchant is named by its full name, sealed with WeChat's own key. Accounts that end in `0000` are closed. */
function relate(call: Call, isRelated: boolean): Said {
  const { core, party, body } = call
  const { type, account, name, appid } = body as Record<string, string>
  if (!account || appid !== party.appId || !/^(MERCHANT_ID|PERSONAL_OPENID)$/.test(type ?? ''))
    return no(400, 'PARAM_ERROR')
  if (isRelated && !body.relation_type) return no(400, 'PARAM_ERROR')
  if (isRelated && type === 'MERCHANT_ID' && !isReadable(core, name)) return no(400, 'PARAM_ERROR', '分账接收方全称')
  if (isRelated && account.endsWith('0000')) return no(400, 'INVALID_REQUEST', '分账接收方账户已注销')
  core.truth.relate(relation('wechat', merchantOf(call), account), isRelated)
  return { status: 200, body: { type, account } }
}

function isReadable({ file }: Core, sealed: string | undefined): boolean {
  try {
    const key = { key: file.keys.wechat.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING }
    return privateDecrypt(key, Buffer.from(sealed ?? '', 'base64')).length > 0
  } catch {
    return false
  }
}

const words: Record<SplitRefusal, [number, string]> = {
  unknown: [400, 'INVALID_REQUEST'],
  notShared: [403, 'NO_AUTH'],
  tooSoon: [400, 'INVALID_REQUEST'],
  over: [400, 'INVALID_REQUEST'],
  tooMuch: [403, 'RULE_LIMIT'],
  tooMany: [400, 'INVALID_REQUEST'],
  differs: [400, 'INVALID_REQUEST'],
}
const refusal = (why: SplitRefusal): Said => no(words[why][0], words[why][1], why)

const results = { pending: 'PENDING', done: 'SUCCESS', failed: 'CLOSED' } as const

const told = ({ no: outNo, channelNo, lines }: Split, transactionId: string): Json => ({
  transaction_id: transactionId,
  out_order_no: outNo,
  order_id: channelNo,
  state: lines.some(({ state }) => state === 'pending') ? 'PROCESSING' : 'FINISHED',
  receivers: lines.map(({ type, account, amountFen, state, reason }) => ({
    type,
    account,
    amount: amountFen,
    result: results[state],
    ...(reason === '' ? {} : { fail_reason: reason }),
  })),
})

export function readShares(core: Core, path: string, query: URLSearchParams): Said {
  const outNo = path.split('/').at(-1)
  const transactionId = query.get('transaction_id') ?? ''
  const found = findByChannelNo(core, 'wechat', transactionId)?.splits.find((each) => each.no === outNo)
  return found ? { status: 200, body: told(found, transactionId) } : no(404, 'RESOURCE_NOT_EXISTS')
}

function giveBack(core: Core, body: Json): Said {
  const [splitNo, outNo] = [String(body.out_order_no), String(body.out_return_no)]
  const asked = { no: outNo, splitNo, account: String(body.return_mchid), amountFen: Number(body.amount) }
  const done = takeBack(core, asked)
  if (done === 'unknown') return no(404, 'RESOURCE_NOT_EXISTS')
  if (typeof done === 'string') return no(400, 'INVALID_REQUEST', done)
  const result = { pending: 'PROCESSING', done: 'SUCCESS', failed: 'FAILED' }[done.state]
  const why = done.reason === '' ? {} : { fail_reason: done.reason }
  return { status: 200, body: { out_order_no: splitNo, out_return_no: outNo, amount: done.amountFen, result, ...why } }
}
