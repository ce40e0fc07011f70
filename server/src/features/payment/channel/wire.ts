import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { bodyOf } from '../../../kernel/body'
import type { Services } from '../../../kernel/context'
import { type ExchangeKind, keepExchange } from '../exchange.store'

/** A customer waits in front of the machine; a provider that needs longer is asked again. */
const PATIENCE_MS = 8_000
/** Bills are files of a whole day. */
const BILL_PATIENCE_MS = 120_000
const MOST_BILL_BYTES = 200 * 1024 * 1024
const MOST_BYTES = 1024 * 1024

export type Call = {
  kind: ExchangeKind
  /** Our number that it is about, '' for none. */
  reference: string
  method: 'GET' | 'POST'
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}
export type Heard = { status: number; headers: Readonly<Record<string, string>>; body: Buffer }

/** Says one thing to a provider and keeps what was said on both sides. Silence, for whatever reason, is null. */
export type Wire = (call: Call, judge?: (heard: Heard) => Judged) => Promise<Heard | null>
type Judged = 'answered' | 'refused' | 'forged'

export type Line = { services: Services; providerAccountId: number; merchantId: number | null }

export const openWire =
  ({ services, providerAccountId, merchantId }: Line): Wire =>
  async (call, judge = () => 'answered') => {
    const startedMs = performance.now()
    const at = services.clock.now()
    const heard = await ask(call)
    await keepExchange(services.db, {
      at,
      providerAccountId,
      merchantId,
      kind: call.kind,
      reference: call.reference,
      address: `${call.method} ${withoutTokens(call.url)}`,
      request: { headers: call.headers, body: call.body },
      status: heard?.status ?? null,
      answer: { headers: heard?.headers ?? {}, body: heard ? readable(heard) : '' },
      outcome: heard ? judge(heard) : 'silent',
      durationMs: Math.round(performance.now() - startedMs),
    })
    return heard
  }

async function ask({ kind, method, url, headers, body }: Call): Promise<Heard | null> {
  try {
    const answer = await fetch(url, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(kind === 'bill' ? BILL_PATIENCE_MS : PATIENCE_MS),
      ...(method === 'POST' ? { body } : {}),
    })
    const content = await bodyOf(answer, kind === 'bill' ? MOST_BILL_BYTES : MOST_BYTES)
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: content }
  } catch {
    // Refused connections, names that do not resolve, answers cut off or without end: nobody knows what the other side
    // did.
    return null
  }
}

/** Files are kept by whoever imports them, once; the exchange says what came. */
function readable({ headers, body }: Heard): string {
  const isText = /json|text\/html|text\/xml|urlencoded/.test(headers['content-type'] ?? '') && body.length <= 65_536
  return isText ? body.toString('utf8') : `(${body.length} bytes)`
}

/** Download addresses carry what opens the file. */
const withoutTokens = (url: string): string => url.replace(/([?&](?:token|bill_token|sign)=)[^&]+/gi, '$1***')

export const nonce = (): string => randomBytes(16).toString('hex').toUpperCase()
