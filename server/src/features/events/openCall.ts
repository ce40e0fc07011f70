import { randomBytes } from 'node:crypto'
import { refusalOf } from '@aisle/contract/kernel/refusal'
import { languageFrom } from '@aisle/contract/kernel/text'
import type { IntegrationChild } from '@aisle/contract/merchant/integration'
import type { z } from 'zod'
import type { Services } from '../../kernel/context'
import type { RawAnswer, RawCall, RawRoute } from '../../kernel/rawRoute'
import { Refusal, refuse } from '../../kernel/refuse'
import { word } from '../../kernel/words'
import { admit, type Caller, countCall, type Rate } from './gate.store'
import { limits } from './rate.rules'

type Run = (services: Services, caller: Caller, call: RawCall) => Promise<unknown>

/**
 * A call of the signed API: by whom, how often in a minute, and its answer as JSON.
 * @param classes of interfaces that may call it
 */
export const signed =
  (classes: readonly IntegrationChild[], run: Run): RawRoute['run'] =>
  async (services, call) => {
    let rate: Rate | undefined
    try {
      const caller = await admit(services, call, classes)
      rate = await countCall(services.db, caller.id, services.clock.now())
      if (rate.left < 0) refuse('request.slowDown')
      return json(200, await run(services, caller, call), limits(rate))
    } catch (thrown) {
      return failure(services, call, { thrown, headers: limits(rate) })
    }
  }

/** The query of a call as its schema has it. @throws Refusal request.invalid, said as the schema says it */
export function queryOf<S extends z.ZodType>(schema: S, { url }: RawCall): z.output<S> {
  return parsed(schema, Object.fromEntries(new URL(url, 'http://x').searchParams))
}

/** The body of a call as its schema has it. @throws Refusal request.malformed or request.invalid */
export function bodyOf<S extends z.ZodType>(schema: S, { body }: RawCall): z.output<S> {
  let said: unknown
  try {
    said = JSON.parse(body)
  } catch {
    return refuse('request.malformed')
  }
  return parsed(schema, said)
}

/** Whoever reads it writes a program. */
function parsed<S extends z.ZodType>(schema: S, said: unknown): z.output<S> {
  const read = schema.safeParse(said)
  if (read.success) return read.data
  const problems = read.error.issues.map(({ path, code, message }) => ({
    path: path.map(String).join('.'),
    reason: code,
    msg: message,
  }))
  return refuse('request.invalid', {}, problems)
}

type Failed = { thrown: unknown; headers: Record<string, string> }

function failure({ log }: Services, call: RawCall, { thrown, headers }: Failed): RawAnswer {
  const language = languageFrom(call.headers['accept-language'])
  const traceId = randomBytes(8).toString('hex')
  if (thrown instanceof Refusal) {
    const { code, vars, fields } = thrown
    // Of an interface, as whoever calls it knows it.
    const ownCode = code.replace('integrationConfig.', 'interface.')
    const { status, domain } = refusalOf(ownCode) ?? thrown
    const msg = word(language, domain, `refusal.${ownCode}`, vars)
    return json(status, { code: ownCode, msg, traceId, ...(fields.length > 0 ? { fields } : {}) }, headers)
  }
  log.error({ traceId, path: call.url.split('?', 1)[0], err: thrown }, 'bug')
  const msg = word(language, 'kernel', 'refusal.request.busy', { traceId })
  return json(500, { code: 'request.busy', msg, traceId }, headers)
}

const json = (status: number, body: unknown, headers: Record<string, string>): RawAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
  headers,
})
