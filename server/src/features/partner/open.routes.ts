import { randomBytes } from 'node:crypto'
import { openRefusals, shipmentRequest, slotsQuery } from '@aisle/contract/partner/open'
import { languageFrom } from '@aisle/contract/kernel/text'
import type { Services } from '../../kernel/context'
import type { RawAnswer, RawCall, RawRoute } from '../../kernel/rawRoute'
import { existing, Refusal, refuse } from '../../kernel/refuse'
import { word } from '../../kernel/words'
import { admit, type Caller } from './gate.store'
import { findShipment, slotsPage } from './open.reads'
import { acceptShipment } from './shipment.commands'

type Run = (services: Services, caller: Caller, call: RawCall) => Promise<unknown>

const signed =
  (run: Run): RawRoute['run'] =>
  async (services, call) => {
    try {
      const caller = await admit(services, call)
      return json(200, await run(services, caller, call))
    } catch (thrown) {
      return failure(services, call, thrown)
    }
  }

/** The whole signed API; described, with a program that runs, in docs/PARTNERS.md. */
export const rawRoutes: readonly RawRoute[] = [
  {
    method: 'POST',
    path: '/open/v1/shipments',
    run: signed((services, caller, call) => acceptShipment(services, caller, { ...call, asked: bodyOf(call.body) })),
  },
  {
    method: 'GET',
    path: '/open/v1/shipments/:requestNo',
    run: signed(async ({ db }, caller, { params }) => {
      const found = await findShipment(db, caller, params.requestNo ?? '')
      return existing(found)
    }),
  },
  {
    method: 'GET',
    path: '/open/v1/machines/:code/slots',
    run: signed(async ({ db }, caller, { params, url }) => {
      const query = slotsQuery.safeParse(Object.fromEntries(new URL(url, 'http://x').searchParams))
      if (!query.success) return refuse('request.invalid', {}, problemsOf(query.error.issues))
      const found = await slotsPage(db, caller, params.code ?? '', query.data)
      return found ?? refuse('shipment.noMachine', { machine: (params.code ?? '').slice(0, 40) })
    }),
  },
]

function bodyOf(body: string) {
  let said: unknown
  try {
    said = JSON.parse(body)
  } catch {
    return refuse('request.malformed')
  }
  const parsed = shipmentRequest.safeParse(said)
  return parsed.success ? parsed.data : refuse('request.invalid', {}, problemsOf(parsed.error.issues))
}

/** Said as the schema says it: whoever reads it writes a program. */
const problemsOf = (issues: readonly { path: readonly PropertyKey[]; code: string; message: string }[]) =>
  issues.map(({ path, code, message }) => ({ path: path.map(String).join('.'), reason: code, msg: message }))

function failure({ log }: Services, { headers, url }: RawCall, thrown: unknown): RawAnswer {
  const language = languageFrom(headers['accept-language'])
  const traceId = randomBytes(8).toString('hex')
  if (thrown instanceof Refusal) {
    const { code, status, domain, vars, fields } = thrown
    const ownCode = code.replace('integrationConfig.', 'interface.')
    const about = (openRefusals as readonly string[]).includes(ownCode) ? 'partner' : domain
    const msg = word(language, about, `refusal.${ownCode}`, vars)
    return json(ownCode === code ? status : 403, {
      code: ownCode,
      msg,
      traceId,
      ...(fields.length > 0 ? { fields } : {}),
    })
  }
  log.error({ traceId, path: url.split('?', 1)[0], err: thrown }, 'bug')
  return json(500, {
    code: 'request.busy',
    msg: word(language, 'kernel', 'refusal.request.busy', { traceId }),
    traceId,
  })
}

const json = (status: number, body: unknown): RawAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
})
