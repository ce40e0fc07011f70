import { randomUUID } from 'node:crypto'
import { endpoints } from '@aisle/contract/endpoints'
import { isOpenToKeys } from '@aisle/contract/events/peopleOnly'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { BUG, SUCCESS } from '@aisle/contract/kernel/refusal'
import { permissions } from '@aisle/contract/permissions'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashToken } from '../../kernel/token'
import { routes } from '../../main/features'
import { addApiKey, forgetCalls } from '../../testing/apiKeys'
import { addFamily, addSession, addUser, type Family, OURS, THEIRS } from '../../testing/fixtures'
import { type Answer, answerOf, type HttpWorld, openHttp } from '../../testing/http'
import { nonsense, oddValue, validInput } from '../../testing/nonsense'
import { hangsOn, operationOf, platformsAlone } from '../../testing/sightPolicy'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'

/** Walks the contract: an endpoint added tomorrow is tested here without being named. */
const NOON = new Date('2026-11-20T04:00:00Z')
const NONSENSE_RUNS = Number(process.env.RUNS ?? 24)
const seed = Number(process.env.SEED ?? 1)
/** Each part of a cursor is broken as often, and has few ways to break: those show in the first hundred. */
const CURSOR_RUNS = Math.min(Math.ceil(NONSENSE_RUNS / 4), 100)
/** How often nonsense was answered by each code. */
const answered = new Map<string, number>()

let world: World
let http: HttpWorld
let family: Family

beforeAll(async () => {
  world = await openWorld(NOON)
  // An endpoint without a route fails the test of its own below, and no other.
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
})
afterAll(async () => {
  if (process.env.RUNS) process.stdout.write(`seed ${seed}: ${JSON.stringify(Object.fromEntries(answered))}\n`)
  await http.close()
  await world.close()
})

/** A new session each time, since a call may end the one it came with. */
async function signedIn(merchantId: number, more: Partial<Parameters<typeof addUser>[1]> = {}): Promise<string> {
  const user = await addUser(world.services.db, { merchantId, grants: ['*'], ...more })
  return addSession(world.services.db, user.id, world.services.clock.now())
}

/** An earlier call may have switched something off, or have left everybody something to accept. */
async function allowAll(token: string): Promise<void> {
  await sql`delete from resource_off`.execute(world.services.db)
  await sql`insert into agreement_acceptance (agreement_id, user_id, accepted_at, ip, language)
    select a.id, s.user_id, ${NOON}, '', 'zh' from agreement a, session s
    where a.number is not null and s.token_hash = ${hashToken(token)}`.execute(world.services.db)
}

const placeholders = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
const nounOf = (path: string) => path.split('/')[2] ?? ''

/** The row that the path of the endpoint speaks of, taken from one of the two branches. */
function rowOf(endpoint: Endpoint, branch: 'ours' | 'theirs'): Record<string, unknown> {
  const id = family[branch].ids[nounOf(endpoint.path)]
  const names = placeholders(endpoint.path)
  if (names.length === 0) return {}
  if (id === undefined) throw new Error(`testing/fixtures.ts has no row for ${endpoint.path}`)
  return Object.fromEntries(names.map((name) => [name, id]))
}

const withoutTrace = ({ status, body }: Answer) => ({ status, body: { ...body, traceId: '' } })
const changes = async () => {
  const found = await sql<{ count: number }>`select count(*) as count from audit_log`.execute(world.services.db)
  return found.rows[0]?.count
}

const named = (some: readonly Endpoint[]) => some.map((endpoint) => [endpoint.name, endpoint] as const)
const guarded = endpoints.filter(({ access }) => access !== 'public')
const permitted = guarded.filter(({ access }) => access !== 'session')
/** What everybody may read is nobody else's; whether they may write it is asked all the same. */
const isEverybodys = ({ method, path }: Endpoint) => method === 'GET' && hangsOn[nounOf(path)] === 'everybody'
const aboutRows = endpoints.filter((each) => each.path.includes('{') && !isEverybodys(each))

test.each(named(endpoints))('%s is bound once', (_, endpoint) => {
  expect(routes.filter((route) => route.endpoint === endpoint)).toHaveLength(1)
})

test.each(named(guarded))('%s refuses who is not signed in', async (_, endpoint) => {
  const answer = await http.call(endpoint, validInput(endpoint, rowOf(endpoint, 'ours')))
  expect([answer.status, answer.body.code]).toEqual([401, 'S9999'])
})

