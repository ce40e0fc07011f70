import type { Provider } from '@aisle/contract/payment/states'
import { alipayFundLines, alipayTradeLines } from '../channel/alipay.bill'
import { readZip, TooLarge } from '../../../kernel/files/zip'
import type { BillLine, FundLine } from '../channel/channel.types'
import { readSettled } from '../channel/unionpay.bill'
import { wechatAccounts, wechatFundLines, wechatTradeLines } from '../channel/wechat.bill'
import { fromYuan } from '../channel/yuan.rules'

export type Statement =
  | ({ kind: 'trade'; lines: BillLine[] } & Named)
  | ({ kind: 'fund'; funds: FundLine[] } & Named)
  /** UnionPay's one file of both. */
  | ({ kind: 'bill'; lines: BillLine[]; funds: FundLine[] } & Named)
  /** `totals`: its own last lines say otherwise, so part of it is missing or was changed. */
  | Unread

/** `accounts`: the numbers at the provider that the file says it is of; none where it says nothing. */
type Named = { accounts: string[] }
type Unread = { kind: 'unreadable' } | { kind: 'totals' }

/** A day's file that fits a call has a tenth of this; what unfolds to more was made to. */
const most = { bytes: 8 * 1024 * 1024, entries: 20 }
const MOST_LINES = 20_000
/** Cut at its commas, a line is a list: no provider writes longer ones. */
const LONGEST_LINE = 8192

export type Uploaded = { provider: Provider; base64: string; day: string }

/**
 * A provider's file as a person downloaded it there: plain or in an archive, in the encoding of the provider. Read
 * whole or not at all, and checked against the count and totals that stand at its end. Runs apart from the server's
 * own thread (`statement.worker.ts`). @throws TooLarge, Broken
 */
export function readStatement({ provider, base64, day }: Uploaded): Statement {
  const texts = textsOf(provider, Buffer.from(base64, 'base64'))
  if (provider === 'unionpay') {
    const read = readSettled(texts.join('\n'), day)
    return read && read.lines.length > 0 ? { kind: 'bill', ...read } : { kind: 'unreadable' }
  }
  const text = texts.join('\n')
  const isWechat = provider === 'wechat'
  const accounts = isWechat ? wechatAccounts(text) : alipayAccounts(text)
  if (text.includes(isWechat ? '交易时间' : '支付宝交易号')) {
    const lines = isWechat ? wechatTradeLines(text) : alipayTradeLines(texts)
    if (!lines) return { kind: 'unreadable' }
    return isWhole(lines, isWechat ? wechatTotals(text) : alipayTotals(text))
      ? { kind: 'trade', lines, accounts }
      : TOTALS
  }
  if (!text.includes(isWechat ? '记账时间' : '账务流水号')) return { kind: 'unreadable' }
  const funds = isWechat ? wechatFundLines(text) : alipayFundLines(texts)
  return funds ? { kind: 'fund', funds, accounts } : { kind: 'unreadable' }
}

const TOTALS = { kind: 'totals' } as const

function textsOf(provider: Provider, content: Buffer): string[] {
  const isArchive = content.subarray(0, 2).toString('latin1') === 'PK'
  const files = isArchive ? readZip(content, most).map((each) => each.content) : [content]
  let lines = 0
  for (const file of files) {
    for (let from = 0, to = 0; to >= 0; from = to + 1) {
      to = file.indexOf(10, from)
      lines += 1
      if (lines > MOST_LINES || (to < 0 ? file.length : to) - from > LONGEST_LINE) throw new TooLarge()
    }
  }
  return files.map((file) => decode(provider, file))
}

/** Alipay writes GBK; who opened and saved it has UTF-8. */
function decode(provider: Provider, file: Buffer): string {
  const utf8 = file.toString('utf8')
  return provider === 'alipay' && utf8.includes('\uFFFD') ? new TextDecoder('gbk').decode(file) : utf8
}

type Totals = { count: number | null; paidFen: number | null }

/** `#账号：[20881234567890120156]`: the 16 digits of the partner, and what is the account's own after them. */
const alipayAccounts = (text: string): string[] => [
  ...new Set([...text.matchAll(/#账号[：:]\s*\[?(\d{16})/g)].flatMap(([, no]) => no ?? [])),
]

/** What the file does not say of itself can't be checked. */
function isWhole(lines: readonly BillLine[], { count, paidFen }: Totals): boolean {
  const payments = lines.filter(({ kind }) => kind === 'payment')
  const sum = payments.reduce((total, { amountFen }) => total + amountFen, 0)
  return (count === null || count === lines.length) && (paidFen === null || paidFen === sum)
}

/** The last line of WeChat's bill stands below its own heading. */
function wechatTotals(text: string): Totals {
  const rows = text.split(/\r?\n/)
  const at = rows.findIndex((row) => row.replace('`', '').startsWith('总交易单数'))
  const names = (rows[at] ?? '').split(',').map((cell) => cell.trim().replace('`', ''))
  const values = (rows[at + 1] ?? '').split(',').map((cell) => cell.trim().replace('`', ''))
  const [count, paid] = ['总交易单数', '订单总金额'].map((name) => values[names.indexOf(name)] ?? '')
  return { count: /^\d+$/.test(count ?? '') ? Number(count) : null, paidFen: fromYuan(paid ?? '') }
}

/** `#交易合计：3笔，商家实收共12.00元` */
function alipayTotals(text: string): Totals {
  const [trades, refunds] = ['交易', '退款'].map((name) => new RegExp(`#${name}合计[：:](\\d+)笔`).exec(text)?.[1])
  return { count: trades && refunds ? Number(trades) + Number(refunds) : null, paidFen: null }
}
