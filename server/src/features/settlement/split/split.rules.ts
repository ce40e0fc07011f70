import { type SplitLineState, type SplitState, splitState } from '@aisle/contract/settlement/splitStates'
import { entry, moving, type Posting } from '../../ledger/public'
import type { SplitAnswer, SplitReturnAnswer } from '../../payment/public'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** A share of a rule: hundredths of a per cent of what the order leaves, or fen an order; one of both is null. */
export type Share = { receiverId: number; rateBps: number | null; fixedFen: number | null }
/** `amountFen` is to be sent, `deductedFen` stays with the merchant for what the receiver owes back. */
export type Part = { receiverId: number; amountFen: number; deductedFen: number }

/** At most what the contract allows of what was paid, and never more than the order leaves. */
const limitOf = (paidFen: number, baseFen: number, capPercent: number): number =>
  Math.max(0, Math.min(baseFen, Math.floor((paidFen * capPercent) / 100)))

/**
 * What each receiver gets of an order (docs/decisions/0070): amounts first, in their order, then rates of the base,
 * each as far as the limit reaches; rounded down, so that the rest is the merchant's.
 * @param baseFen what was paid less refunds, fees and tax
 * @returns in the order of the shares, with what they would have got without the limit
 */
export function shareOut(
  order: { paidFen: number; baseFen: number; capPercent: number },
  shares: readonly Share[],
): { parts: { receiverId: number; fen: number }[]; cutFen: number } {
  const { paidFen, baseFen, capPercent } = order
  let left = limitOf(paidFen, baseFen, capPercent)
  let cutFen = 0
  const got = new Map<number, number>()
  const take = (receiverId: number, wantedFen: number) => {
    const fen = Math.min(wantedFen, left)
    left -= fen
    cutFen += wantedFen - fen
    got.set(receiverId, fen)
  }
  for (const { receiverId, fixedFen } of shares) if (fixedFen !== null) take(receiverId, fixedFen)
  for (const { receiverId, rateBps } of shares) {
    if (rateBps !== null) take(receiverId, Math.floor((Math.max(0, baseFen) * rateBps) / 10_000))
  }
  return { parts: shares.map(({ receiverId }) => ({ receiverId, fen: got.get(receiverId) ?? 0 })), cutFen }
}

export type Claim = { id: number; openFen: number }

/** What a receiver owes back comes off what it gets, oldest first. @returns how much each claim is settled by */
export function deduct(fen: number, claims: readonly Claim[]): { id: number; fen: number }[] {
  let left = fen
  return claims.flatMap(({ id, openFen }) => {
    const taken = Math.min(left, openFen)
    left -= taken
    return taken > 0 ? [{ id, fen: taken }] : []
  })
}

/** Sums of rates at one channel, in hundredths of a per cent. */
export const ratesOf = (shares: readonly Pick<Share, 'rateBps'>[]): number =>
  shares.reduce((sum, { rateBps }) => sum + (rateBps ?? 0), 0)

type Refunded = { amountFen: number; keptFen: number; refundedFen: number; askedBackFen: number }

/**
 * What of a share is due back after refunds: its part in proportion to what was kept when it was made, all of it where
 * nothing is kept. @param refundedFen of what was kept then @param askedBackFen what earlier refunds asked back
 */
export function dueBack({ amountFen, keptFen, refundedFen, askedBackFen }: Refunded): number {
  const part = refundedFen >= keptFen ? amountFen : Math.floor((amountFen * refundedFen) / keptFen)
  return Math.max(0, Math.min(part, amountFen) - askedBackFen)
}

/** 8 to 32 letters and digits. A new number is a new request, and is taken only once the old one is over for sure. */
export const splitNoOf = (id: number, tries: number): string =>
  `SP${String(id).padStart(10, '0')}${String(tries).padStart(2, '0')}`
export const finishNoOf = (id: number): string => `SF${String(id).padStart(10, '0')}`
export const returnNoOf = (id: number, tries: number): string =>
  `SR${String(id).padStart(10, '0')}${String(tries).padStart(2, '0')}`

/** Soon at first, then every hour. */
export const againAt = (asks: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(60, 2 ** Math.min(asks, 6)) * MINUTE_MS)

export type SentLine = { id: number; state: SplitLineState; account: string; amountFen: number }
type LineMove = { id: number; verb: 'confirm' | 'fail'; code: string | null }
export type Heard = { verbs: ('lose' | 'hear' | 'fail' | 'finish')[]; lines: LineMove[]; detail: string | null }

/**
 * What an answer changes of a split whose channel was asked for the lines. Of a share that the answer does not name, or
 * names with another amount, nothing is known.
 */
