import { between, chance, type Random } from '../random'
import type { BankStandIn } from './bank'
import type { Provider, ProviderFile } from './keys'
import { MOST_PERCENT, takeBackWith } from './splits'
import type { BillFault, Mischief } from './settings'
import type { TracePlatform } from './traces'
import type { Refund, Trade, Truth } from './truth'

export type Request = { method: string; path: string; query: string; headers: Record<string, string>; body: string }
export type Answer = { status: number; headers: Record<string, string>; body: string | Buffer }
/** Sends a notification. @returns status and body of what was answered, null for silence */
export type Deliver = (url: string, headers: Record<string, string>, body: string) => Promise<Delivered | null>
export type Delivered = { status: number; body: string }

export type Core = {
  file: ProviderFile
  truth: Truth
  traces: TracePlatform
  bank: BankStandIn
  mischief: Mischief
  faults: BillFault[]
  random: Random
  nowMs: () => number
  /** Unknown numbers count as paid: a demo's past was sold before this provider began. */
  isLenient: boolean
  /** Where the stand-in is reached. */
  baseUrl: () => string
  /** Work that goes on after the answer. */
  later: (work: () => Promise<void>, afterMs: number) => void
  tell: (trade: Trade, refund: Refund | null) => void
}

const MOST_REFUNDS = 50
const MINUTE_MS = 60_000

export type Offer = Pick<Trade, 'merchant' | 'appId' | 'no' | 'amountFen' | 'expiresMs' | 'notifyUrl'> & {
  isShared?: boolean
}

/** The same number asks for the same payment; another amount under it is refused. */
export function offer(core: Core, provider: Provider, given: Offer): Trade | 'paid' | 'closed' | 'differs' {
  const known = core.truth.find(provider, given.no)
  if (!known) {
    const { isShared = false, ...asked } = given
    const fresh = core.truth.add({ provider, ...asked, state: 'waiting', atMs: core.nowMs() })
    fresh.isShared = isShared
    // A customer may scan what was offered before a restart.
    core.truth.keep(fresh)
    return fresh
  }
  if (known.amountFen !== given.amountFen || known.merchant !== given.merchant) return 'differs'
  return known.state === 'waiting' ? known : known.state
}

export function find(core: Core, provider: Provider, no: string): Trade | undefined {
  const trade = core.truth.find(provider, no)
  // What nobody paid in time can't be paid any more.
  if (trade?.state === 'waiting' && core.nowMs() > trade.expiresMs) trade.state = 'closed'
  return trade
}

/** The customer pays. @param paidFen another amount than was asked for @returns why not, null when it is paid */
export function pay(core: Core, trade: Trade, paidFen = trade.amountFen): string | null {
  if (find(core, trade.provider, trade.no)?.state !== 'waiting') return trade.state
  Object.assign(trade, { state: 'paid', paidFen, paidMs: core.nowMs() })
  core.truth.keep(trade)
  if (!chance(core.random, core.mischief.untoldShare)) core.tell(trade, null)
  return null
}

export function close(core: Core, trade: Trade): boolean {
  if (trade.state === 'waiting') {
    trade.state = 'closed'
    core.truth.keep(trade)
  }
  return trade.state === 'closed'
}

export type RefundGiven = { no: string; amountFen: number; notifyUrl: string }
export type RefundRefusal = 'unknown' | 'unpaid' | 'tooMuch' | 'tooMany' | 'tooSoon' | 'differs'

/** The channels' common rules: never more than was paid, and the same number is the same refund. */
export function refund(core: Core, trade: Trade | undefined, given: RefundGiven): Refund | RefundRefusal {
  if (!trade) return 'unknown'
  const known = trade.refunds.find(({ no }) => no === given.no)
  if (known) return known.amountFen === given.amountFen ? retried(core, trade, known) : 'differs'
  if (trade.state !== 'paid') return 'unpaid'
  const held = trade.refunds.filter(({ state }) => state !== 'closed').reduce((sum, each) => sum + each.amountFen, 0)
  if (given.amountFen < 1 || held + given.amountFen > trade.paidFen) return 'tooMuch'
  if (trade.refunds.length >= MOST_REFUNDS) return 'tooMany'
  const last = trade.refunds.at(-1)
  if (core.mischief.limitsRefunds && last && core.nowMs() - last.atMs < MINUTE_MS) return 'tooSoon'
  const fresh = core.truth.addRefund(trade, { ...given, state: 'processing', atMs: core.nowMs() })
  settle(core, trade, fresh)
  return fresh
}

/** What was closed may be tried again under its number. */
function retried(core: Core, trade: Trade, known: Refund): Refund {
  if (known.state !== 'closed') return known
  known.state = 'processing'
  settle(core, trade, known)
  return known
}

function settle(core: Core, trade: Trade, fresh: Refund): void {
  core.truth.keep(trade)
  const end = core.mischief.refundEnds
  const finish = async () => {
    fresh.state = end
    if (trade.provider === 'alipay' && end === 'refunded') takeBackWith(core, trade, fresh.no)
    core.truth.keep(trade)
    if (!chance(core.random, core.mischief.untoldShare)) core.tell(trade, fresh)
  }
  // Alipay's answer says whether the money moved; the others only that they took the request.
  if (trade.provider === 'alipay') void finish()
  else core.later(finish, between(core.random, core.mischief.refundMs))
}

/** UnionPay refers to a payment by the number that it gave it. */
export const findByChannelNo = (core: Core, provider: Provider, channelNo: string): Trade | undefined =>
  [...core.truth.all()].find((trade) => trade.provider === provider && trade.channelNo === channelNo)

/** A trade of before this provider began, as the caller describes it. */
export function assumed(
  core: Core,
  provider: Provider,
  given: Omit<Offer, 'expiresMs' | 'notifyUrl'>,
): Trade | undefined {
  const known = find(core, provider, given.no)
  if (known || !core.isLenient || given.amountFen < 1) return known
  const atMs = core.nowMs() - 86_400_000
  const trade = core.truth.add({ provider, ...given, state: 'paid', atMs, expiresMs: atMs, notifyUrl: '' })
  Object.assign(trade, { paidFen: given.amountFen, paidMs: atMs })
  core.truth.keep(trade)
  return trade
}

type Owner = { provider: Provider; merchant: string; appId: string }

/** The same of one that is shared, as large as it must have been for what is asked. */
export function assumedShared(core: Core, owner: Owner, channelNo: string, askedFen: number): Trade | undefined {
  const { provider, ...by } = owner
  const known = findByChannelNo(core, provider, channelNo)
  if (known || channelNo === '' || !Number.isSafeInteger(askedFen)) return known
  const trade = assumed(core, provider, { ...by, no: channelNo, amountFen: Math.ceil((askedFen * 100) / MOST_PERCENT) })
  if (trade) core.truth.keep(Object.assign(trade, { channelNo, isShared: true }))
  return trade
}

export const sumOf = (lines: readonly { amountFen: number }[]): number =>
  lines.reduce((total, { amountFen }) => total + amountFen, 0)
