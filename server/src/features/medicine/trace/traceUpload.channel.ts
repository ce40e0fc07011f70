import { createHmac } from 'node:crypto'
import { type Allowed, call } from '../../../kernel/callOut'
import { type Outcome, readAnswer } from './traceUpload.rules'

export type Account = { enterpriseNo: string; address: string; secret: string }

/** A fact of one pack, as the platform is told it. The id is the same each time it is told. */
export type Told = {
  id: number
  kind: string
  code: string
  scheme: string
  level: number
  product: string
  approvalNumber: string
  batch: string | null
  expiresOn: string | null
  at: string
  machine: string | null
  order: string | null
}

export type Tell = (account: Account, items: readonly Told[], at: Date) => Promise<Heard>
export type Heard = { outcomes: Outcome[]; problem: string }

/**
 * The one function that another platform replaces: the wire format of the regulator's is not public, and this one is
 * our own (docs/decisions/0053). It says each item as often as it is asked to; the platform knows items by their ids.
 */
export async function tellPlatform(
  account: Account,
  items: readonly Told[],
  at: Date,
  allowed?: Allowed,
): Promise<Heard> {
  const body = JSON.stringify({ v: 1, enterprise: account.enterpriseNo, items })
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Aisle',
    'x-aisle-timestamp': String(at.getTime()),
    'x-aisle-signature': createHmac('sha256', account.secret).update(`${at.getTime()}\n${body}`).digest('hex'),
  }
  const heard = await call(account.address, { headers, body, mostAnswer: 512 * items.length + 1_000 }, allowed)
  if (heard.problem) return { outcomes: [], problem: heard.problem.slice(0, 60) }
  if (heard.status !== 200) return { outcomes: [], problem: String(heard.status) }
  const outcomes = readAnswer(heard.answer, new Set(items.map(({ id }) => id)))
  return outcomes ? { outcomes, problem: '' } : { outcomes: [], problem: 'unreadable' }
}
