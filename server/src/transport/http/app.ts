import { randomBytes } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { refusal } from '../../kernel/refuse'
import { answerFailure, languageOf } from './failure'

/** A request body above this is refused unread. */
const MAX_BODY_BYTES = 1024 * 1024

/** Paths that programs call: an unknown one below them answers JSON, never the application's page. */
const CALL_PATHS = /^\/(api|open|sram|user|service-order|notify|ws|pictures|files|metrics)(\/|$)/

/** The bare HTTP server: JSON only, failures in the envelope, a trace id for each request. */
export function createApp(log: Logger): FastifyInstance {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    // A reverse proxy on this machine may say who is really calling; nobody else may.
    trustProxy: 'loopback',
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    genReqId: traceIds(),
    frameworkErrors: (error, request, reply) => void answerFailure(request, reply, error, languageOf(request), log),
  })
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    void parse(request, String(body), (error, value) =>
      error ? done(refusal('request.malformed')) : done(null, value),
    )
  })
  app.setErrorHandler((error, request, reply) => answerFailure(request, reply, error, languageOf(request), log))
  return app
}

/** 16 hex digits that name a call in the log: a start by chance for each process, then counting. */
function traceIds(): () => string {
  const start = randomBytes(5).toString('hex')
  let count = 0
  return () => {
    count = (count + 1) % 0x1000000
    return start + count.toString(16).padStart(6, '0')
  }
}

export const isCallPath = (path: string): boolean => CALL_PATHS.test(path)
