import { z } from 'zod'
import { endpoint, zId, zInstant } from '../kernel/endpoint'

/** What a browser says about itself, in the words that people use for it; null where it says nothing known. */
export type Device = { browser: string | null; version: string | null; system: string | null; isMobile: boolean }

const ownSession = z.object({
  id: z.int(),
  browser: z.string().nullable(),
  version: z.string().nullable(),
  system: z.string().nullable(),
  isMobile: z.boolean(),
  ip: z.string(),
  /** There is no map of addresses to places here; being in one network is what can be said honestly. */
  isSameNetwork: z.boolean(),
  signedInAt: zInstant,
  lastSeenAt: zInstant,
  endsAt: zInstant,
  isThis: z.boolean(),
})
export type OwnSession = z.output<typeof ownSession>

export const listOwnSessions = endpoint({
  name: 'identity.listOwnSessions',
  method: 'GET',
  path: '/api/own-sessions',
  access: 'session',
  input: z.strictObject({}),
  output: z.object({ items: z.array(ownSession), isSingle: z.boolean() }),
  summary: 'Where the caller is signed in now',
})

export const endOwnSession = endpoint({
  name: 'identity.endOwnSession',
  method: 'POST',
  path: '/api/own-sessions/end',
  access: 'session',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({}),
  refusals: ['request.notFound'],
  summary: 'Sign out another browser of the caller; it is told at once',
})

export const endOtherSessions = endpoint({
  name: 'identity.endOtherSessions',
  method: 'POST',
  path: '/api/own-sessions/end-others',
  access: 'session',
  writes: true,
  input: z.strictObject({}),
  output: z.object({ ended: z.int() }),
  summary: 'Sign out every browser of the caller but this one',
})

/** From the user agent; the order matters, since most browsers claim to be some other one too. */
export function deviceOf(agent: string): Device {
  const [browser, version] = first(browsers, agent)
  const [system] = first(systems, agent)
  return { browser, version, system, isMobile: /Mobile|Android|iPhone|iPad/.test(agent) }
}

const browsers: readonly [string, RegExp][] = [
  ['WeChat', /MicroMessenger\/(\d+)/],
  ['Edge', /Edg(?:A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+).*Safari\//],
]
const systems: readonly [string, RegExp][] = [
  ['HarmonyOS', /HarmonyOS/],
  ['Android', /Android/],
  ['iPadOS', /iPad/],
  ['iOS', /iPhone/],
  ['Windows', /Windows NT/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

function first(table: readonly [string, RegExp][], agent: string): [string | null, string | null] {
  for (const [name, pattern] of table) {
    const found = pattern.exec(agent)
    if (found) return [name, found[1] ?? null]
  }
  return [null, null]
}
