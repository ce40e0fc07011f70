import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'

export type ExchangeKind =
  | 'offer'
  | 'query'
  | 'close'
  | 'refund'
  | 'query_refund'
  | 'notification'
  | 'bill'
  | 'test'
  | 'split'
  | 'query_split'
  | 'split_return'
  | 'split_receiver'

export type Exchange = {
  at: Date
  providerAccountId: number
  merchantId: number | null
  kind: ExchangeKind
  reference: string
  address: string
  request: Said
  status: number | null
  answer: Said
  outcome: 'answered' | 'refused' | 'silent' | 'forged'
  durationMs: number
}
type Said = { headers: Readonly<Record<string, string>>; body: string }

const MOST = 65_536

/** Word for word, as proof; what could be used again is masked. */
export async function keepExchange(db: Reader, each: Exchange): Promise<void> {
  await sql`insert into channel_exchange (at, provider_account_id, merchant_id, kind, reference, address,
      request_headers, request_body, status, answer_headers, answer_body, outcome, duration_ms)
    values (${each.at}, ${each.providerAccountId}, ${each.merchantId}, ${each.kind}, ${each.reference.slice(0, 64)},
      ${each.address.slice(0, 500)}, ${JSON.stringify(named(each.request.headers))}::jsonb,
      ${masked(each.request.body)}, ${each.status}, ${JSON.stringify(named(each.answer.headers))}::jsonb,
      ${masked(each.answer.body)}, ${each.outcome}, ${each.durationMs})`.execute(db)
}

/** What proves who spoke; the rest of a request's headers is the network's own. */
const kept = /^(authorization|content-type|wechatpay-|request-id|date$)/i

const named = (headers: Said['headers']): Said['headers'] =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => kept.test(name))
      .map(([name, value]) => [name.toLowerCase(), value.slice(0, 2_000)]),
  )

/** Codes of customers' wallets, tokens, and the numbers that name a customer or a card. */
const secret = 'auth_code|qrNo|app_auth_token|openid|sp_openid|sub_openid|buyer_id|buyer_logon_id|accNo|bill_token'
const inJson = new RegExp(`(\\\\?"(?:${secret})\\\\?"\\s*:\\s*\\\\?")[^"\\\\]+`, 'g')
const inForm = new RegExp(`((?:^|[&?]|%22)(?:${secret})(?:=|%22%3A%22))[^&%"]+`, 'g')

/** PostgreSQL holds no zero character. */
export const masked = (text: string): string =>
  text.replace(inJson, '$1***').replace(inForm, '$1***').replaceAll('\u0000', '').slice(0, MOST)
