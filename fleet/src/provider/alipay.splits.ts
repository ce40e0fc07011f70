import type { Call } from './alipay'
import { no, OK, type Said } from './alipay.words'
import { assumedShared, findByChannelNo, sumOf } from './core'
import { finish, relation, split, type SplitRefusal } from './splits'
import { chinaStamp, fenOf, yuan } from './time'

type Fields = Record<string, string>

/** Asked for with its money frozen, to be shared. */
export const isFrozen = (content: object): boolean =>
  (content as { extend_params?: Fields }).extend_params?.royalty_freeze === 'true'

/** Royalties of face-to-face payments. */
export const splitMethods: Readonly<Record<string, (call: Call) => Said>> = {
  'alipay.trade.royalty.relation.bind': (call) => relate(call, true),
  'alipay.trade.royalty.relation.unbind': (call) => relate(call, false),
  'alipay.trade.order.settle': settle,
  'alipay.trade.order.settle.query': ({ core, content }) => {
    const trade = findByChannelNo(core, 'alipay', content.trade_no ?? '')
    const found = trade?.splits.find((each) => each.no === content.out_request_no)
    if (!trade || !found) return no('ACQ.SETTLE_NOT_EXIST')
    const list = found.lines.map(({ account, amountFen, state, reason, atMs }) => ({
      operation_type: 'transfer',
      trans_out: trade.merchant,
      trans_in: account,
      amount: yuan(amountFen),
      state: { pending: 'PROCESSING', done: 'SUCCESS', failed: 'FAIL' }[state],
      ...(atMs > 0 ? { execute_dt: chinaStamp(atMs) } : {}),
      ...(reason === '' ? {} : { error_code: reason }),
    }))
    return { ...OK, out_request_no: found.no, royalty_detail_list: list }
  },
}

/** Accounts that end in `0000` are closed. */
function relate({ core, party, content }: Call, isRelated: boolean): Said {
  const list = (content as unknown as { receiver_list?: Fields[] }).receiver_list ?? []
  const isWhole =
    list.length > 0 && list.length <= 20 && list.every(({ type }) => /^(userId|loginName)$/.test(type ?? ''))
  if (!isWhole || !content.out_request_no) return no('ACQ.INVALID_PARAMETER')
  for (const { account = '' } of list) {
    if (isRelated && account.endsWith('0000')) return no('ACQ.USER_NOT_EXIST')
    core.truth.relate(relation('alipay', party.appId, account), isRelated)
  }
  return { ...OK, result_code: 'SUCCESS' }
}

const words: Record<SplitRefusal, string> = {
  unknown: 'ACQ.TRADE_NOT_EXIST',
  notShared: 'ACQ.TRADE_SETTLE_ERROR',
  tooSoon: 'ACQ.TRADE_STATUS_ERROR',
  over: 'ACQ.TRADE_SETTLE_ERROR',
  tooMuch: 'ACQ.ALLOC_AMOUNT_VALIDATE_ERROR',
  tooMany: 'ACQ.ROYALTY_RECEIVER_INVALID',
  differs: 'ACQ.DISCORDANT_REPEAT_REQUEST',
}

function settle({ core, party, content }: Call): Said {
  const { trade_no: tradeNo = '', out_request_no: requestNo = '' } = content
  const asked = content as unknown as { royalty_parameters?: Fields[]; extend_params?: Fields; royalty_mode?: string }
  if (!requestNo || asked.royalty_mode !== 'async') return no('ACQ.INVALID_PARAMETER')
  const lines = (asked.royalty_parameters ?? []).map(
    ({ trans_in_type: type = '', trans_in: account = '', amount = '' }) => {
      return { type, account, amountFen: fenOf(amount) }
    },
  )
  const owner = { provider: 'alipay' as const, merchant: party.number, appId: party.appId }
  const trade = assumedShared(core, owner, tradeNo, sumOf(lines))
  const done = lines.length > 0 ? split(core, trade, requestNo, lines) : null
  if (typeof done === 'string') return no(words[done])
  const refused = asked.extend_params?.royalty_finish === 'true' ? finish(core, trade) : null
  return refused ? no(words[refused]) : { ...OK, trade_no: tradeNo, settle_no: done?.channelNo ?? requestNo }
}
