import { randomBytes } from 'node:crypto'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { getOwnPasswordParam } from '@aisle/contract/identity/password'
import { getCheckCode, getLoginParam, onLogin } from '@aisle/contract/identity/session'
import {
  authMessage,
  b64u,
  clientProof,
  defaultKdf,
  type deriveKeys,
  passwordField,
  verifierText,
} from '@aisle/contract/identity/signin'
import { sql } from 'kysely'
import type { Route } from '../kernel/route'
import { unseal } from '../kernel/seal'
import { type Answer, openHttp } from './http'
import { routesWith } from './stubs'
import { ensurePartitions } from '../features/system/public'
import { saltFor } from '../features/identity/password/credential'
import { routes as identityRoutes } from '../features/identity/identity.routes'
import { routes as ownSessionsRoutes } from '../features/identity/session/ownSessions.routes'
import { routes as passwordRoutes } from '../features/identity/password/password.routes'
import { routes as secondFactorRoutes } from '../features/identity/secondFactor/secondFactor.routes'
import { routes as ssoRoutes } from '../features/identity/sso/sso.routes'
import { cheapKeys, codeIn, openIdentity, ORIGIN } from '../features/identity/testing'

const own = [...identityRoutes, ...ownSessionsRoutes, ...passwordRoutes, ...secondFactorRoutes, ...ssoRoutes]

type Derive = typeof deriveKeys

/** The server over HTTP with users whose passwords cost nothing to derive, and what a client of theirs does. */
export async function openAccounts(...more: Route[]) {
  const identity = await openIdentity()
  const { clock, keys, pool, services, url } = identity
  await ensurePartitions(pool.db, clock.at)
  const world = { url, services, setNow: (at: Date) => void (clock.at = at), close: identity.close }
  const http = await openHttp(world, routesWith(...own, ...more))
  const headers = { origin: ORIGIN, 'user-agent': 'test' }
  const call = (endpoint: Endpoint, input: Record<string, unknown> = {}, token?: string, more = {}): Promise<Answer> =>
    http.call(endpoint, input, { ...(token ? { token } : {}), headers: { ...headers, ...more } })
  const later = (seconds: number) => world.setNow(new Date(clock.at.getTime() + seconds * 1000))
  const close = async () => {
    await http.close()
    await identity.close()
  }

  /**
   * All of the first step, with the check code read where only the server has it.
   * @param derive for a password that the server made
   */
  async function signIn(account: string, password: string, more = {}, derive: Derive = cheapKeys): Promise<Answer> {
    const code = await call(getCheckCode, { account }, undefined, more)
    const { cid, checkCode: shown } = dataOf(code)
    const checkCode = shown ?? (await codeIn(pool, cid))
    const cnonce = b64u(randomBytes(16))
    const { salt, kdf, snonce } = dataOf(await call(getLoginParam, { account, cid, cnonce }, undefined, more))
    const am = authMessage({ origin: ORIGIN, account, cid, checkCode, cnonce, snonce, salt, kdf })
    const proof = passwordField(cid, clientProof(derive(password, Buffer.from(salt, 'base64url'), kdf), am))
    return call(onLogin, { account, password: proof, checkCode }, undefined, more)
  }
  const tokenOf = async (account: string, password: string) =>
    String((await signIn(account, password)).body.session_key ?? '')

  /** Proves the own password once more. */
  async function proofOf(token: string, password: string): Promise<string> {
    const cnonce = b64u(randomBytes(16))
    const { account, cid, checkCode, snonce, salt, kdf } = dataOf(await call(getOwnPasswordParam, { cnonce }, token))
    const am = authMessage({ origin: ORIGIN, account, cid, checkCode, cnonce, snonce, salt, kdf })
    return passwordField(cid, clientProof(cheapKeys(password), am))
  }

  function verifierOf(account: string, password: string): string {
    const { serverKey, storedKey } = cheapKeys(password)
    const salt = b64u(saltFor(keys, account))
    return verifierText({ v: 1, kdf: defaultKdf, salt, storedKey: b64u(storedKey), serverKey: b64u(serverKey) })
  }

  /** What was sent to a phone, newest first; sealed in the database. */
  async function sentTo(phone: string): Promise<string[]> {
    const found = await sql<{ sealed: Buffer }>`select sealed_body as sealed from outbox_message
      where receiver = ${phone} order by id desc`.execute(pool.db)
    return found.rows.map(({ sealed }) => unseal(keys, `outbox:${phone}`, sealed))
  }
  return { ...identity, http, call, later, signIn, tokenOf, proofOf, verifierOf, sentTo, close }
}
export type Accounts = Awaited<ReturnType<typeof openAccounts>>

export function dataOf({ body, text }: Answer) {
  if (typeof body.data !== 'object' || body.data === null) throw new Error(text)
  return Object(body.data)
}
export const codeOf = ({ body }: Answer): unknown => body.code
