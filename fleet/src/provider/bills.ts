import type { Core } from './core'
import { toGbk } from './gbk'
import type { Provider } from './keys'
import { chinaDay, chinaDigits, chinaStamp, yuan } from './time'
import { type Refund, type Trade, unshared } from './truth'
import { zip } from './zip'

/** A line of a provider's day. */
type Line = { trade: Trade; refund: Refund | null; amountFen: number; feeFen: number; atMs: number }

const HOUR_MS = 3_600_000
/** 0.6 %, half a fen up: what such contracts say. */
const feeOf = (amountFen: number) => Math.round((amountFen * 6) / 1000)

/** What a bill is of: a day, and the party that asks; '' is every party's. */
type Asked = { day: string; party?: string }

/** WeChat's parties are known by their number, Alipay's by the id of their application. */
const isOf = ({ merchant, appId }: Trade, party = ''): boolean =>
  party === '' || appId === '' || merchant.split('/')[0] === party || appId === party

/** What happened that day, with the differences that were put in. @param isOn whether an instant belongs to the day */
function linesOf(core: Core, provider: Provider, isOn: (ms: number) => boolean, party = ''): Line[] {
  const lines: Line[] = []
  for (const trade of core.truth.all()) {
    if (trade.provider !== provider || !isOf(trade, party)) continue
    if (trade.state === 'paid' && isOn(trade.paidMs)) lines.push(line(trade, null, trade.paidFen, trade.paidMs))
    for (const each of trade.refunds) {
      if (each.state === 'refunded' && isOn(each.atMs)) lines.push(line(trade, each, each.amountFen, each.atMs))
    }
  }
  return withFaults(core, provider, lines, isOn).sort((a, b) => a.atMs - b.atMs)
}

const line = (trade: Trade, refund: Refund | null, amountFen: number, atMs: number): Line => ({
  trade,
  refund,
  amountFen,
  feeFen: refund ? -feeOf(amountFen) : feeOf(amountFen),
  atMs,
})

function withFaults({ faults }: Core, provider: Provider, lines: Line[], isOn: (ms: number) => boolean): Line[] {
  const noOf = ({ trade, refund }: Line) => refund?.no ?? trade.no
  const changed = lines.flatMap((each): Line[] => {
    const fault = faults.find(({ kind, no }) => kind !== 'add' && no === noOf(each))
    if (fault?.kind === 'leaveOut') return []
    if (fault?.kind === 'twice') return [each, each]
    return fault?.kind === 'amount' ? [{ ...each, amountFen: fault.amountFen }] : [each]
  })
  for (const fault of faults) {
    if (fault.kind !== 'add' || fault.provider !== provider || !isOn(fault.atMs)) continue
    const { no, amountFen, atMs } = fault
    const blank = { appId: '', merchant: '', token: '', notifyUrl: '', expiresMs: atMs, refunds: [], ...unshared() }
    const paid = { amountFen, paidFen: amountFen, paidMs: atMs, atMs, state: 'paid' as const }
    changed.push(line({ provider, no, channelNo: `99${no}`, ...blank, ...paid }, null, amountFen, atMs))
  }
  return changed
}

const onDay = (day: string) => (ms: number) => chinaDay(ms) === day
const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0)

/** Bills of a day are made when it is over. */
const isOver = (core: Core, day: string) => chinaDay(core.nowMs()) > day

const tick = (cells: readonly (string | number)[]) => cells.map((cell) => `\`${cell}`).join(',')

export function wechatTradeBill(core: Core, { day, party }: Asked): string {
  if (!isOver(core, day)) return ''
  const lines = linesOf(core, 'wechat', onDay(day), party)
  if (lines.length === 0) return ''
  const rows = lines.map(({ trade, refund, amountFen, feeFen, atMs }) => {
    const [number = '', sub = '0'] = trade.merchant.split('/')
    const money = refund ? ['0.00', '0.00'] : [yuan(amountFen), '0.00']
    const back = refund
      ? [refund.channelNo, refund.no, yuan(amountFen), '0.00', 'ORIGINAL', 'SUCCESS']
      : ['0', '0', '0.00', '0.00', '', '']
    const totals = refund ? ['0.00', yuan(amountFen)] : [yuan(amountFen), '0.00']
    const state = refund ? 'REFUND' : 'SUCCESS'
    const head = [chinaStamp(atMs), trade.appId, number, sub, '', trade.channelNo, trade.no, 'oUpF8', 'NATIVE', state]
    return tick([...head, 'OTHERS', 'CNY', ...money, ...back, '自助售货', '', yuan(feeFen), '0.60%', ...totals, ''])
  })
  const paid = lines.filter(({ refund }) => !refund).map(({ amountFen }) => amountFen)
  const back = lines.filter(({ refund }) => refund).map(({ amountFen }) => amountFen)
  const totals = [lines.length, yuan(sum(paid)), yuan(sum(back)), '0.00', yuan(sum(lines.map(({ feeFen }) => feeFen)))]
  const end = tick([...totals, yuan(sum(paid)), yuan(sum(back))])
  const names = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'
  return `\uFEFF${[WECHAT_TRADE, ...rows, names, end].join('\r\n')}\r\n`
}

