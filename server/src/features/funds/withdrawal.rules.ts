import { OPEN_DAYS, type WithdrawalState, withdrawalState } from '@aisle/contract/funds/states'
import { minuteOf } from '../../kernel/businessDay'
import { entry, moving, type Posting } from '../ledger/public'
import type { BankAnswer } from './bank.types'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** A new account of the merchant waits so long. */
export const ACCOUNT_WAITS_MS = 24 * 60 * MINUTE_MS

/** At the minute that the window ends it is over. */
export const isOpen = ({ from, to }: { from: string; to: string }, minute: number): boolean =>
  minute >= minuteOf(from) && minute < minuteOf(to)

export type Held = { availableFen: number; elsewhereFen: number }

/** What was settled in another way is paid out by who holds it there. */
export const withdrawableOf = ({ availableFen, elsewhereFen }: Held): number =>
  Math.max(0, availableFen - Math.max(0, elsewhereFen))

type Asking = Held & {
  isOpen: boolean
  isStopped: boolean
  hasPayer: boolean
  /** When the merchant's bank account was approved; null without one. */
  accountSince: Date | null
  /** The last money for the account came back from the bank. */
  isReturned: boolean
  totalFen: number
  now: Date
}

/** Why it can't be asked for; what nobody can change by waiting stands first. */
export function applyRefusal(asked: Asking) {
  if (asked.isStopped) return 'withdrawal.merchantStopped'
  if (!asked.hasPayer) return 'withdrawal.noPayer'
  if (asked.accountSince === null) return 'withdrawal.noBankAccount'
  if (asked.isReturned) return 'withdrawal.accountReturned'
  if (asked.now.getTime() - asked.accountSince.getTime() < ACCOUNT_WAITS_MS) return 'withdrawal.newBankAccount'
  if (!asked.isOpen) return 'withdrawal.window'
  return asked.totalFen > withdrawableOf(asked) ? 'withdrawal.tooMuch' : null
}

type Deciding = { requestedBy: number; checkedBy: number | null; isHolder: boolean }

/** Why a person may not decide: never on one's own, and never twice on the same. */
export function decideRefusal({ requestedBy, checkedBy, isHolder }: Deciding, userId: number) {
  if (!isHolder) return 'notHolder'
  if (requestedBy === userId) return 'ownRequest'
  return checkedBy === userId ? 'samePerson' : null
}

/** Above the limit the first look is not the last. */
export const isFirstOfTwo = (one: { amountFen: number; limitFen: number; checkedBy: number | null }): boolean =>
  one.amountFen > one.limitFen && one.checkedBy === null

export type Money = { merchantId: number; amountFen: number; feeFen: number; holderId: number; platformId: number }
const whole = ({ amountFen, feeFen }: Money) => amountFen + feeFen

/** Off what the merchant has, and not gone yet. */
export const holdPostings = (money: Money): Posting[] => [
  entry('available', money.merchantId, '', whole(money)),
  entry('withdrawing', money.merchantId, '', -whole(money)),
]

export const backPostings = (money: Money): Posting[] => [
  entry('withdrawing', money.merchantId, '', whole(money)),
  entry('available', money.merchantId, '', -whole(money)),
]

/** Out of the account of who holds it; the fee is earned with it. */
export const paidPostings = (money: Money): Posting[] =>
  moving([
    entry('withdrawing', money.merchantId, '', whole(money)),
    entry('bank', money.holderId, '', -money.amountFen),
    entry('fees', money.platformId, 'withdrawal', -money.feeFen),
  ])

/** The bank sent it back: so does the fee go back, since nothing was paid in the end. */
export const returnedPostings = (money: Money): Posting[] =>
  moving([
    entry('bank', money.holderId, '', money.amountFen),
    entry('fees', money.platformId, 'withdrawal', money.feeFen),
    entry('available', money.merchantId, '', -whole(money)),
  ])

/** Paid after all, when the merchant had it back already: what it has spent since has to be explained. */
export function latePostings(money: Money, availableFen: number): Posting[] {
  const covered = Math.min(Math.max(0, availableFen), whole(money))
  return moving([
    entry('available', money.merchantId, '', covered),
    entry('suspense', money.merchantId, 'bank', whole(money) - covered),
    entry('bank', money.holderId, '', -money.amountFen),
    entry('fees', money.platformId, 'withdrawal', -money.feeFen),
  ])
}

type Verb = keyof typeof withdrawalState.moves
type Asked = { state: WithdrawalState; amountFen: number; asks: number; paidAt: Date | null; endedAt: Date | null }
export type Decision = { verbs: Verb[]; detail: string | null; nextAt: Date | null }

/** Soon at first, then every hour; what has ended is asked about four times a day for a week. */
const againMs = (asks: number): number => Math.min(60, 2 ** Math.min(asks, 6)) * MINUTE_MS
const AFTERWARDS_MS = DAY_MS / 4

/**
 * What an answer of the bank changes. A bank may say the same twice, no after yes, yes after no, or nothing; of an
 * amount that is not ours nothing is believed.
 */
export function decide(one: Asked, said: BankAnswer, now: Date): Decision {
  const trusted = said.amountFen === null || said.amountFen === one.amountFen
  const { outcome, code } = trusted ? said : { outcome: 'unknown' as const, code: 'amountDiffers' }
  const verbs = verbsOf(one.state, outcome)
  const state = verbs.reduce((from, verb) => moved(from, verb), one.state)
  return { verbs, detail: detailOf(state, outcome, code), nextAt: nextOf({ ...one, state }, now) }
}

const isOver = (outcome: BankAnswer['outcome']) => outcome === 'failed' || outcome === 'returned'

function verbsOf(state: WithdrawalState, outcome: BankAnswer['outcome']): Verb[] {
  if (withdrawalState.is(state, 'underWay')) {
    if (outcome === 'paid') return ['confirm']
    if (outcome === 'returned') return ['confirm', 'giveBack']
    if (outcome === 'failed') return ['fail']
    if (outcome === 'accepted') return withdrawalState.can(state, 'hear') ? ['hear'] : []
    return withdrawalState.can(state, 'lose') ? ['lose'] : []
  }
  if (withdrawalState.can(state, 'giveBack') && isOver(outcome)) return ['giveBack']
  return withdrawalState.can(state, 'confirmLate') && outcome === 'paid' ? ['confirmLate'] : []
}

function moved(from: WithdrawalState, verb: Verb): WithdrawalState {
  if (!withdrawalState.can(from, verb)) throw new RangeError(`a withdrawal that is ${from} does not ${verb}`)
  return withdrawalState.to(verb)
}

function detailOf(state: WithdrawalState, outcome: BankAnswer['outcome'], code: string | null): string | null {
  if (withdrawalState.is(state, 'undone') || outcome === 'unknown') return (code ?? outcome).slice(0, 120)
  return outcome === 'notFound' && withdrawalState.is(state, 'underWay') ? outcome : null
}

function nextOf({ state, asks, paidAt, endedAt }: Asked, now: Date): Date | null {
  const at = now.getTime()
  if (withdrawalState.is(state, 'underWay')) return new Date(at + againMs(asks))
  if (withdrawalState.can(state, 'giveBack') || withdrawalState.can(state, 'confirmLate')) {
    const since = (paidAt ?? endedAt ?? now).getTime()
    return at + AFTERWARDS_MS < since + OPEN_DAYS * DAY_MS ? new Date(at + AFTERWARDS_MS) : null
  }
  return null
}
