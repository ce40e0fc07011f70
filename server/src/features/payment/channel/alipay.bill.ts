import { z } from 'zod'
import type { Ask } from './alipay.channel'
import { allOrNone, cellsOf } from '../bill/bill.rules'
import type { Bill, BillFile, BillLine, FundLine } from './channel.types'
import { fromChina } from './chinaTime.rules'
import { sha256 } from './rsa'
import type { Wire } from './wire'
import { fromYuan } from './yuan.rules'
import { filesIn } from '../bill/bill.files'

type Fetched = { outcome: 'ready'; content: Buffer } | { outcome: 'notReady' | 'unknown'; code: string | null }

/** Two archives of tables in GBK: the trades of a day, and what moved on the account. */
export async function readAlipayBill(wire: Wire, ask: Ask, day: string): Promise<Bill> {
  const trade = await fetchFile(wire, ask, day, 'trade')
  if (trade.outcome !== 'ready') return trade
  const funds = await fetchFile(wire, ask, day, 'signcustomer')
  if (funds.outcome === 'unknown') return funds
  const files: BillFile[] = [fileOf('trade', day, trade.content)]
  if (funds.outcome === 'ready') files.push(fileOf('funds', day, funds.content))
  const lines = alipayTradeLines(textsIn(trade.content))
  const moved = funds.outcome === 'ready' ? alipayFundLines(textsIn(funds.content)) : []
  if (!lines || !moved) return { outcome: 'unknown', code: 'UNREADABLE' }
  return { outcome: 'ready', files, lines, funds: moved }
}

const fileOf = (kind: BillFile['kind'], day: string, content: Buffer): BillFile => ({
  kind,
  name: `alipay-${kind}-${day}.zip`,
  content,
  hash: sha256(content),
})

async function fetchFile(wire: Wire, ask: Ask, day: string, type: 'trade' | 'signcustomer'): Promise<Fetched> {
  const method = 'alipay.data.dataservice.bill.downloadurl.query'
  const answer = await ask('bill', day, method, { bill_type: type, bill_date: day })
  if (!answer?.isProven) return { outcome: 'unknown', code: answer?.code ?? null }
  const given = z.object({ bill_download_url: z.url() }).safeParse(answer.body)
  if (!answer.isOk || !given.success) {
    return { outcome: /NOT_EXIST|not_exist/.test(answer.code ?? '') ? 'notReady' : 'unknown', code: answer.code }
  }
  const url = given.data.bill_download_url
  const heard = await wire({ kind: 'bill', reference: day, method: 'GET', url, headers: {}, body: '' })
  if (heard?.status !== 200) return { outcome: 'unknown', code: heard ? String(heard.status) : null }
  return { outcome: 'ready', content: heard.body }
}

/** The summaries that lie beside the details in an archive have no line of their own here. */
function textsIn(archive: Buffer): string[] | null {
  const decoder = new TextDecoder('gbk')
  return filesIn(archive)?.map(({ content }) => decoder.decode(content)) ?? null
}

const END = '#'

/** @returns null for what is not such a bill */
export function alipayTradeLines(texts: readonly string[] | null): BillLine[] | null {
  const table = texts?.flatMap((text) => cellsOf(text, '支付宝交易号', END) ?? [])
  if (!table || !texts?.some((text) => text.includes('支付宝交易号'))) return null
  return allOrNone(
    table.map((row): BillLine | null => {
      const isRefund = row('业务类型') === '退款'
      const [amount, fee] = [fromYuan(row('订单金额(元)')), fromYuan(row('服务费(元)'))]
      const at = fromChina(row('完成时间'))
      if (amount === null || fee === null || !at) return null
      return {
        kind: isRefund ? 'refund' : 'payment',
        attemptNo: row('商户订单号'),
        refundNo: isRefund ? row('退款批次号/请求号') : null,
        channelNo: row('支付宝交易号'),
        // Refunds and fees stand there with the sign that they have for the account.
        amountFen: Math.abs(amount),
        feeFen: fee === 0 ? 0 : -fee,
        at,
      }
    }),
  )
}

/** @returns null for what is not such a bill */
export function alipayFundLines(texts: readonly string[] | null): FundLine[] | null {
  const table = texts?.flatMap((text) => cellsOf(text, '账务流水号', END) ?? [])
  if (!table) return null
  return allOrNone(
    table.map((row): FundLine | null => {
      const [came, went] = [fromYuan(row('收入金额(+元)') || '0'), fromYuan(row('支出金额(-元)') || '0')]
      const at = fromChina(row('发生时间'))
      if (came === null || went === null || !at) return null
      return {
        kind: row('业务类型'),
        reference: row('商户订单号'),
        amountFen: came - Math.abs(went),
        balanceFen: fromYuan(row('账户余额(元)')),
        at,
      }
    }),
  )
}