const WECHAT_TRADE =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,' +
  '应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,' +
  '手续费,费率,订单金额,申请退款金额,费率备注'

type Move = { kind: string; amountFen: number; no: string; channelNo: string; atMs: number }

/** Money on the account: payments, refunds, their fees, and what others share; the balance after each. */
function movesOf(core: Core, provider: Provider, { day, party }: Asked) {
  let balanceFen = KEPT_FEN
  const paid = linesOf(core, provider, onDay(day), party).flatMap(({ trade, refund, amountFen, feeFen, atMs }) => {
    const no = refund?.no ?? trade.no
    const channelNo = refund?.channelNo ?? trade.channelNo
    return [
      { kind: refund ? '退款' : '交易', amountFen: refund ? -amountFen : amountFen, no, channelNo, atMs },
      { kind: refund ? '手续费退回' : '扣除交易手续费', amountFen: -feeFen, no, channelNo, atMs },
    ]
  })
  const all = [...paid, ...sharesOf(core, provider, onDay(day), party)].sort((a, b) => a.atMs - b.atMs)
  const moves = all.flatMap((move) => {
    if (move.amountFen === 0) return []
    balanceFen += move.amountFen
    return [{ ...move, balanceFen }]
  })
  if (balanceFen <= KEPT_FEN) return moves
  // What the day brought is paid out at its end, to the bank account of the contract.
  const channelNo = `TX${day.replaceAll('-', '')}${party?.slice(-6) ?? ''}`
  const atMs = Date.parse(`${day}T23:59:59+08:00`)
  const payout = {
    kind: '提现',
    amountFen: KEPT_FEN - balanceFen,
    no: channelNo,
    channelNo,
    atMs,
    balanceFen: KEPT_FEN,
  }
  return [...moves, payout]
}

/** What went to those who share, and what came back from them. */
function sharesOf(core: Core, provider: Provider, isOn: (ms: number) => boolean, party = ''): Move[] {
  const isDone = ({ state, atMs }: { state: string; atMs: number }) => state === 'done' && isOn(atMs)
  const trades = [...core.truth.all()].filter((trade) => trade.provider === provider && isOf(trade, party))
  return trades.flatMap(({ splits, splitReturns }) => [
    ...splits.flatMap(({ no, channelNo, lines }) =>
      lines.filter(isDone).map(({ amountFen, atMs }) => ({ kind: '分账', amountFen: -amountFen, no, channelNo, atMs })),
    ),
    ...splitReturns
      .filter(isDone)
      .map(({ no, amountFen, atMs }) => ({ kind: '分账回退', amountFen, no, channelNo: no, atMs })),
  ])
}

/** Stays on an account from day to day, so that refunds can be paid. */
const KEPT_FEN = 1_000_000

export function wechatFundBill(core: Core, asked: Asked): string {
  if (!isOver(core, asked.day)) return ''
  const moves = movesOf(core, 'wechat', asked)
  if (moves.length === 0) return ''
  const rows = moves.map(({ kind, amountFen, no, channelNo, atMs, balanceFen }) => {
    const way = amountFen < 0 ? '支出' : '收入'
    const amounts = [yuan(Math.abs(amountFen)), yuan(balanceFen)]
    return tick([chinaStamp(atMs), channelNo, channelNo, kind, kind, way, ...amounts, 'system', '', no])
  })
  const names = '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额'
  const came = moves.filter(({ amountFen }) => amountFen > 0).map(({ amountFen }) => amountFen)
  const went = moves.filter(({ amountFen }) => amountFen < 0).map(({ amountFen }) => -amountFen)
  const end = tick([moves.length, came.length, yuan(sum(came)), went.length, yuan(sum(went))])
  const head =
    '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额（元）,账户结余（元）,资金变更提交申请人,' +
    '备注,业务凭证号'
  return `\uFEFF${[head, ...rows, names, end].join('\r\n')}\r\n`
}

