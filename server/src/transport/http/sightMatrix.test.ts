import { choicesOf } from '@aisle/contract/admin/choices'
import { endpoints } from '@aisle/contract/endpoints'
import { isOpenToKeys, peoplesPermissions } from '@aisle/contract/events/peopleOnly'
import type { Endpoint, ListEndpoint } from '@aisle/contract/kernel/endpoint'
import { defineRefusals } from '@aisle/contract/kernel/refusal'
import { permissions } from '@aisle/contract/permissions'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { refuse } from '../../kernel/refuse'
import type { Route } from '../../kernel/route'
import { routes } from '../../main/features'
import { addApiKey, forgetCalls } from '../../testing/apiKeys'
import { addKin, addSession, addUser, type Branch, markOf, type Relation, relations } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { validInput } from '../../testing/nonsense'
import {
  administratorsAlone,
  type Asker,
  askers,
  given,
  isInSight,
  isNamed,
  nothingThere,
  operationOf,
  platformsAlone,
  type Subject,
  subjectsOf,
} from '../../testing/sightPolicy'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'

/**
 * Every operation of the contract × every kind of user × own, parent's, child's, sibling's and stranger's rows, in the
 * path and in every field that names a row; who is turned away at the door is asked for their own. sightPolicy.ts says
 * what each cell has to be.
 */
const NOON = new Date('2026-11-20T04:00:00Z')
/** What a command answers that would have succeeded: it is undone, so that every cell finds the same rows. */
const DONE = 'matrix.done'
defineRefusals('kernel', { [DONE]: 409 })

let world: World
let http: HttpWorld
let kin: Record<Relation, Branch>
let userIds: Record<Asker, number>
let tokens: Record<Asker, string>
let answered = ''
const counts = { cells: 0, foreign: 0 }

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes.map(undone)))
  const { db } = world.services
  const family = await addKin(db, NOON)
  kin = family.kin
  const machineIds = [kin.own.machines[0]?.id ?? 0]
  const own = { merchantId: kin.own.merchantId, grants: ['*'] }
  const add = async (user: Parameters<typeof addUser>[1]) => (await addUser(db, user)).id
  userIds = {
    platform: await add({ ...own, merchantId: family.platformId, kind: 'platform_admin' }),
    merchant: await add(own),
    ordinary: await add({ ...own, kind: 'ordinary', machineIds }),
    doctor: await add({ ...own, kind: 'doctor', machineIds }),
    disabled: await add(own),
    otherRole: await add(own),
    viewing: await add(own),
    program: 0,
    nobody: 0,
  }
  await sql`update app_user set state = 'disabled' where id = ${userIds.disabled}`.execute(db)
  tokens = { ...userIds, ...Object.fromEntries(await Promise.all(askers.map(async (one) => [one, await enter(one)]))) }
})
afterAll(async () => {
  await http.close()
  await world.close()
  const { cells, foreign } = counts
  process.stdout.write(`\nsight: ${endpoints.length} operations, ${cells} cells decided, ${foreign} foreign rows\n`)
})

function undone(route: Route): Route {
  if (route.kind !== 'command') return route
  const run: typeof route.run = async (ctx, input) => {
    answered = JSON.stringify(route.endpoint.output.parse(await route.run(ctx, input)))
    return refuse(DONE)
  }
  return { ...route, run }
}

async function enter(asker: Asker): Promise<string> {
  if (asker === 'nobody') return ''
  const { db } = world.services
  if (asker === 'program') {
    const scopes = permissions.map(({ code }) => code).filter((code) => !peoplesPermissions.has(code))
    return (await addApiKey(db, { merchantId: kin.own.merchantId, name: markOf.own, scopes, at: NOON })).key
  }
  const userId = userIds[asker]
  const token = await addSession(db, userId, NOON)
  const roleOf = (grants: string) => sql`with made as (
      insert into role (merchant_id, name)
      values (${kin.own.merchantId}, ${`${asker} ${token.slice(0, 20)}`}) returning id),
    granted as (insert into role_permission select id, ${grants} from made)
    insert into user_role select ${userId}, id from made returning role_id as id`
  if (asker === 'otherRole') {
    const role = await sql<{ id: number }>`${roleOf('nothing.read')}`.execute(db)
    await sql`update session set active_role_id = ${role.rows[0]?.id} where user_id = ${userId}`.execute(db)
  }
  if (asker === 'viewing') {
    const role = await sql<{ id: number }>`${roleOf('*')}`.execute(db)
    await sql`update session set view_role_id = ${role.rows[0]?.id} where user_id = ${userId}`.execute(db)
  }
  return token
}

