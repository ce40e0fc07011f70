import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { only } from '../../kernel/must'
import type { Route } from '../../kernel/route'
import { addFamily, addSession, addUser, carrySms, type Family } from '../../testing/fixtures'
import { type Answer, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld } from '../../testing/world'
import { routes as doctorRoutes } from './doctor.routes'
import { routes as organisationRoutes } from './organisation'
import { routes as userRoutes } from './user.routes'

export const NOON = new Date('2026-11-20T04:00:00Z')
export const PHONE = '13912345678'

/** A platform with two merchants, the real calls of this domain, and somebody to make them. */
export async function openPeople(...more: Route[]) {
  const world = await openWorld(NOON)
  const http = await openHttp(world, routesWith(...userRoutes, ...organisationRoutes, ...doctorRoutes, ...more))
  const { db } = world.services
  const family: Family = await addFamily(db, NOON)
  await carrySms(db)
  const as = async (user: Parameters<typeof addUser>[1]) => {
    const made = await addUser(db, user)
    const token = await addSession(db, made.id, NOON)
    const call = (endpoint: Endpoint, input?: Record<string, unknown>): Promise<Answer> =>
      http.call(endpoint, input, { token })
    return { ...made, token, call }
  }
  const role = async (merchantId: number, name: string, grants: readonly string[], surface = 'web') => {
    const made = await sql<{ id: number }>`insert into role (merchant_id, name, surface)
      values (${merchantId}, ${name}, ${surface}) returning id`.execute(db)
    const id = only(made).id
    await sql`insert into role_permission (role_id, permission) select ${id}, unnest(${grants}::text[])`.execute(db)
    return id
  }
  const close = async () => {
    await http.close()
    await world.close()
  }
  return { world, db, http, family, as, role, close }
}
export type People = Awaited<ReturnType<typeof openPeople>>
export type Caller = Awaited<ReturnType<People['as']>>

export const data = <T>({ body }: Answer): T => body.data as T
