import { createHmac } from 'node:crypto'
import { type Allowed, call } from '../../kernel/callOut'
import { readAnswer, readStatement, unheard } from './bank.rules'
import type { Bank, BankAnswer, BankAsk } from './bank.types'

/** Of a page of a statement. */
const MOST_PAGE = 500_000

export type BankLine = { customerNo: string; address: string; secret: string }
export type OpenBank = (line: BankLine, at: Date) => Bank

/**
 * The one function that a real bank's interface replaces: signed JSON over HTTPS, one order or question a call
 * (docs/decisions/0060).
 */
export function openBank(line: BankLine, at: Date, allowed?: Allowed): Bank {
  const ask = (kind: 'pay' | 'query' | 'statement', more: Partial<BankAsk & { page: number }>, mostAnswer?: number) => {
    const body = JSON.stringify({ v: 1, kind, customer: line.customerNo, ...more })
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Aisle',
      'x-aisle-timestamp': String(at.getTime()),
      'x-aisle-signature': createHmac('sha256', line.secret).update(`${at.getTime()}\n${body}`).digest('hex'),
    }
    return call(line.address, { headers, body, ...(mostAnswer && { mostAnswer }) }, allowed)
  }
  const say = async (kind: 'pay' | 'query', reference: string, more: Partial<BankAsk>): Promise<BankAnswer> => {
    const heard = await ask(kind, { reference, ...more })
    if (heard.problem) return unheard(heard.problem.slice(0, 60))
    return heard.status === 200 ? readAnswer(heard.answer, reference) : unheard(String(heard.status))
  }
  return {
    pay: (ask) => say('pay', ask.reference, ask),
    query: (reference) => say('query', reference, {}),
    statement: async (day, page) => {
      const { status, answer } = await ask('statement', { reference: day, page }, MOST_PAGE)
      return status === 200 ? readStatement(answer, day) : null
    },
  }
}