type Cell = { asker: Asker; relation: Relation; subject: Subject | null }
type Said = { status: number; code: string; text: string }

async function ask(endpoint: Endpoint, input: Record<string, unknown>, asker: Asker): Promise<Said> {
  answered = ''
  // What is no command may still end the session that it came with.
  const mayEnd = endpoint.method === 'POST' && !endpoint.writes && asker !== 'nobody'
  const token = mayEnd ? await enter(asker) : tokens[asker]
  const { status, body, text } = await http.call(endpoint, input, { token })
  return { status, code: String(body.code), text: text + answered }
}

/** What turns a caller away whatever is asked about; undefined for who gets as far as the row. */
function turnedAway(endpoint: Endpoint, asker: Asker): Wanted | undefined {
  const { access, writes } = endpoint
  if (access === 'public') return undefined
  if (asker === 'nobody' || asker === 'disabled') return 'S9999'
  if (asker === 'program' && !isOpenToKeys(endpoint)) return 'apiKey.personOnly'
  if (asker === 'otherRole' && access !== 'session') return 'request.notPermitted'
  return asker === 'viewing' && writes ? 'viewing.readOnly' : undefined
}

/** What the policy wants of a cell; an answer is anything but a refusal of the caller or the row. */
type Wanted =
  | 'answered'
  | 'S9999'
  | 'apiKey.personOnly'
  | 'request.notPermitted'
  | 'viewing.readOnly'
  | 'request.notFound'
  | 'nothing'

function wantedOf(endpoint: Endpoint, { asker, relation, subject }: Cell): Wanted {
  const operation = operationOf(endpoint)
  if (endpoint.access === 'public') return 'answered'
  const away = turnedAway(endpoint, asker)
  if (away) return away
  if (asker !== 'platform' && operation in platformsAlone) return platformsAlone[operation] ?? 'answered'
  if (nothingThere.has(operation)) return 'request.notFound'
  const isAdministrator = asker !== 'ordinary' && asker !== 'doctor'
  if (!subject || isInSight(asker, subject.noun, relation, operation)) {
    return isAdministrator || !administratorsAlone.has(operation) ? 'answered' : 'request.notPermitted'
  }
  return subject.isInPath ? 'request.notFound' : 'nothing'
}

const refusedWhole = [
  'S9999',
  'B1000',
  'apiKey.personOnly',
  'request.notPermitted',
  'request.slowDown',
  'viewing.readOnly',
  'request.notFound',
]

function isAsWanted(endpoint: Endpoint, { status, code }: Said, wanted: Wanted): boolean {
  if (status >= 500 && !endpoint.refusals.includes(code)) return false
  if (wanted === 'answered') return !refusedWhole.includes(code)
  // A row of others that a filter or a field names: an empty list or a refusal, never a change.
  if (wanted === 'nothing') return code !== DONE
  return code === wanted
}

const marksSeen = (text: string, asker: Asker, { name }: Endpoint): Relation[] =>
  relations.filter((relation) => !isNamed(asker, relation, name) && text.includes(markOf[relation]))

function rowOf({ noun, isList }: Subject, relation: Relation): unknown {
  const id = kin[relation].ids[noun]
  if (id === undefined) throw new Error(`testing/rows.ts has no row for ${noun}`)
  return isList ? [id] : id
}

/** All that is wrong with an endpoint, a line a cell. */
async function faultsOf(endpoint: Endpoint): Promise<string[]> {
  const subjects = subjectsOf(endpoint)
  const inPath = subjects.filter(({ isInPath }) => isInPath)
  const fixed = Object.fromEntries(inPath.map((subject) => [subject.field, rowOf(subject, 'own')]))
  const valid = validInput(endpoint, { ...given[operationOf(endpoint)], ...fixed })
  const base = { ...valid, ...ownRows(subjects.filter(({ field }) => field in valid)) }
  const faults: string[] = []
  await forgetCalls(world.services.db)
  for (const cell of cellsOf(endpoint, subjects)) {
    const { asker, relation, subject } = cell
    const input = subject ? { ...base, [subject.field]: rowOf(subject, relation) } : base
    const said = await ask(endpoint, input, asker)
    const wanted = wantedOf(endpoint, cell)
    const foreign = marksSeen(said.text, asker, endpoint)
    counts.cells += 1
    counts.foreign += foreign.length
    const name = `${asker} · ${subject ? `${relation}'s ${subject.field}` : 'no row'}`
    if (!isAsWanted(endpoint, said, wanted)) faults.push(`${name}: ${wanted} wanted, ${said.status} ${said.code}`)
    if (foreign.length > 0) faults.push(`${name}: shows ${foreign.join(', ')}`)
  }
  return faults
}

