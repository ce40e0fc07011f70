import { createHash, randomBytes } from 'node:crypto'
import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import { getCheckCode, getLoginParam, onLogin } from '@aisle/contract/identity/session'
import {
  authMessage,
  b64u,
  checkServerSignature,
  clientProof,
  defaultKdf,
  fromB64u,
  type Keys,
  keysFrom,
  normaliseAccount,
  passwordField,
} from '@aisle/contract/identity/signin'
import { sql } from 'kysely'
import pino from 'pino'
import { openPool, type Pool } from '../../db/pool'
import { freshDatabase } from '../../db/testing'
import type { AuthKeys, CallContext, Services } from '../../kernel/context'
import { filesIn } from '../../kernel/files/store'
import { only } from '../../kernel/must'
import { Refusal } from '../../kernel/refuse'
import { hashToken } from '../../kernel/token'
import { write } from './password/credential.store'
import { routes } from '../../main/features'

export const ORIGIN = 'https://aisle.example'
const START = new Date('2026-03-02T08:00:00Z')

/** The algebra is the same whatever salted the password, so tests need no argon2. */
export const cheapKeys = (password: string): Keys => keysFrom(createHash('sha256').update(password).digest())

export type Place = { ip?: string; origin?: string; deviceCookie?: string | null; now?: Date }

/** A database with the platform and its users, a clock that stands still, and every log line kept. */
export async function openIdentity() {
  const database = await freshDatabase()
  const pool = openPool(database.url, 20, () => undefined)
  const clock = { at: START, now: () => clock.at }
  const logged: string[] = []
  const keys = randomKeys()
  const services: Services = {
    db: pool.db,
    clock,
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    keys,
    dataDir: '/nowhere',
    files: filesIn('/nowhere'),
  }
  const cookies: string[] = []
  const contextAt = (place: Place = {}): CallContext => ({
    services,
    db: pool.db,
    now: () => place.now ?? clock.at,
    language: 'zh',
    traceId: 'test',
    ip: place.ip ?? '203.0.113.7',
    agent: 'test',
    origin: place.origin ?? ORIGIN,
    deviceCookie: place.deviceCookie ?? null,
    keepDevice: (value) => void cookies.push(value),
  })
  const close = async () => {
    await pool.close()
    await database.drop()
  }
  return { url: database.url, pool, services, clock, logged, keys, cookies, contextAt, close }
}
export type Identity = Awaited<ReturnType<typeof openIdentity>>

export const randomKeys = (): AuthKeys => ({
  id: 'test-keys',
  auth: randomBytes(32),
  salt: randomBytes(32),
  fake: randomBytes(32),
  device: randomBytes(32),
})

type UserOptions = { state?: 'active' | 'disabled'; grants?: string[]; merchantId?: number }

export async function makeMerchant(pool: Pool, code: string, isSingle = false, parent: number | null = null) {
  const type = parent === null ? 'platform' : 'ordinary'
  const made = await sql<{ id: number }>`insert into merchant (parent_id, code, name, type, single_session)
    values (${parent}, ${code}, ${code}, ${type}, ${isSingle}) returning id`.execute(pool.db)
  return only(made).id
}

export async function makeUser(
  { pool, keys, clock }: Identity,
  account: string,
  password: string | Keys,
  { state = 'active', grants = [], merchantId }: UserOptions = {},
): Promise<number> {
  const root = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(pool.db)
  const home = merchantId ?? root.rows[0]?.id ?? (await makeMerchant(pool, 'PLATFORM'))
  const made = await sql<{ id: number }>`insert into app_user (merchant_id, account, display_name, kind, state)
    values (${home}, ${normaliseAccount(account)}, ${account}, 'ordinary', ${state}) returning id`.execute(pool.db)
  const userId = only(made).id
  const opened = typeof password === 'string' ? cheapKeys(password) : password
  await write(pool.db, keys, { userId, kdf: defaultKdf, opened, mustChange: false, at: clock.at })
  if (grants.length > 0) await grant(pool, home, userId, grants)
  return userId
}

async function grant(pool: Pool, merchantId: number, userId: number, grants: string[]): Promise<void> {
  const role = await sql<{ id: number }>`insert into role (merchant_id, name)
    values (${merchantId}, ${`role of ${userId}`}) returning id`.execute(pool.db)
  const roleId = only(role).id
  await sql`insert into role_permission (role_id, permission)
    select ${roleId}, unnest(${grants}::text[])`.execute(pool.db)
  await sql`insert into user_role (user_id, role_id) values (${userId}, ${roleId})`.execute(pool.db)
}

/** As the transport does: the input through the endpoint's schema, then the route. */
export async function call<E extends Endpoint>(ctx: CallContext, endpoint: E, input: CallOf<E>): Promise<OutputOf<E>> {
  const route = routes.find((each) => each.endpoint.name === endpoint.name)
  if (route?.kind !== 'open') throw new Error(`${endpoint.name} is not an open route`)
  return endpoint.output.parse(await route.run(ctx, endpoint.input.parse(input))) as OutputOf<E>
}

/** The refusal that a call ends with; a success is an error here. */
export async function refusalOf(answer: Promise<unknown>): Promise<Refusal> {
  const refusal = await answer.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  )
  if (refusal instanceof Refusal) return refusal
  throw refusal
}
export const codeOf = async (answer: Promise<unknown>): Promise<string> => (await refusalOf(answer)).code

export type Prepared = { account: string; cid: string; checkCode: string; am: Uint8Array; keys: Keys }

/** Steps 1 to 3 of an honest client; a typed code is read where only the server has it. */
export async function prepare(
  identity: Identity,
  account: string,
  password: string,
  place: Place = {},
): Promise<Prepared> {
  const ctx = identity.contextAt(place)
  const { cid, checkCode: shown } = await call(ctx, getCheckCode, { account })
  const checkCode = shown ?? (await codeIn(identity.pool, cid))
  const cnonce = b64u(randomBytes(16))
  const { salt, kdf, snonce } = await call(ctx, getLoginParam, { account, cid, cnonce })
  const am = authMessage({ origin: ctx.origin, account, cid, checkCode, cnonce, snonce, salt, kdf })
  return { account, cid, checkCode, am, keys: cheapKeys(password) }
}

export const finish = (identity: Identity, { account, cid, checkCode, am, keys }: Prepared, place: Place = {}) =>
  call(identity.contextAt(place), onLogin, {
    account,
    password: passwordField(cid, clientProof(keys, am)),
    checkCode,
  })

/** The whole sign-in, the server's signature checked. @returns the session key and its hash */
export async function signInAs(identity: Identity, account: string, password: string, place: Place = {}) {
  const prepared = await prepare(identity, account, password, place)
  const answer = await finish(identity, prepared, place)
  const signature = fromB64u(answer.serverSig ?? '')
  if (!checkServerSignature(prepared.keys.serverKey, prepared.am, signature)) throw new Error('a fake server')
  const token = answer.session_key ?? ''
  return { answer, token, tokenHash: hashToken(token), deviceCookie: identity.cookies.at(-1) ?? null }
}

export async function codeIn(pool: Pool, cid: string): Promise<string> {
  const found = await sql<{ code: string }>`select code from sign_in_challenge where cid = ${cid}`.execute(pool.db)
  return found.rows[0]?.code ?? ''
}
