import { lookup as resolve } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { performance } from 'node:perf_hooks'
import { isPublicAddress, isPublicIp } from '@aisle/contract/merchant/callbackAddress'

const PATIENCE_MS = 10_000
/** Nobody needs megabytes to say that they heard. */
const MOST_ANSWER = 2_000

export type Heard = {
  status: number | null
  problem: string | null
  answer: string
  durationMs: number
  /** The header of that name, as it came. */
  retryAfter?: string | undefined
}
type Said = { headers: Record<string, string>; body: string; mostAnswer?: number; patienceMs?: number }
/** Which addresses may be called; tests listen on their own machine. */
export type Allowed = { address: (url: string) => boolean; ip: (ip: string) => boolean }
export const publicAlone: Allowed = { address: isPublicAddress, ip: isPublicIp }

/**
 * Posts once, to where the name leads now and nowhere else: the address that was judged is the one that is connected
 * to, so a name can't change its mind in between (DNS rebinding).
 */
export function call(
  url: string,
  { headers, body, mostAnswer = MOST_ANSWER, patienceMs = PATIENCE_MS }: Said,
  allowed: Allowed = publicAlone,
): Promise<Heard> {
  const startedMs = performance.now()
  const ended = (status: number | null, problem: string | null, answer = ''): Heard => ({
    status,
    problem,
    answer,
    durationMs: Math.round(performance.now() - startedMs),
  })
  if (!allowed.address(url)) return Promise.resolve(ended(null, 'address'))
  return new Promise((settle) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    const outgoing = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal: AbortSignal.timeout(patienceMs),
      lookup: judged(allowed),
    })
    outgoing.on('response', (incoming) => {
      let answer = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (part: string) => {
        if (answer.length < mostAnswer) answer += part
        if (answer.length >= mostAnswer) incoming.destroy()
      })
      const retryAfter = incoming.headers['retry-after']
      incoming.on('close', () =>
        settle({ ...ended(incoming.statusCode ?? null, null, answer.slice(0, mostAnswer)), retryAfter }),
      )
      incoming.on('error', () => undefined)
    })
    outgoing.on('error', (cause) => settle(ended(null, problemOf(cause))))
    outgoing.end(body)
  })
}

const judged =
  (allowed: Allowed): LookupFunction =>
  (name, options, done) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const found = error ? [] : addresses
      if (error) return done(error, '', 0)
      if (found.length === 0 || !found.every(({ address }) => isIP(address) > 0 && allowed.ip(address))) {
        return done(Object.assign(new Error('not a public address'), { code: 'address' }), '', 0)
      }
      const [first] = found
      if (options.all) return done(null, found)
      return done(null, first?.address ?? '', first?.family ?? 4)
    })
  }

function problemOf(cause: Error): string {
  if (cause.name === 'AbortError' || cause.name === 'TimeoutError') return 'timeout'
  return 'code' in cause ? String(cause.code).slice(0, 60) : cause.name
}
