import type { Services } from './context'

/**
 * An address that somebody else's program calls in its own words: no envelope, no session, the body as it came, since
 * a signature stands over its bytes. What throws is answered as a bug, and the caller comes again. Or one that a
 * browser opens as a page of its own.
 */
export type RawRoute = {
  /** POST where it is left out. */
  method?: 'GET' | 'POST'
  /** As Fastify writes it: `/api/pay/notify/:provider/:token`. */
  path: string
  /** Its body is a form that a browser sends; else a text. */
  form?: RawForm
  run: (services: Services, call: RawCall) => Promise<RawAnswer>
}
export type RawForm = {
  /** What is longer is cut off, not read. */
  mostBytes: number
  /** Asked before any of the body is read: an answer ends it there. */
  admit: (services: Services, call: RawHead) => Promise<RawAnswer | null>
  /** What is said to who sent something else than a form, or too much of it. */
  unread: (services: Services, call: RawHead, why: 'tooLarge' | 'noForm') => Promise<RawAnswer>
}
export type RawHead = {
  params: Readonly<Record<string, string>>
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Path and query as they were asked for. */
  url: string
  method: string
  ip: string
}
export type RawCall = RawHead & {
  body: string
  /** Of a route that takes one. */
  form?: FormData
}
export type RawAnswer = { status: number; type: string; body: string; headers?: Readonly<Record<string, string>> }
