import { createHash } from 'node:crypto'
import { endpoints } from '@aisle/contract/endpoints'
import { KEY_PREFIX } from '@aisle/contract/events/apiKey'
import { isOpenToKeys } from '@aisle/contract/events/peopleOnly'
import { answersBeforeChange } from '@aisle/contract/identity/password'
import { mayOpen } from '@aisle/contract/identity/permissions'
import type { Access, Endpoint } from '@aisle/contract/kernel/endpoint'
import { SUCCESS } from '@aisle/contract/kernel/refusal'
import type { Language } from '@aisle/contract/kernel/text'
import { roleSurfaces, SURFACE_HEADER } from '@aisle/contract/rights/surface'
import { answersBeforeAccepting } from '@aisle/contract/system/agreement'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { runCommand } from '../../kernel/command'
import type { Actor, CallContext, Services } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import type { Route } from '../../kernel/route'
import { hashToken } from '../../kernel/token'
import { traced } from '../../db/trace'
import { answerSchema, envelopeSchema } from './answer-schema'
import { callContext } from './call-context'
import { answerFailure, languageOf } from './failure'
import { callHeaders } from './headers'
import { inputReader } from './input'
import type { ReadSession } from './session'

export type Binding = {
  services: Services
  readSession: ReadSession
  readKey: ReadKey
  /** Told after each answer, with the time the call took. */
  observe: (endpoint: string, status: number, ms: number) => void
}

/** Who calls with a key of a program; what is said of its limits is said with the answer. @throws Refusal apiKey.… */
export type ReadKey = (key: string) => Promise<{ actor: Actor; limits: Record<string, string>; isOver: boolean }>

/** So many take some milliseconds; then machines, which are let in by now, have their turn. */
const AT_ONCE = 20

/** @throws Error when an endpoint of the contract has no route, or two, or does not say who may call it */
export async function bindRoutes(app: FastifyInstance, routes: readonly Route[], binding: Binding): Promise<void> {
  checkRoutes(routes)
  for (let at = 0; at < routes.length; at += AT_ONCE) {
    for (const route of routes.slice(at, at + AT_ONCE)) bindRoute(app, route, binding)
    await new Promise(setImmediate)
  }
}

export function checkRoutes(routes: readonly Route[]): void {
  const problems = endpoints.flatMap((endpoint) => {
    const bound = routes.filter((route) => route.endpoint.name === endpoint.name).length
    return bound === 1 ? [] : [`${endpoint.name} is bound ${bound} times`]
  })
  for (const { endpoint } of routes) {
    if (!endpoints.includes(endpoint)) problems.push(`${endpoint.name} is not in the contract`)
    if (!saysWho(endpoint.access)) problems.push(`${endpoint.name} does not say who may call it`)
    if (endpoint.writes && endpoint.access === 'public') problems.push(`${endpoint.name} writes for nobody`)
  }
  if (problems.length > 0) throw new Error(`endpoints and routes differ: ${problems.join('; ')}`)
}

const saysWho = (access: Access | undefined): boolean =>
  access === 'public' || access === 'session' || /^[a-zA-Z]+\.[a-zA-Z]+$/.test(access ?? '')

function bindRoute(app: FastifyInstance, route: Route, binding: Binding): void {
  const { endpoint } = route
  const { services, observe } = binding
  const answer = tracedAnswer(endpoint, services, answerWith(route, binding))
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: false,
    onResponse: (request, reply, done) => {
      observe(endpoint.name, reply.statusCode, reply.elapsedTime)
      const { statusCode: status, elapsedTime: ms } = reply
      services.log.info({ traceId: request.id, endpoint: endpoint.name, status, ms }, 'call')
      done()
    },
    handler: answer,
  })
}

type Answering = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** The trace id that we say in answers and in the log leads to the call in traces, too. */
function tracedAnswer({ name, method, path }: Endpoint, services: Services, answer: Answering): Answering {
  if (!services.trace) return answer
  return (request, reply) => {
    const facts = { 'http.request.method': method, 'http.route': path, 'aisle.trace_id': request.id }
    return traced(services, { kind: 'call', name, facts, headers: request.headers }, async (note) => {
      const answered = await answer(request, reply)
      note({ 'http.response.status_code': reply.statusCode })
      return answered
    })
  }
}