export function alipayTradeBill(core: Core, { day, party }: Asked): Buffer {
  if (!isOver(core, day)) return Buffer.alloc(0)
  const lines = linesOf(core, 'alipay', onDay(day), party)
  if (lines.length === 0) return Buffer.alloc(0)
  const rows = lines.map(({ trade, refund, amountFen, feeFen, atMs }) => {
    const amount = yuan(refund ? -amountFen : amountFen)
    const head = [`${trade.channelNo}\t`, `${trade.no}\t`, refund ? '退款' : '交易', '自助售货']
    const times = [chinaStamp(trade.atMs), chinaStamp(atMs)]
    const zeros = Array.from({ length: 5 }, () => '0.00')
    const tail = ['', '0.00', '0.00', refund ? `${refund.no}\t` : '\t', yuan(-feeFen), '0.00', '']
    return [...head, ...times, '', '', '', '', '159****5620', amount, amount, ...zeros, ...tail].join(',')
  })
  const details = [
    '#支付宝业务明细查询',
    '#-----------------------------------------业务明细列表----------------------------------------',
    ALIPAY_TRADE,
    ...rows,
    '#-----------------------------------------业务明细列表结束------------------------------------',
    `#导出时间：[${chinaStamp(core.nowMs())}]`,
  ]
  const number = core.file.parties.alipay.find(({ appId }) => appId === party)?.number ?? ''
  const stem = `${number}0156_${day.replaceAll('-', '')}`
  return zip([
    { name: `${stem}_业务明细.csv`, content: toGbk(`${details.join('\r\n')}\r\n`) },
    { name: `${stem}_业务明细(汇总).csv`, content: toGbk(`#支付宝业务汇总查询\r\n#合计：${lines.length}笔\r\n`) },
  ])
}

const ALIPAY_TRADE =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,' +
  '商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,' +
  '卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'

export function alipayFundBill(core: Core, { day, party }: Asked): Buffer {
  if (!isOver(core, day)) return Buffer.alloc(0)
  const moves = movesOf(core, 'alipay', { day, party })
  if (moves.length === 0) return Buffer.alloc(0)
  const rows = moves.map(({ kind, amountFen, no, channelNo, atMs, balanceFen }) => {
    const [came, went] = amountFen > 0 ? [yuan(amountFen), ''] : ['', yuan(amountFen)]
    const head = [`${channelNo}1\t`, `${channelNo}\t`, `${no}\t`, '自助售货', chinaStamp(atMs), '159****5620']
    return [...head, came, went, yuan(balanceFen), '支付宝', kind, ''].join(',')
  })
  const head =
    '账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,交易渠道,业务类型,备注'
  const text = ['#支付宝账务明细查询', head, ...rows, '#账务明细列表结束'].join('\r\n')
  return zip([{ name: `${day.replaceAll('-', '')}_账务明细.csv`, content: toGbk(`${text}\r\n`) }])
}

const widths = [
  3, 11, 11, 6, 10, 19, 12, 4, 2, 21, 2, 32, 2, 6, 10, 13, 13, 4, 15, 2, 2, 6, 2, 4, 32, 1, 21, 15, 1, 15, 32, 13, 13,
  8, 32, 13, 13, 12, 2, 1, 131,
]

/** @param settleDate MMDD of UnionPay's own day, 23:00 to 23:00 */
export function unionPayBill(core: Core, settleDate: string): Buffer {
  const dayOf = (ms: number) => chinaDay(ms + HOUR_MS)
  const isOn = (ms: number) => dayOf(ms).slice(5).replace('-', '') === settleDate && dayOf(ms) < dayOf(core.nowMs())
  const lines = linesOf(core, 'unionpay', isOn)
  if (lines.length === 0) return Buffer.alloc(0)
  const rows = lines.map(({ trade, refund, amountFen, feeFen, atMs }) => {
    const cells = widths.map(() => '')
    const amount = String(amountFen).padStart(12, '0')
    const fee = `${feeFen < 0 ? 'C' : 'D'}${String(Math.abs(feeFen)).padStart(12, '0')}`
    const placed: Record<number, string> = {
      0: refund ? 'S30' : 'S22',
      4: chinaDigits(atMs).slice(4),
      6: amount,
      9: refund?.channelNo.slice(0, 21) ?? trade.channelNo.slice(0, 21),
      11: refund?.no ?? trade.no,
      15: fee,
      16: `${refund ? 'D' : 'C'}${String(amountFen - Math.abs(feeFen)).padStart(12, '0')}`,
      18: trade.merchant,
      19: refund ? '04' : '01',
      20: '00',
      21: '000000',
      26: refund ? trade.channelNo.slice(0, 21) : '',
      27: trade.merchant,
    }
    return cells.map((_, at) => (placed[at] ?? '').padEnd(widths[at] ?? 0).slice(0, widths[at])).join(' ')
  })
  const name = `INN${settleDate}88ZM_777290058110048`
  return zip([{ name, content: Buffer.from(`${rows.join('\r\n')}\r\n`, 'latin1') }])
}
