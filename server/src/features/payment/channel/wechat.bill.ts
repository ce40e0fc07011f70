import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Bill, BillFile, BillLine, FundLine } from './channel.types'
import { allOrNone, cellsOf } from '../bill/bill.rules'
import { fromChina } from './chinaTime.rules'
import { sha256 } from './rsa'
import type { Speak, WechatParameters } from './wechat.channel'
import { authorization } from './wechat.sign'
import { nonce, type Wire } from './wire'
import { fromYuan } from './yuan.rules'

type From = { wire: Wire; speak: Speak; parameters: WechatParameters; now: () => Date }
type Fetched = { outcome: 'ready'; content: Buffer } | { outcome: 'notReady' | 'unknown'; code: string | null }

/** Trade bill and fund bill of a day; made from 9:00 of the next day on. */
export async function readWechatBill(from: From, day: string): Promise<Bill> {
  const sub = from.parameters.subMchId ? `&sub_mchid=${from.parameters.subMchId}` : ''
  const trade = await fetchFile(from, day, `/v3/bill/tradebill?bill_date=${day}${sub}&bill_type=ALL`)
  if (trade.outcome !== 'ready') return trade
  const funds = await fetchFile(from, day, `/v3/bill/fundflowbill?bill_date=${day}&account_type=BASIC`)
  if (funds.outcome === 'unknown') return funds
  const files: BillFile[] = [fileOf('trade', day, trade.content)]
  if (funds.outcome === 'ready') files.push(fileOf('funds', day, funds.content))
  const lines = wechatTradeLines(trade.content.toString('utf8'))
  const moved = funds.outcome === 'ready' ? wechatFundLines(funds.content.toString('utf8')) : []
  if (!lines || !moved) return { outcome: 'unknown', code: 'UNREADABLE' }
  return { outcome: 'ready', files, lines, funds: moved }
}

const fileOf = (kind: BillFile['kind'], day: string, content: Buffer): BillFile => ({
  kind,
  name: `wechat-${kind}-${day}.csv`,
  content,
  hash: sha256(content),
})

const given = z.object({ hash_type: z.literal('SHA1'), hash_value: z.string(), download_url: z.url() })

async function fetchFile({ wire, speak, parameters, now }: From, day: string, path: string): Promise<Fetched> {
  const answer = await speak('bill', day, path)
  if (!answer?.isProven) return { outcome: 'unknown', code: answer?.code ?? null }
  const known = given.safeParse(answer.body)
  if (!known.success) {
    return { outcome: answer.code === 'NO_STATEMENT_EXIST' ? 'notReady' : 'unknown', code: answer.code }
  }
  const { mchId, serial, privateKey } = parameters
  const signer = { mchId, serial, privateKey }
  const { pathname, search } = new URL(known.data.download_url)
  const asked = { method: 'GET', path: pathname + search, body: '', timestamp: Math.floor(now().getTime() / 1000) }
  const headers = { authorization: authorization(signer, { ...asked, nonce: nonce() }), accept: '*/*' }
  const url = known.data.download_url
  const heard = await wire({ kind: 'bill', reference: day, method: 'GET', url, headers, body: '' })
  if (heard?.status !== 200) return { outcome: 'unknown', code: heard ? String(heard.status) : null }
  // The download itself is not signed: the signed answer before it gave its sum.
  const sum = createHash('sha1').update(heard.body).digest('hex')
  if (sum !== known.data.hash_value.toLowerCase()) return { outcome: 'unknown', code: 'HASH_DIFFERS' }
  return { outcome: 'ready', content: heard.body }
}

/** Fields begin with a back-tick, so that spreadsheets keep them. @returns null for what is not such a bill */
export function wechatTradeLines(text: string): BillLine[] | null {
  const table = cellsOf(text, '交易时间', '总交易单数')
  if (!table) return null
  return allOrNone(
    table.map((row): BillLine | null => {
      const isRefund = row('交易状态') === 'REFUND'
      const amountFen = fromYuan(isRefund ? row('申请退款金额') : row('订单金额'))
      const [feeFen, at] = [fromYuan(row('手续费')), fromChina(row('交易时间'))]
      if (amountFen === null || feeFen === null || !at) return null
      return {
        kind: isRefund ? 'refund' : 'payment',
        attemptNo: row('商户订单号'),
        refundNo: isRefund ? row('商户退款单号') : null,
        channelNo: isRefund ? row('微信退款单号') : row('微信订单号'),
        amountFen,
        feeFen,
        at,
      }
    }),
  )
}

/** Who a trade bill is of: the number of each line, the service provider's where there is one. */
export const wechatAccounts = (text: string): string[] => [
  ...new Set((cellsOf(text, '交易时间', '总交易单数') ?? []).map((row) => row('商户号')).filter((no) => no !== '')),
]

/** @returns null for what is not such a bill */
export function wechatFundLines(text: string): FundLine[] | null {
  const table = cellsOf(text, '记账时间', '资金流水总笔数')
  if (!table) return null
  return allOrNone(
    table.map((row): FundLine | null => {
      const [amount, at] = [fromYuan(row('收支金额(元)')), fromChina(row('记账时间'))]
      if (amount === null || !at) return null
      return {
        kind: row('业务名称'),
        reference: row('业务凭证号'),
        amountFen: row('收支类型') === '支出' ? -amount : amount,
        balanceFen: fromYuan(row('账户结余(元)')),
        at,
      }
    }),
  )
}
