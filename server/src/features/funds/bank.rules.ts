import { z } from 'zod'
import type { BankAnswer, StatementLine } from './bank.types'

const answer = z.object({
  reference: z.string(),
  state: z.enum(['accepted', 'paid', 'failed', 'returned', 'notFound']),
  amountFen: z.int().nullable().default(null),
  bankNo: z.string().max(60).nullable().default(null),
  reason: z.string().default(''),
})

export const unheard = (code: string): BankAnswer => ({ outcome: 'unknown', amountFen: null, bankNo: null, code })

/** Of an answer that is about something else, or none, nothing is known. */
export function readAnswer(text: string, reference: string): BankAnswer {
  const read = answer.safeParse(jsonOf(text))
  if (!read.success || read.data.reference !== reference) return unheard('unreadable')
  const { state, amountFen, bankNo, reason } = read.data
  return { outcome: state, amountFen, bankNo, code: reason.replaceAll('\0', '').slice(0, 120) || null }
}

const zName = z.string().trim().min(1).max(60)
const statement = z.object({
  reference: z.string(),
  isLast: z.boolean(),
  lines: z.array(
    z.object({ kind: z.enum(['paid', 'returned']), reference: zName, bankNo: zName, amountFen: z.int().positive() }),
  ),
})

/** @returns null for what is about another day or can't be trusted: no half of a statement is taken for all of it */
export function readStatement(text: string, day: string): { lines: StatementLine[]; isLast: boolean } | null {
  const read = statement.safeParse(jsonOf(text))
  if (!read.success || read.data.reference !== day || text.includes('\\u0000')) return null
  const { lines, isLast } = read.data
  return { lines, isLast }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
