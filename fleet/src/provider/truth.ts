import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Provider } from './keys'

/** What a provider knows of a payment, whoever asks and however. */
export type Trade = {
  provider: Provider
  /** The merchant's number, with that of the sub-merchant where there is one. */
  merchant: string
  appId: string
  no: string
  channelNo: string
  amountFen: number
  /** What the customer really paid. */
  paidFen: number
  state: 'waiting' | 'paid' | 'closed'
  atMs: number
  expiresMs: number
  paidMs: number
  notifyUrl: string
  token: string
  refunds: Refund[]
  /** Asked for to be shared: frozen until it is, or until it is said that nobody shares any more. */
  isShared: boolean
  isFinished: boolean
  splits: Split[]
  splitReturns: SplitReturn[]
}

/** One request to share; `keptFen`: what was not refunded then. */
export type Split = { no: string; channelNo: string; keptFen: number; lines: SplitLine[] }
export type SplitLine = {
  type: string
  account: string
  amountFen: number
  state: 'pending' | 'done' | 'failed'
  reason: string
  atMs: number
}
export type SplitReturn = {
  no: string
  splitNo: string
  account: string
  amountFen: number
  state: 'pending' | 'done' | 'failed'
  reason: string
  atMs: number
}

export type Refund = {
  no: string
  channelNo: string
  amountFen: number
  state: 'processing' | 'refunded' | 'abnormal' | 'closed'
  atMs: number
  notifyUrl: string
}

type Shares = 'isShared' | 'isFinished' | 'splits' | 'splitReturns'

export type Truth = {
  add: (trade: Omit<Trade, 'channelNo' | 'paidFen' | 'paidMs' | 'token' | 'refunds' | Shares>) => Trade
  find: (provider: Provider, no: string) => Trade | undefined
  findByToken: (token: string) => Trade | undefined
  findRefund: (provider: Provider, no: string) => { trade: Trade; refund: Refund } | undefined
  addRefund: (trade: Trade, refund: Omit<Refund, 'channelNo'>) => Refund
  all: () => Iterable<Trade>
  /** Whom merchants named as sharing with them; undefined for whom nobody ever named. */
  relate: (name: string, isRelated: boolean) => void
  isRelated: (name: string) => boolean | undefined
  /** After each change, the offer itself among them; the next start knows it. */
  keep: (trade: Trade) => void
}

/** @param file one line a change, read at the next start; null keeps nothing */
export function openTruth(file: string | null, seed: number): Truth {
  const trades = new Map<string, Trade>()
  const byToken = new Map<string, Trade>()
  const refunds = new Map<string, { trade: Trade; refund: Refund }>()
  const relations = new Map<string, boolean>()
  let count = seed
  const know = (trade: Trade) => {
    trades.set(key(trade.provider, trade.no), trade)
    byToken.set(trade.token, trade)
    for (const refund of trade.refunds) refunds.set(key(trade.provider, refund.no), { trade, refund })
  }
  for (const line of file ? readLines(file) : []) {
    if ('relation' in line) relations.set(line.relation, line.isRelated)
    else know({ ...unshared(), ...line })
  }
  const nextNo = (atMs: number) => {
    count += 1
    return `42${atMs}${String(count % 1e11).padStart(11, '0')}`
  }
  return {
    add: (given) => {
      const channelNo = nextNo(given.atMs)
      const trade = {
        ...given,
        channelNo,
        paidFen: 0,
        paidMs: 0,
        token: tokenOf(channelNo),
        refunds: [],
        ...unshared(),
      }
      know(trade)
      return trade
    },
    find: (provider, no) => trades.get(key(provider, no)),
    findByToken: (token) => byToken.get(token),
    findRefund: (provider, no) => refunds.get(key(provider, no)),
    addRefund: (trade, given) => {
      const refund = { ...given, channelNo: nextNo(given.atMs).replace(/^42/, '50') }
      trade.refunds.push(refund)
      know(trade)
      return refund
    },
    all: () => trades.values(),
    relate: (relation, isRelated) => {
      relations.set(relation, isRelated)
      if (file) appendFileSync(file, `${JSON.stringify({ relation, isRelated })}\n`)
    },
    isRelated: (name) => relations.get(name),
    keep: (trade) => {
      if (file) appendFileSync(file, `${JSON.stringify(trade)}\n`)
    },
  }
}

const key = (provider: Provider, no: string) => `${provider}/${no}`
/** Of trades that nobody shares in. */
export const unshared = (): Pick<Trade, Shares> => ({
  isShared: false,
  isFinished: false,
  splits: [],
  splitReturns: [],
})
const tokenOf = (channelNo: string) => BigInt(channelNo).toString(36)

type Relation = { relation: string; isRelated: boolean }

function readLines(file: string): (Trade | Relation)[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  // The last line may be cut off by a kill.
  return lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Trade | Relation] : []))
}