/** One call: language → session → permission → input → run → envelope; who may not call learns nothing of inputs. */
function answerWith(route: Route, binding: Binding): Answering {
  const { endpoint } = route
  const readInput = inputReader(endpoint)
  const written = answerWriter(endpoint)
  return async (request, reply) => {
    let language: Language = languageOf(request)
    try {
      const actor = endpoint.access === 'public' ? null : await actorOf(endpoint, request, reply, binding)
      if (actor) language = languageOf(request, actor.language)
      if (actor) refuseUnlessAllowed(endpoint, actor)
      const input = readInput(request, language)
      const ctx = callContext(request, reply, binding.services, language)
      const data = await run(route, ctx, actor, input, request.headers['idempotency-key'])
      const answer =
        endpoint.style === 'bare' ? (data as Answer) : { code: SUCCESS, data, msg: '', traceId: request.id }
      const text = written(reply, answer)
      reply.headers(callHeaders).type('application/json; charset=utf-8')
      return text
    } catch (thrown) {
      return answerFailure(request, reply, thrown, language, binding.services.log)
    }
  }
}

type Answer = Record<string, unknown>

/** Compiled with the first answer: to compile all of them took a server that starts two seconds. */
function answerWriter({ output, style }: Endpoint): (reply: FastifyReply, answer: Answer) => string {
  let write: ((answer: Answer) => string) | undefined
  return (reply, answer) => {
    write ??= reply.compileSerializationSchema(
      style === 'bare' ? answerSchema(output) : envelopeSchema(answerSchema(output)),
    )
    return write(answer)
  }
}

async function actorOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  { readSession, readKey, services }: Binding,
): Promise<Actor> {
  const token = /^Bearer ([\x21-\x7e]{16,256})$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token) return refuse('S9999')
  if (!token.startsWith(KEY_PREFIX)) {
    const surface = roleSurfaces.find((each) => each === request.headers[SURFACE_HEADER])
    return readSession(hashToken(token), services.clock.now(), true, surface)
  }
  const { actor, limits, isOver } = await readKey(token)
  reply.headers(limits)
  if (isOver) refuse('request.slowDown')
  return isOpenToKeys(endpoint) ? actor : refuse('apiKey.personOnly')
}

/** Whoever sees the application as another role would writes nothing, whatever the call. */
function refuseUnlessAllowed({ access, name, writes }: Endpoint, actor: Actor): void {
  if (actor.limitedTo === 'password' && !answersBeforeChange.has(name)) refuse('password.mustChange')
  if (actor.limitedTo === 'agreement' && !answersBeforeAccepting.has(name)) refuse('agreement.owed')
  if (actor.switchedOff.includes(access)) refuse('resource.off')
  if (!mayOpen(actor.grants, access)) refuse('request.notPermitted')
  if (writes && actor.isViewingAs) refuse('viewing.readOnly')
}

function run(route: Route, ctx: CallContext, actor: Actor | null, input: unknown, key: unknown): Promise<unknown> {
  if (route.kind === 'open') return route.run(ctx, input)
  if (!actor) throw new Error(`${route.endpoint.name} ran without a session`)
  if (route.kind === 'query') {
    const db = (route.isOfFigures && ctx.services.replica?.reader()) || ctx.db
    return route.run({ ...ctx, db, actor }, input)
  }
  const given = key === undefined && route.endpoint.isKeyMade ? madeKey(route, ctx, actor, input) : key
  if (typeof given !== 'string' || !/^[\x21-\x7e]{8,128}$/.test(given)) return refuse('request.keyMissing')
  return runCommand(route, { ...ctx, actor }, input, given)
}

/** How long a caller of specification §7 waits for an answer; until then the same asked again is the same call. */
const ONE_CALL_MS = 15_000

function madeKey({ endpoint }: Route, { now }: CallContext, { userId }: Actor, input: unknown): string {
  const moment = Math.floor(now().getTime() / ONE_CALL_MS)
  const call = JSON.stringify([userId, endpoint.name, input, moment])
  return `made-${createHash('sha256').update(call).digest('base64url')}`
}
