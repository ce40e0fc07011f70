import { allOrNone } from '../bill/bill.rules'
import type { Bill, BillLine, FundLine } from './channel.types'
import { fromChina } from './chinaTime.rules'
import { sha256 } from './rsa'
import type { Ask, UnionPayParameters } from './unionpay.channel'
import { filesIn, unfolded } from '../bill/bill.files'

type Asked = { day: string; now: Date }

/** The statement of UnionPay's day: an archive within the answer, deflated, in base64, with tables of fixed width. */
export async function readUnionPayBill(
  ask: Ask,
  { fileGateway, merId }: UnionPayParameters,
  asked: Asked,
): Promise<Bill> {
  const { day, now } = asked
  const answer = await ask('bill', day, `${fileGateway}/`, {
    txnType: '76',
    txnSubType: '01',
    bizType: '000000',
    fileType: '00',
    settleDate: day.slice(5).replace('-', ''),
    txnTime: now.toISOString().slice(0, 19).replace(/\D/g, ''),
  })
  if (!answer?.isProven) return { outcome: 'unknown', code: answer?.code ?? null }
  const { fileContent, fileName = `unionpay-${day}.zip` } = answer.fields
  // 98: no statement of that day, or not yet.
  if (answer.code !== '00' || !fileContent)
    return { outcome: answer.code === '98' ? 'notReady' : 'unknown', code: answer.code }
  const content = unfolded(Buffer.from(fileContent, 'base64'))
  const tables = content && filesIn(content)?.filter(({ name }) => /ZM/.test(name))
  const read = tables && readSettled(tables.map((each) => each.content.toString('latin1')).join('\n'), day)
  if (!content || !read) return { outcome: 'unknown', code: 'UNREADABLE' }
  const { accounts, lines, funds } = read
  // A bill is never taken back, so one of another merchant does not come in.
  if (accounts.some((account) => account !== merId)) return { outcome: 'unknown', code: 'OTHER_MERCHANT' }
  const file = { kind: 'bill' as const, name: fileName, content, hash: sha256(content) }
  return { outcome: 'ready', files: [file], lines, funds }
}

/** Widths of the fields of a ZM file, each followed by a space (对账文件格式, 全渠道 5.1.0). */
const widths = [
  3, 11, 11, 6, 10, 19, 12, 4, 2, 21, 2, 32, 2, 6, 10, 13, 13, 4, 15, 2, 2, 6, 2, 4, 32, 1, 21, 15, 1, 15, 32, 13, 13,
  8, 32, 13, 13, 12, 2, 1, 131,
]
const at = { time: 4, amount: 6, queryId: 9, orderId: 11, fee: 15, settled: 16, type: 19, merchant: 27 }

type Settled = { lines: BillLine[]; funds: FundLine[]; accounts: string[] }

/** @returns null when a line is not of this form; `accounts`: the merchants (商户代码) that its lines are of */
export function readSettled(text: string, day: string): Settled | null {
  const rows = text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [fieldsOf(line)]))
  const read = allOrNone(rows.map((row) => lineOf(row, day)))
  if (!read) return null
  const accounts = [...new Set(rows.map((row) => row[at.merchant] ?? ''))].filter((no) => no !== '')
  return { accounts, lines: read.map(({ settledFen: _, ...line }) => line), funds: fundsOf(read, day) }
}

type SettledLine = BillLine & { settledFen: number }

/**
 * UnionPay keeps no balance for anybody and makes no bill of one: what it settles of each line stands beside it
 * (结算金额), and the sum of a day goes to the bank. So the day's moves are read from there, apart from the amounts and
 * fees of the lines: where the two say otherwise, it shows. A day of more refunds than payments is taken off a later
 * one.
 */
function fundsOf(lines: readonly SettledLine[], day: string): FundLine[] {
  const last = fromChina(`${day} 22:59:59`) ?? new Date(0)
  const moves = lines.flatMap(({ kind, amountFen, settledFen, channelNo, at: booked }): FundLine[] => {
    const grossFen = kind === 'payment' ? amountFen : -amountFen
    const move = { reference: channelNo, balanceFen: null, at: booked }
    return [
      { ...move, kind: kind === 'payment' ? '交易' : '退款', amountFen: grossFen },
      { ...move, kind: '手续费', amountFen: settledFen - grossFen },
    ].filter((each) => each.amountFen !== 0)
  })
  const settledFen = lines.reduce((sum, each) => sum + each.settledFen, 0)
  if (settledFen <= 0) return moves
  const payout = { kind: '结算', reference: `UP${day.replaceAll('-', '')}`, balanceFen: null, at: last }
  return [...moves, { ...payout, amountFen: -settledFen }]
}

function fieldsOf(row: string): string[] {
  let from = 0
  return widths.map((width) => {
    const field = row.slice(from, from + width).trim()
    from += width + 1
    return field
  })
}

function lineOf(fields: readonly string[], day: string): SettledLine | null {
  const [time = '', amount = '', fee = ''] = [fields[at.time], fields[at.amount], fields[at.fee]]
  const [orderId = '', queryId = '', type = ''] = [fields[at.orderId], fields[at.queryId], fields[at.type]]
  const [booked, kept] = [fromChina(yearOf(time, day) + time), signed(fee)]
  const settledFen = signed(fields[at.settled] ?? '')
  if (!booked || !/^\d{12}$/.test(amount) || kept === null || settledFen === null || !['01', '04', '31'].includes(type))
    return null
  const isRefund = type !== '01'
  return {
    kind: isRefund ? 'refund' : 'payment',
    // A refund has its own number; the payment that it belongs to is found by that.
    attemptNo: isRefund ? '' : orderId,
    refundNo: isRefund ? orderId : null,
    channelNo: queryId,
    amountFen: Number(amount),
    feeFen: -kept || 0,
    at: booked,
    settledFen,
  }
}

/** D: taken from the merchant; C: given to it. @returns fen, above 0 what it gets */
function signed(text: string): number | null {
  const found = /^([DC])(\d{12})$/.exec(text)
  if (!found) return null
  return (found[1] === 'C' ? Number(found[2]) : -Number(found[2])) || 0
}

/** Times stand there without their year; the first of January's statement begins in the old one. */
function yearOf(time: string, day: string): string {
  const isOfYearBefore = day.slice(5) === '01-01' && time.startsWith('12')
  return String(Number(day.slice(0, 4)) - (isOfYearBefore ? 1 : 0))
}