const ownRows = (subjects: readonly Subject[]) =>
  Object.fromEntries(subjects.map((subject) => [subject.field, rowOf(subject, 'own')]))

function* cellsOf(endpoint: Endpoint, subjects: readonly Subject[]): Generator<Cell> {
  for (const asker of askers) {
    if (subjects.length === 0) yield { asker, relation: 'own', subject: null }
    const whose = turnedAway(endpoint, asker) ? (['own'] as const) : relations
    for (const subject of subjects) for (const relation of whose) yield { asker, relation, subject }
  }
}

test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s answers each kind of user as declared, for rows near and far',
  { timeout: 60_000 },
  async (_, endpoint) => {
    expect(await faultsOf(endpoint)).toEqual([])
  },
)

const lists = endpoints.filter((each): each is ListEndpoint => 'count' in each)

/** How many rows there are, by leafing through them. */
async function rowsIn(list: ListEndpoint, input: Record<string, unknown>, token: string): Promise<number> {
  const { data } = (await http.call(list, { ...input, pageSize: 200 }, { token })).body as { data?: PageOfRows }
  const rest = data?.nextCursor ? await rowsIn(list, { ...input, cursor: data.nextCursor }, token) : 0
  return (data?.items.length ?? 0) + rest
}
type PageOfRows = { items: unknown[]; nextCursor: string | null }

test.each(lists.map((list) => [list.name, list] as const))(
  '%s counts for each kind of user as many as it lists',
  { timeout: 60_000 },
  async (_, list) => {
    const inPath = subjectsOf(list).filter(({ isInPath }) => isInPath)
    const input = { ...validInput(list.count, ownRows(inPath)), ...ownRows(inPath) }
    for (const asker of ['platform', 'merchant', 'ordinary', 'doctor', 'viewing', 'program'] as const) {
      const { status, body } = await http.call(list.count, input, { token: tokens[asker] })
      if (status !== 200) continue
      const counted = (body.data as { total: number | null }).total
      expect([asker, counted]).toEqual([asker, await rowsIn(list, input, tokens[asker])])
    }
  },
)

test.each(lists.map((list) => [list.name, list] as const))(
  '%s jumps over rows as it leafs through them',
  async (_, list) => {
    const inPath = subjectsOf(list).filter(({ isInPath }) => isInPath)
    const input = { ...validInput(list.count, ownRows(inPath)), ...ownRows(inPath) }
    const itemsOf = async (more: Record<string, unknown>) => {
      const { body } = await http.call(list, { ...input, ...more }, { token: tokens.platform })
      // Some reports can't be asked for with every filter at once.
      return (body.data as PageOfRows | undefined)?.items ?? []
    }
    const all = await itemsOf({ pageSize: 3 })
    expect(await itemsOf({ pageSize: 2, skip: 1 })).toEqual(all.slice(1))
    if (all.length < 3) expect(await itemsOf({ skip: all.length })).toEqual([])
  },
)

const severalOf = lists.flatMap((list) =>
  Object.entries((list.count.input as z.ZodObject).shape).flatMap(([name, schema]) => {
    const offered = choicesOf(schema as z.ZodType)
    return offered?.isSeveral ? [[list.name, name, list, offered.choices] as const] : []
  }),
)

test.each(severalOf)('%s by several of %s is what any of them leaves', async (_, name, list, values) => {
  const inPath = subjectsOf(list).filter(({ isInPath }) => isInPath)
  const days = 'from' in (list.count.input as z.ZodObject).shape ? { from: '2026-10-21', to: '2026-11-20' } : {}
  const input = { ...validInput(list.count, { ...ownRows(inPath), ...days }), ...ownRows(inPath) }
  const rowsOf = async (value: string) => {
    const { text, body } = await http.call(list.count, { ...input, [name]: value }, { token: tokens.platform })
    expect(text).toMatch(/"total":\d+/)
    return (body.data as { total: number }).total
  }
  const counted: number[] = []
  for (const value of values) counted.push(await rowsOf(value))
  const together = await rowsOf(values.join(','))
  expect(together).toBeGreaterThanOrEqual(Math.max(...counted))
  expect(together).toBeLessThanOrEqual(counted.reduce((sum, each) => sum + each, 0))
})

test('each kind of user and row was asked about', () => {
  expect(counts.cells).toBeGreaterThan(endpoints.length * askers.length)
})
