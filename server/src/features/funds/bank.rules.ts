import { z } from 'zod'
import type { BankAnswer } from './bank.types'

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

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