const accesses = [...new Set(permitted.map(({ access }) => access))]
/** One for each permission: a refused call ends no session, and a thousand such roles would slow all lists. */
const tokensWithout = new Map<string, Promise<string>>()
const tokenWithout = (access: string): Promise<string> => {
  const grants = accesses.filter((each) => each !== access)
  const token = tokensWithout.get(access) ?? signedIn(family.ours.merchantId, { grants })
  tokensWithout.set(access, token)
  return token
}

test.each(named(permitted))('%s refuses who has every permission but its own', async (_, endpoint) => {
  const token = await tokenWithout(endpoint.access)
  const answer = await http.call(endpoint, validInput(endpoint, rowOf(endpoint, 'ours')), { token })
  expect([answer.status, answer.body.code]).toEqual([403, 'request.notPermitted'])
})

/** A key for a program of our merchant; one for each choice of scopes, since each brings a person and a role. */
const keysWith = new Map<string, Promise<{ key: string }>>()
async function keyWith(scopes: readonly string[]): Promise<string> {
  const name = scopes.join()
  const about = { merchantId: family.ours.merchantId, name: OURS, scopes, at: NOON }
  const made = keysWith.get(name) ?? addApiKey(world.services.db, about)
  keysWith.set(name, made)
  await forgetCalls(world.services.db)
  return (await made).key
}

let ofPlatform: Promise<{ key: string }> | undefined
/** One key for all calls, since each brings a person and a role. */
const platformKey = async (): Promise<string> => {
  const scopes = permissions.map(({ code }) => code)
  ofPlatform ??= addApiKey(world.services.db, { merchantId: family.platformId, name: 'Program', scopes, at: NOON })
  return (await ofPlatform).key
}

test.each(named(permitted))('%s refuses a key that has every scope but its own', async (_, endpoint) => {
  const others = permissions.map(({ code }) => code).filter((code) => code !== endpoint.access)
  const token = await keyWith(others)
  const before = await changes()
  const answer = await http.call(endpoint, validInput(endpoint, rowOf(endpoint, 'ours')), { token })
  const wanted = isOpenToKeys(endpoint) ? 'request.notPermitted' : 'apiKey.personOnly'
  expect([answer.status, answer.body.code]).toEqual([403, wanted])
  expect(await changes()).toBe(before)
})

test.each(named(permitted))(
  '%s lets a key in that has its scope alone, unless it is for people',
  async (_, endpoint) => {
    const token = await keyWith([endpoint.access])
    const { body } = await http.call(endpoint, validInput(endpoint, rowOf(endpoint, 'ours')), { token })
    if (!isOpenToKeys(endpoint)) expect(body.code).toBe('apiKey.personOnly')
    else if (!(operationOf(endpoint) in platformsAlone)) expect(body.code).not.toBe('request.notPermitted')
  },
)

test.each(named(aboutRows))(
  "%s answers for another merchant's row as for none, and leaves it be",
  async (_, endpoint) => {
    const token = await signedIn(family.ours.merchantId)
    const before = await changes()
    const theirs = validInput(endpoint, rowOf(endpoint, 'theirs'))
    const missing = Object.fromEntries(placeholders(endpoint.path).map((name) => [name, 987_654_321]))
    const answer = await http.call(endpoint, theirs, { token })
    expect([answer.status, answer.body.code]).toEqual([404, 'request.notFound'])
    expect(withoutTrace(answer)).toEqual(withoutTrace(await http.call(endpoint, { ...theirs, ...missing }, { token })))
    expect(await changes()).toBe(before)
  },
)

test.each(named(guarded))("%s shows nothing of another merchant's", async (_, endpoint) => {
  const inOurs = family.ours.machines.map(({ id }) => id)
  const callers = [
    await signedIn(family.ours.merchantId),
    await signedIn(family.ours.merchantId, { kind: 'ordinary', machineIds: inOurs }),
    await signedIn(family.theirs.merchantId, { kind: 'ordinary' }),
  ]
  const foreign = [THEIRS, THEIRS, OURS]
  for (const [i, token] of callers.entries()) {
    const answer = await http.call(endpoint, validInput(endpoint, rowOf(endpoint, 'ours')), { token })
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).not.toContain(foreign[i])
  }
})

