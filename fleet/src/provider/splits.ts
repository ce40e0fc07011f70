import { between } from '../random'
import type { Core } from './core'
import type { Split, SplitLine, SplitReturn, Trade } from './truth'

const MINUTE_MS = 60_000
/** What contracts say unless more was asked for. */
export const MOST_PERCENT = 30
const MOST_REQUESTS = 50
const MOST_RECEIVERS = 50

type Asked = Pick<SplitLine, 'type' | 'account' | 'amountFen'>
export type SplitRefusal = 'unknown' | 'notShared' | 'tooSoon' | 'over' | 'tooMuch' | 'tooMany' | 'differs'

/** WeChat's merchants name who shares with them by their number, Alipay's by the id of their application. */
export const relation = (provider: string, owner: string, account: string): string => `${provider}/${owner}/${account}`

/** The same number is the same request; what is asked for is taken, and carried out a little later. */
export function split(core: Core, trade: Trade | undefined, no: string, asked: readonly Asked[]): Split | SplitRefusal {
  if (!trade || trade.state !== 'paid') return 'unknown'
  const known = trade.splits.find((each) => each.no === no)
  if (known) return isSame(known, asked) ? known : 'differs'
  if (!trade.isShared) return 'notShared'
  if (trade.isFinished) return 'over'
  if (core.nowMs() - trade.paidMs < MINUTE_MS) return 'tooSoon'
  const others = trade.splits.flatMap(({ lines }) => lines).filter(({ state }) => state !== 'failed')
  const sum = [...others, ...asked].reduce((total, { amountFen }) => total + amountFen, 0)
  const isWhole = asked.length > 0 && asked.every(({ amountFen }) => Number.isSafeInteger(amountFen) && amountFen > 0)
  const keptFen = trade.paidFen - backFen(trade)
  if (!isWhole || sum > Math.floor((trade.paidFen * MOST_PERCENT) / 100) || sum > keptFen) return 'tooMuch'
  if (trade.splits.length >= MOST_REQUESTS || asked.length > MOST_RECEIVERS) return 'tooMany'
  const lines = asked.map((line): SplitLine => ({ ...line, state: 'pending', reason: '', atMs: 0 }))
  const fresh: Split = { no, channelNo: `30${core.nowMs()}${no.slice(-8)}`, keptFen, lines }
  trade.splits.push(fresh)
  core.truth.keep(trade)
  core.later(async () => carryOut(core, trade, fresh), between(core.random, core.mischief.refundMs))
  return fresh
}

const isSame = ({ lines }: Split, asked: readonly Asked[]): boolean =>
  lines.length === asked.length &&
  asked.every(({ account, amountFen }) =>
    lines.some((line) => line.account === account && line.amountFen === amountFen),
  )

const backFen = ({ refunds }: Trade): number =>
  refunds.filter(({ state }) => state !== 'closed').reduce((total, { amountFen }) => total + amountFen, 0)

function carryOut(core: Core, trade: Trade, { lines }: Split): void {
  for (const line of lines) {
    const reason = reasonOf(core, trade, line.account)
    Object.assign(line, { state: reason === '' ? 'done' : 'failed', reason, atMs: core.nowMs() })
  }
  core.truth.keep(trade)
}

function reasonOf({ truth, mischief, isLenient }: Core, { provider, merchant, appId }: Trade, account: string): string {
  const owner = provider === 'alipay' ? appId : merchant
  const isRelated = truth.isRelated(relation(provider, owner, account)) ?? isLenient
  return isRelated ? (mischief.splitFails[account] ?? '') : 'NO_RELATION'
}

/** What is left over is its merchant's; saying so twice changes nothing. */
export function finish(core: Core, trade: Trade | undefined): SplitRefusal | null {
  if (!trade || trade.state !== 'paid') return 'unknown'
  if (!trade.isShared) return 'notShared'
  trade.isFinished = true
  core.truth.keep(trade)
  return null
}

export type ReturnAsked = { no: string; splitNo: string; account: string; amountFen: number }

/** Merchants alone give back, and no more than they got; the same number asks how it stands. */
export function takeBack(core: Core, asked: ReturnAsked): SplitReturn | 'unknown' | 'person' | 'tooMuch' | 'differs' {
  const trade = [...core.truth.all()].find(({ splits }) => splits.some(({ no }) => no === asked.splitNo))
  const line = trade?.splits
    .find(({ no }) => no === asked.splitNo)
    ?.lines.find(({ account, state }) => account === asked.account && state === 'done')
  if (!trade || !line) return 'unknown'
  const known = trade.splitReturns.find(({ no }) => no === asked.no)
  if (known) return known.amountFen === asked.amountFen ? known : 'differs'
  if (line.type !== 'MERCHANT_ID') return 'person'
  const back = trade.splitReturns.filter(({ splitNo, account, state }) => {
    return splitNo === asked.splitNo && account === asked.account && state !== 'failed'
  })
  const sum = back.reduce((total, { amountFen }) => total + amountFen, asked.amountFen)
  if (!(asked.amountFen > 0) || sum > line.amountFen) return 'tooMuch'
  const fresh: SplitReturn = { ...asked, state: 'pending', reason: '', atMs: core.nowMs() }
  trade.splitReturns.push(fresh)
  core.truth.keep(trade)
  core.later(
    async () => {
      const reason = core.mischief.returnFails[asked.account] ?? ''
      Object.assign(fresh, { state: reason === '' ? 'done' : 'failed', reason, atMs: core.nowMs() })
      core.truth.keep(trade)
    },
    between(core.random, core.mischief.refundMs),
  )
  return fresh
}

/** Alipay takes each receiver's part back with a refund, in proportion to what was kept when it was shared. */
export function takeBackWith(core: Core, trade: Trade, refundNo: string): void {
  for (const { no: splitNo, keptFen, lines } of trade.splits) {
    const refundedFen = keptFen - (trade.paidFen - backFen(trade))
    for (const { account, amountFen, state } of lines) {
      const before = trade.splitReturns.filter((each) => each.splitNo === splitNo && each.account === account)
      const sum = before.reduce((total, each) => total + each.amountFen, 0)
      const fen = Math.min(amountFen, Math.floor((amountFen * refundedFen) / keptFen)) - sum
      if (state !== 'done' || fen <= 0) continue
      const back = { no: `${refundNo}${account.slice(-4)}`, splitNo, account, amountFen: fen }
      trade.splitReturns.push({ ...back, state: 'done', reason: '', atMs: core.nowMs() })
    }
  }
}
