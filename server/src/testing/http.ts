import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { fillPath } from '@aisle/contract/kernel/path'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { openPool, type Pool } from '../db/pool'
import { admitKey } from '../features/events/public'
import { touchSession } from '../features/identity/public'
import type { Route } from '../kernel/route'
import { createApp } from '../transport/http/app'
import { bindRoutes } from '../transport/http/bind'
import { sessionReader } from '../transport/http/session'
import type { World } from './world'

export type Answer = { status: number; body: Record<string, unknown>; text: string }

export type HttpWorld = {
  app: FastifyInstance
  /** The endpoint as a client of ours calls it. */
  call: (endpoint: Endpoint, input?: Record<string, unknown>, as?: Caller) => Promise<Answer>
  close: () => Promise<void>
}

export type Caller = { token?: string; key?: string; headers?: Record<string, string> }

/** The real server on the world's database, without a port: routes, sessions, failures and all. */
export async function openHttp(
  world: World,
  routes: readonly Route[],
  serveMore: (app: FastifyInstance) => void = () => undefined,
): Promise<HttpWorld> {
  const pool: Pool = openPool(world.url, 3, () => undefined)
  const app = createApp(world.services.log)
  const readSession = sessionReader(pool.raw, world.services.log, touchSession(pool.db))
  const { services } = world
  const readKey = (key: string) => admitKey(services, key)
  await bindRoutes(app, routes, { services, readSession, readKey, observe: () => undefined })
  serveMore(app)
  await app.ready()
  const call: HttpWorld['call'] = async (endpoint, input = {}, caller = {}) => {
    const { path, rest } = fillPath(endpoint.path, input)
    const headers = headersOf(caller)
    if (endpoint.method === 'GET')
      return answerOf(await app.inject({ method: 'GET', url: path, query: texts(rest), headers }))
    return answerOf(await app.inject({ method: 'POST', url: path, payload: rest, headers }))
  }
  const close = async () => {
    await app.close()
    await pool.close()
  }
  return { app, call, close }
}

const headersOf = ({ token, key = randomUUID(), headers = {} }: Caller): Record<string, string> => ({
  'idempotency-key': key,
  ...(token ? { authorization: `Bearer ${token}` } : {}),
  ...headers,
})

const texts = (input: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]))

export const answerOf = (response: LightMyRequestResponse): Answer => ({
  status: response.statusCode,
  body: bodyOf(response),
  text: response.payload,
})

function bodyOf(response: LightMyRequestResponse): Record<string, unknown> {
  const body: unknown = response.json()
  if (typeof body !== 'object' || body === null) throw new TypeError('an answer is an object')
  return body as Record<string, unknown>
}

export const statusAndCode = ({ status, body }: Answer): [number, unknown] => [status, body.code]
