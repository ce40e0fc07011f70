import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import { fillPath } from '@aisle/contract/kernel/path'
import { SUCCESS } from '@aisle/contract/kernel/refusal'
import { type RoleSurface, SURFACE_HEADER } from '@aisle/contract/rights/surface'
import { ask, toast } from '../ui/feedback/notice'
import { currentLanguage, loadTexts, textOf } from '../ui/text'
import { CallFailure, type FieldFault, NETWORK, noteFailure } from './failure'
import { randomId } from './id'
import { doubt } from './reach'
import { askToAccept, endSession, storedToken, toLogin } from './session'

/** Specification §9. */
const REQUEST_TIMEOUT_MS = 15_000

export type CallOptions = {
  /**
   * Where a failure is told: `toast` here, `throw` in the caller's form, `silent` nowhere. Whatever it says, the call
   * rejects with a `CallFailure`, and an ended session asks its question (but for `silent`).
   */
  errors?: 'toast' | 'throw' | 'silent'
  /** The same key on a second try makes a write safe to repeat; made here when left out. */
  idempotencyKey?: string
}

let surface: RoleSurface = 'web'
/** From now on these are calls of the phone's application, where app roles count. */
export const callFromApp = (): void => void (surface = 'app')

const inFlight = new Map<string, Promise<unknown>>()

/** A call that is already under way is not sent again (spec §7): the second caller gets the first one's answer. */
export function call<E extends Endpoint>(
  endpoint: E,
  input: CallOf<E>,
  options: CallOptions = {},
): Promise<OutputOf<E>> {
  const request = requestOf(endpoint, input)
  const key = `${request.method} ${request.address} ${request.body ?? ''}`
  const known = inFlight.get(key)
  if (known) return known as Promise<OutputOf<E>>
  const sent = send(endpoint, request, options).finally(() => inFlight.delete(key))
  inFlight.set(key, sent)
  return sent as Promise<OutputOf<E>>
}

type Request = { method: 'GET' | 'POST'; address: string; body?: string }

function requestOf(endpoint: Endpoint, input: unknown): Request {
  const fields = { ...(input as Record<string, unknown>) }
  const { path, rest } = fillPath(endpoint.path, fields)
  const said = { language: currentLanguage(), ...rest }
  if (endpoint.method === 'POST') return { method: 'POST', address: path, body: JSON.stringify(said) }
  return { method: 'GET', address: `${path}?${queryOf(said)}` }
}

function queryOf(fields: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null || value === '') continue
    query.set(name, String(value))
  }
  return query.toString()
}

async function send(endpoint: Endpoint, request: Request, options: CallOptions): Promise<unknown> {
  try {
    const response = await answerOf(request, headersOf(endpoint, request, options))
    return unwrap(endpoint, response)
  } catch (cause) {
    const failure = cause instanceof CallFailure ? cause : new CallFailure({ code: NETWORK, message: '', status: 0 })
    noteFailure(failure)
    if (failure.code === NETWORK) doubt()
    await tell(failure, options.errors ?? 'toast')
    throw failure
  }
}

function headersOf(endpoint: Endpoint, request: Request, options: CallOptions): Record<string, string> {
  const token = storedToken()
  return {
    accept: 'application/json',
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(surface === 'app' ? { [SURFACE_HEADER]: surface } : {}),
    ...(endpoint.writes ? { 'idempotency-key': options.idempotencyKey ?? randomId() } : {}),
  }
}

type Answer = { status: number; body: Record<string, unknown> }

async function answerOf(request: Request, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(request.address, {
    method: request.method,
    headers,
    credentials: 'same-origin',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    ...(request.body === undefined ? {} : { body: request.body }),
  })
  const body: unknown = await response.json()
  if (typeof body !== 'object' || body === null) throw new TypeError('an answer is an object')
  return { status: response.status, body: body as Record<string, unknown> }
}

function unwrap(endpoint: Endpoint, { status, body }: Answer): unknown {
  const code = textIn(body, 'code')
  const isBareSuccess = endpoint.style === 'bare' && status < 400 && (code === '' || code === SUCCESS)
  if (isBareSuccess) return body
  if (endpoint.style === 'wrapped' && code === SUCCESS) return body.data
  throw new CallFailure({
    code: code || NETWORK,
    message: textIn(body, 'msg'),
    status,
    fields: Array.isArray(body.fields) ? (body.fields as FieldFault[]) : [],
    traceId: textIn(body, 'traceId'),
    answer: body,
  })
}

const textIn = (body: Record<string, unknown>, name: string): string => {
  const value = body[name]
  return typeof value === 'string' ? value : ''
}

/** Specification §8: two codes end the session, a `#` in the message is a bug of ours, all else is said as it is. */
async function tell(failure: CallFailure, errors: NonNullable<CallOptions['errors']>): Promise<void> {
  await loadTexts(['kernel'])
  const t = textOf('kernel')
  if (failure.code === NETWORK) failure.message = t('error.network')
  const isBug = failure.message.includes('#')
  if (isBug) failure.message = t('error.busy', { traceId: failure.traceId || '–' })
  if (failure.code === 'agreement.owed') {
    // The question stands over every page, and says more than a toast.
    failure.isShown = true
    askToAccept()
    return
  }
  if (errors === 'silent') return
  if (failure.code === 'B1000' || failure.code === 'S9999') {
    failure.isShown = true
    void tellSessionEnded(failure.code)
    return
  }
  if (errors === 'throw') return
  failure.isShown = true
  toast('bad', failure.message)
}

/**
 * Whoever chose to stay is asked again by what they do next, and not by a page that refreshes itself: a dialog that
 * comes back by itself cannot be cancelled.
 */
let hasStayed = false
for (const act of ['pointerdown', 'keydown', 'input']) {
  addEventListener(act, () => (hasStayed = false), { capture: true, passive: true })
}

/** The two questions of specification §8; also asked when the server pushes that the session has ended. */
export async function tellSessionEnded(code: 'B1000' | 'S9999'): Promise<void> {
  await loadTexts(['kernel'])
  if (hasStayed) return
  const t = textOf('kernel')
  const words = code === 'B1000' ? 'elsewhere' : 'expired'
  const isAgain = await ask({
    key: 'session',
    title: t(`session.${words}.title`),
    body: t(`session.${words}.body`),
    yes: t('session.signInAgain'),
    no: t('action.cancel'),
  })
  if (!isAgain) {
    hasStayed = true
    return
  }
  endSession()
  if (code === 'B1000') location.reload()
  else toLogin()
}
