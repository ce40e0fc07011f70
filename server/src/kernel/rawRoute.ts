import type { Services } from './context'

/**
 * An address that somebody else's program calls in its own words: no envelope, no session, the body as it came, since
 * a signature stands over its bytes. What throws is answered as a bug, and the caller comes again.
 */
export type RawRoute = {
  /** POST where it is left out. */
  method?: 'GET' | 'POST'
  /** As Fastify writes it: `/api/pay/notify/:provider/:token`. */
  path: string
  run: (services: Services, call: RawCall) => Promise<RawAnswer>
}
export type RawCall = {
  params: Readonly<Record<string, string>>
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: string
  /** Path and query as they were asked for. */
  url: string
  method: string
  ip: string
}
export type RawAnswer = { status: number; type: string; body: string }