export function hear(state: SplitState, sent: readonly SentLine[], said: SplitAnswer): Heard {
  if (said.outcome === 'refused') {
    const code = said.code ?? 'refused'
    return { verbs: ['fail'], lines: sent.map(({ id }) => ({ id, verb: 'fail', code })), detail: code }
  }
  const known = sent.map((line) => {
    const share = said.shares.find((one) => one.account === line.account && one.amountFen === line.amountFen)
    return { id: line.id, outcome: share?.outcome ?? ('waiting' as const), code: share?.code ?? null, isTold: !!share }
  })
  const lines = known.flatMap(({ id, outcome, code }): LineMove[] =>
    outcome === 'waiting' ? [] : [{ id, verb: outcome === 'done' ? 'confirm' : 'fail', code }],
  )
  const isKnown = said.outcome === 'taken' && known.every(({ isTold }) => isTold)
  if (!isKnown) {
    const verbs = splitState.can(state, 'lose') ? (['lose'] as const) : []
    return { verbs: [...verbs], lines: said.outcome === 'taken' ? lines : [], detail: said.code ?? 'unclear' }
  }
  if (lines.length === sent.length) return { verbs: [], lines, detail: null }
  return { verbs: splitState.can(state, 'hear') ? ['hear'] : [], lines, detail: null }
}

/** Where all lines stand, what follows for the split: it is over, or somebody has to decide. */
export function follows(states: readonly SplitLineState[]): 'finish' | 'fail' | null {
  if (states.every((state) => state === 'done' || state === 'released')) return 'finish'
  const isUnderWay = states.some((state) => state === 'waiting' || state === 'sent')
  return isUnderWay ? null : 'fail'
}

/** Codes after which the receiver is known to nobody any more: its shares wait until it is bound again. */
export const losesReceiver = (code: string | null): boolean =>
  code !== null && /NO_RELATION|RELATION_NOT_EXIST|ACCOUNT_ABNORMAL|ACCOUNT_NOT_EXIST|USER_NOT_EXIST/.test(code)
export const NOT_BOUND = 'NO_RELATION'
export const STOPPED = 'MERCHANT_STOPPED'

type FailedLine = { code: string | null; failedAt: Date | null; isBound: boolean; isStopped: boolean }

/** Why a share that failed can't be sent again now. */
export function againRefusal({ code, failedAt, isBound, isStopped }: FailedLine, now: Date) {
  if (/HIGH_RISK/.test(code ?? '')) return 'split.never' as const
  if (!isBound || isStopped) return 'split.notBound' as const
  const isLimit = /RECEIPT_LIMIT/.test(code ?? '')
  if (isLimit && failedAt && monthOf(failedAt) === monthOf(now)) return 'split.nextMonth' as const
  return null
}

/** Limits of receivers are by the channel's month, which is China's. */
const monthOf = (at: Date): string => new Date(at.getTime() + 8 * 60 * MINUTE_MS).toISOString().slice(0, 7)

export function hearReturn(said: SplitReturnAnswer): 'confirm' | 'claim' | 'again' | null {
  if (said.outcome === 'done') return 'confirm'
  if (said.outcome === 'refused') return 'claim'
  return said.outcome === 'over' ? 'again' : null
}

/** Channels take nothing back after so many days. */
const RETURN_DAYS = 180
type Given = { canReturn: boolean; consents: boolean; doneAt: Date | null }

/** Whether the channel is asked to take it back, or the receiver owes it. */
export const isReturned = ({ canReturn, consents, doneAt }: Given, now: Date): boolean =>
  canReturn && consents && doneAt !== null && now.getTime() - doneAt.getTime() < RETURN_DAYS * DAY_MS

type Of = { merchantId: number; receiverId: number; provider: string; ownerId: number }
const key = (receiverId: number) => String(receiverId)

/** Paid by the channel: its bill shows it as a line of its own on the account of who has the contract. */
export const donePostings = ({ merchantId, receiverId, provider, ownerId }: Of, fen: number): Posting[] =>
  moving([entry('split_payable', merchantId, key(receiverId), fen), entry('clearing', ownerId, provider, -fen)])

/** Nobody's share any more: the merchant's. */
export const releasePostings = ({ merchantId, receiverId }: Pick<Of, 'merchantId' | 'receiverId'>, fen: number) =>
  moving([entry('split_payable', merchantId, key(receiverId), fen), entry('available', merchantId, '', -fen)])

export const returnPostings = ({ merchantId, provider, ownerId }: Omit<Of, 'receiverId'>, fen: number): Posting[] =>
  moving([entry('clearing', ownerId, provider, fen), entry('available', merchantId, '', -fen)])