test.each(named(endpoints))(
  '%s answers nonsense with a refusal, never with a bug',
  { timeout: 60_000 + NONSENSE_RUNS * 300 },
  async (_, endpoint) => {
    const token = endpoint.access === 'public' ? '' : await signedIn(family.platformId, { kind: 'platform_admin' })
    await allowAll(token)
    await forgetCalls(world.services.db)
    const key = isOpenToKeys(endpoint) ? await platformKey() : token
    await fc.assert(
      fc.asyncProperty(nonsense(endpoint), fc.boolean(), fc.boolean(), async (given, isAboutRow, isProgram) => {
        // A number out of the air is refused before the rest is looked at.
        const input = isAboutRow && isFields(given) ? { ...given, ...rowOf(endpoint, 'ours') } : given
        expectNoBug(endpoint, await sendRaw(endpoint, input, isProgram ? key : token), input)
      }),
      { numRuns: NONSENSE_RUNS, seed },
    )
    for (const input of await brokenCursors(endpoint, token)) {
      expectNoBug(endpoint, await sendRaw(endpoint, input, token), input)
    }
  },
)

test('what the platform sees holds both merchants, so that seeing nothing of the other proves something', async () => {
  const token = await signedIn(family.platformId, { kind: 'platform_admin' })
  const lists = endpoints.filter(({ path, output }) => !path.includes('{') && isList(output))
  const texts = await Promise.all(lists.map(async (each) => (await http.call(each, {}, { token })).text))
  const showing = lists.filter((_, i) => texts[i]?.includes(OURS) && texts[i]?.includes(THEIRS))
  expect(showing.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['merchant.listMerchants', 'fleet.listMachines', 'trade.listOrders']),
  )
})

const isList = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && 'shape' in output && 'items' in Object(output.shape)

const isFields = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

function expectNoBug(endpoint: Endpoint, answer: Answer, input: unknown): void {
  const named = `${answer.status} ${String(answer.body.code)}`
  answered.set(named, (answered.get(named) ?? 0) + 1)
  const said = `seed ${seed}, ${endpoint.name} ${JSON.stringify(input)?.slice(0, 500)} → ${answer.text.slice(0, 500)}`
  const code = String(answer.body.code)
  const isDeclared = code !== BUG && (answer.status < 500 || endpoint.refusals.includes(code))
  const tellsInsides = /\bat \/|node_modules|syntax error|violates|pg_catalog/.test(answer.text)
  expect(isDeclared && !tellsInsides && isAsDeclared(endpoint, answer) ? '' : said).toBe('')
}

/** A success holds what the contract says it holds. */
function isAsDeclared({ style, output }: Endpoint, { status, body }: Answer): boolean {
  if (status !== 200) return true
  if (style === 'bare') return output.safeParse(body).success
  return body.code === SUCCESS && output.safeParse(body.data).success
}

/** As a stranger's program sends it: whatever JSON there is, and whatever a query makes of it. */
async function sendRaw(endpoint: Endpoint, input: unknown, token: string): Promise<Answer> {
  const fields = typeof input === 'object' && input !== null ? { ...input } : { value: input }
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => pathText(Reflect.get(fields, name)))
  for (const name of placeholders(endpoint.path)) Reflect.deleteProperty(fields, name)
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
  if (endpoint.method === 'GET') {
    const query = Object.entries(fields).map(([name, value]) => `${pathText(name)}=${pathText(value)}`)
    return answerOf(await http.app.inject({ method: 'GET', url: `${filled}?${query.join('&')}`, headers }))
  }
  const payload = JSON.stringify(isFields(input) ? fields : input) ?? ''
  const json = { ...headers, 'content-type': 'application/json' }
  return answerOf(await http.app.inject({ method: 'POST', url: filled, payload, headers: json }))
}

/** Percent-encoded where it can be; half characters can't, and an empty segment would be another path. */
function pathText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '0')
  return (
    encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
      .slice(0, 2_000)
      .replace(/%.?$/, '') || '0'
  )
}

const usualKey = { key: 1, id: 1 }

/** A cursor of ours with its parts replaced: it is the one input that no schema describes. */
async function brokenCursors(endpoint: Endpoint, token: string): Promise<Record<string, unknown>[]> {
  if (!('shape' in endpoint.input) || !('cursor' in Object(endpoint.input.shape))) return []
  const first = await http.call(endpoint, { ...validInput(endpoint, rowOf(endpoint, 'ours')), pageSize: 1 }, { token })
  const { nextCursor } = Object(first.body.data)
  // A list of the caller's own has no second page here: then the usual key stands in.
  const isGiven = typeof nextCursor === 'string'
  const key: Record<string, unknown> = isGiven ? JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) : usualKey
  const odd = fc.sample(oddValue, { numRuns: CURSOR_RUNS, seed })
  const broken = Object.keys(key).flatMap((name) => odd.map((value) => ({ ...key, [name]: value })))
  return [...broken, ...odd].map((value) => ({
    cursor: Buffer.from(JSON.stringify(value) ?? '')
      .toString('base64url')
      .slice(0, 200),
  }))
}
