import { BUG } from '@aisle/contract/kernel/refusal'
import { type Language, languageFrom } from '@aisle/contract/kernel/text'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type FieldProblem, Refusal, refusal } from '../../kernel/refuse'
import { word } from '../../kernel/words'
import { callHeaders } from './headers'

export type FailureBody = { code: string; msg: string; traceId: string; fields?: readonly FieldProblem[] }

/**
 * Every failure leaves here: a refusal in the words of the person, anything else as a bug that is logged with its
 * cause and answered with no more than its trace id.
 */
export function answerFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  language: Language,
  log: Logger,
): FastifyReply {
  const expected = refusalIn(thrown)
  const traceId = request.id
  if (!expected) {
    log.error({ traceId, method: request.method, path: pathOf(request), err: thrown }, 'bug')
    return send(reply, 500, { code: BUG, msg: word(language, 'kernel', `refusal.${BUG}`, { traceId }), traceId })
  }
  const { code, status, domain, vars } = expected
  if (status === 503) log.warn({ traceId, path: pathOf(request), err: thrown }, code)
  const msg = word(language, domain, `refusal.${code}`, vars)
  const fields = expected.fields.length > 0 ? { fields: expected.fields.map((field) => worded(field, language)) } : {}
  return send(reply, status, { code, msg, traceId, ...fields })
}

/** A feature may leave the words to its reason. */
const worded = (field: FieldProblem, language: Language): FieldProblem =>
  field.msg === '' ? { ...field, msg: word(language, 'kernel', `field.${field.reason}`) } : field

function send(reply: FastifyReply, status: number, body: FailureBody): FastifyReply {
  return reply
    .code(status)
    .headers({ ...callHeaders, 'content-type': 'application/json; charset=utf-8' })
    .serializer(String)
    .send(JSON.stringify(body))
}

/** Without its query: addresses of section 7 carry codes and verifiers there, and those belong in no log. */
export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? ''

/** @param users the signed-in user's own language, where it is known */
export function languageOf(request: FastifyRequest, users?: Language): Language {
  return languageFrom(wishIn(request.body), wishIn(request.query), request.headers['accept-language'], users)
}

function wishIn(fields: unknown): string | undefined {
  if (typeof fields !== 'object' || fields === null || !('language' in fields)) return undefined
  return typeof fields.language === 'string' ? fields.language : undefined
}

function refusalIn(thrown: unknown): Refusal | null {
  if (thrown instanceof Refusal) return thrown
  if (!(thrown instanceof Error)) return null
  const code = 'code' in thrown ? String(thrown.code) : ''
  if (isDatabaseAway(thrown, code)) return refusal('service.unavailable')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refusal('request.tooLarge')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refusal('request.notJson')
  const status = 'statusCode' in thrown ? Number(thrown.statusCode) : 500
  return status >= 400 && status < 500 ? refusal('request.malformed') : null
}

const connectionCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|57P0[123]|53300)$/
const connectionWords = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/

/** Connection trouble, not a statement's: class 08, server starting or stopping (57P0x), too many clients (53300). */
const isDatabaseAway = ({ message }: Error, code: string): boolean =>
  connectionCodes.test(code) || connectionWords.test(message)
