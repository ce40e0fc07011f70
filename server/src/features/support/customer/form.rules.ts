import { type CustomerKind, customerKinds } from '@aisle/contract/support/customer'
import { dateTimeFormat } from '@aisle/contract/kernel/formatters'
import { isLanguage, type Language } from '@aisle/contract/kernel/text'

/** What stands in the form, as it came. */
export type Typed = Readonly<Record<string, string>>
export type Complaint = {
  kind: CustomerKind
  amountFen: number
  happenedAt: Date
  goods: string
  body: string
  /** Digits, with a + before those of another country; '' for none. */
  phone: string
}
export type FormField = 'kind' | 'amount' | 'at' | 'goods' | 'body' | 'phone' | 'picture' | 'form'
/** What is wrong with a field: `customer.problem.<word>` says it. */
export type Problems = Partial<Record<FormField, string>>

const DAY_MS = 24 * 3600_000
const OLDEST_DAYS = 30
/** A phone's clock that is ahead. */
const AHEAD_MS = 10 * 60_000
const MOST_FEN = 100_000
export const MOST_GOODS = 60
export const MOST_BODY = 500

/** @param now and the machine's time zone, in which the customer reads the clock */
export function readComplaint(
  typed: Typed,
  now: Date,
  timeZone: string,
): { said: Complaint; problems: null } | { said: null; problems: Problems } {
  const kind = customerKinds.find((each) => each === typed.kind)
  const amountFen = fenIn(typed.amount ?? '')
  const happenedAt = instantIn((typed.at ?? '').trim(), timeZone)
  const goods = (typed.goods ?? '').trim()
  const body = (typed.body ?? '').trim()
  const phone = phoneIn(typed.phone ?? '')
  const problems: Problems = {
    ...(!kind && { kind: 'kind' }),
    ...amountProblem(amountFen),
    ...timeProblem(happenedAt, now),
    ...([...goods].length > MOST_GOODS && { goods: 'goods' }),
    ...([...body].length > MOST_BODY && { body: 'body' }),
    ...(phone === null && { phone: 'phone' }),
  }
  if (!kind || amountFen === null || !happenedAt || phone === null || Object.keys(problems).length > 0) {
    return { said: null, problems }
  }
  return { said: { kind, amountFen, happenedAt, goods, body, phone }, problems: null }
}

function amountProblem(amountFen: number | null): Problems {
  if (amountFen === null || amountFen <= 0) return { amount: 'amount' }
  return amountFen > MOST_FEN ? { amount: 'amountMost' } : {}
}

function timeProblem(at: Date | null, now: Date): Problems {
  if (!at) return { at: 'at' }
  if (at.getTime() > now.getTime() + AHEAD_MS) return { at: 'atFuture' }
  return at.getTime() < now.getTime() - OLDEST_DAYS * DAY_MS ? { at: 'atOld' } : {}
}

/** Yuan as people write them: `5`, `5.5`, `5,50`. */
export function fenIn(text: string): number | null {
  const found = /^\s*[¥￥]?\s*(\d{1,6})(?:[.,](\d{1,2}))?\s*$/.exec(text)
  return found ? Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0')) : null
}

function phoneIn(text: string): string | null {
  const plain = text.replace(/[\s()\-.]/g, '')
  return plain === '' || /^\+?\d{6,15}$/.test(plain) ? plain : null
}

/** `2026-11-20T12:00` there. */
export function wallClock(at: Date, timeZone: string): string {
  const parts = dateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(at)
  return parts.replace(' ', 'T')
}

export function instantIn(text: string, timeZone: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return null
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return null
  const offMs = (at: number) => Date.parse(`${wallClock(new Date(at), timeZone)}Z`) - Math.floor(at / 60_000) * 60_000
  // Twice: the first guess may lie on the other side of a change of the clocks.
  return new Date(asUtc - offMs(asUtc - offMs(asUtc)))
}

export const languageIn = (text: string | null | undefined): Language | undefined =>
  text && isLanguage(text) ? text : undefined
