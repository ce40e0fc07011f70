import type { CustomerEvidence, CustomerKind } from '@aisle/contract/support/customer'

/** What a customer says. Times in ms. */
export type Claim = { kind: CustomerKind; amountFen: number; atMs: number; goods: string }

/** A paid order of the machine near that time. */
export type Candidate = {
  orderId: number
  paidAtMs: number
  paidFen: number
  /** Its part for what the machine itself says did not come out. */
  failedFen: number
  /** The machine is still at it, or never said what became of it. */
  isUntold: boolean
  /** Money of it has gone back, or is on its way. */
  isBack: boolean
  /** The case that has it already. */
  claimedBy: number | null
  goods: readonly { name: string; slot: string }[]
}

export type Judged<C extends Candidate = Candidate> = C & { sureness: number; evidence: CustomerEvidence[] }

const MINUTE_MS = 60_000
/** A customer is off by a quarter of an hour at most. */
export const WITHIN_MS = 15 * MINUTE_MS
/** From which on an order is said to be the likely one. */
export const SURE_PERCENT = 80
/** People say "just now" and mean some minutes. */
const TIME_SPREAD_MS = 5 * MINUTE_MS
const NEAR_MS = 5 * MINUTE_MS
const TWIN_MS = 3 * MINUTE_MS
/** That it was none of these: another machine, another hour, or nothing at all. */
const NONE = 0.002

/**
 * How likely each order is the one that a customer means, best first: by how likely somebody with that order would say
 * this, against all the others and against none of them. The same input has the same answer.
 */
export function judged<C extends Candidate>(claim: Claim, candidates: readonly C[]): Judged<C>[] {
  const near = candidates.filter(({ paidAtMs }) => Math.abs(paidAtMs - claim.atMs) <= WITHIN_MS)
  const weighed = near.map((candidate) => ({ candidate, weight: weightOf(claim, candidate, near) }))
  const all = weighed.reduce((sum, { weight }) => sum + weight, NONE)
  return weighed
    .sort((a, b) => b.weight - a.weight || a.candidate.orderId - b.candidate.orderId)
    .map(({ candidate, weight }) => ({
      ...candidate,
      sureness: Math.floor((100 * weight) / all),
      evidence: evidenceOf(claim, candidate, near),
    }))
}

/** The one that it is about, where one is likely enough and no other case has it. */
export const likely = <C extends Candidate>(all: readonly Judged<C>[]): Judged<C> | undefined =>
  all.find(({ sureness, claimedBy }) => sureness >= SURE_PERCENT && claimedBy === null)

/** Whether what it cost, or what of it did not come out, is what the customer says. */
export const isAmountOf = ({ amountFen }: Pick<Claim, 'amountFen'>, { paidFen, failedFen }: Candidate): boolean =>
  paidFen === amountFen || failedFen === amountFen

function weightOf(claim: Claim, order: Candidate, near: readonly Candidate[]): number {
  const off = (order.paidAtMs - claim.atMs) / TIME_SPREAD_MS
  const time = Math.max(0.02, Math.exp(-(off * off) / 2))
  const free = order.claimedBy === null ? 1 : 0.001
  // Who has the money back has mostly seen it.
  const owed = order.isBack ? 0.4 : 1
  return time * free * owed * amountWeight(claim, order) * resultWeight(claim, order, near) * goodsWeight(claim, order)
}

function amountWeight(claim: Claim, order: Candidate): number {
  if (isAmountOf(claim, order)) return 1
  return Math.abs(order.paidFen - claim.amountFen) <= Math.max(50, order.paidFen / 10) ? 0.1 : 0.01
}

/** A machine that says itself what did not come out is seldom wrong; of what it has not said nothing is known. */
function resultWeight({ kind }: Claim, order: Candidate, near: readonly Candidate[]): number {
  const isFailed = order.failedFen > 0
  if (kind === 'other') return 0.5
  if (kind === 'wrong') return isFailed ? 0.1 : 0.9
  if (kind === 'twice') return hasTwin(order, near) ? 0.9 : 0.1
  if (isFailed) return 0.95
  return order.isUntold ? 0.4 : 0.03
}

/** Two payments of the same amount, one right after the other. */
const hasTwin = ({ orderId, paidFen, paidAtMs }: Candidate, near: readonly Candidate[]): boolean =>
  near.some(
    (other) => other.orderId !== orderId && other.paidFen === paidFen && Math.abs(other.paidAtMs - paidAtMs) <= TWIN_MS,
  )

const goodsWeight = ({ goods }: Claim, order: Candidate): number =>
  goods.trim() === '' || hasGoods(goods, order) ? 1 : 0.15

/** The name, a part of it, or the slot on the door: `A1`, `a 1`. */
function hasGoods(said: string, { goods }: Candidate): boolean {
  const words = plain(said)
  if (words === '') return false
  return goods.some(({ name, slot }) => {
    const whole = plain(name)
    return plain(slot) === words || whole.includes(words) || (whole !== '' && words.includes(whole))
  })
}

const plain = (text: string): string => text.toLowerCase().replace(/[\s\-_.·,，]+/g, '')

function evidenceOf(claim: Claim, order: Candidate, near: readonly Candidate[]): CustomerEvidence[] {
  const isIt = isAmountOf(claim, order)
  const said: [CustomerEvidence, boolean][] = [
    ['undelivered', order.failedFen > 0],
    ['amount', isIt],
    ['time', Math.abs(order.paidAtMs - claim.atMs) <= NEAR_MS],
    ['goods', hasGoods(claim.goods, order)],
    ['twin', claim.kind === 'twice' && hasTwin(order, near)],
    ['alone', isIt && near.filter((other) => isAmountOf(claim, other)).length === 1],
  ]
  return said.filter(([, holds]) => holds).map(([name]) => name)
}
