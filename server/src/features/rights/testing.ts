import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { only } from '../../kernel/must'
import { routes as identityRoutes } from '../identity/identity.routes'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser, type BuiltUser } from '../../testing/fixtures'
import { type Answer, type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes as actingRoutes } from './acting.routes'
import { routes as menuRoutes } from './menu.routes'
import { routes as resourceRoutes } from './resource.routes'
import { routes as roleRoutes } from './role.routes'

export const NOON = new Date('2026-11-20T04:00:00Z')

export type Person = BuiltUser & {
  token: string
  call: <T = Record<string, unknown>>(
    endpoint: Endpoint,
    input?: Record<string, unknown>,
    headers?: Record<string, string>,
  ) => Promise<Said<T>>
}
/** A code and what came with it: data of a success, the words of a refusal. */
export type Said<T> = { code: unknown; data: T; msg: string; fields: { path: string; msg: string }[]; status: number }

export type RightsWorld = {
  world: World
  http: HttpWorld
  platformId: number
  ours: number
  theirs: number
  person: (user: Partial<Parameters<typeof addUser>[1]>) => Promise<Person>
  /** Gives a user one more role. @returns its id */
  addRole: (role: NewRole) => Promise<number>
  close: () => Promise<void>
}
type NewRole = {
  merchantId: number
  name: string
  grants?: readonly string[]
  holders?: readonly BuiltUser[]
  surface?: 'web' | 'app'
  isTemplate?: boolean
}

/** A platform with two merchants, and every call of the domain as browsers make it. */
export async function openRights(): Promise<RightsWorld> {
  const world = await openWorld(NOON)
  const { db } = world.services
  const http = await openHttp(
    world,
    routesWith(...identityRoutes, ...roleRoutes, ...resourceRoutes, ...menuRoutes, ...actingRoutes),
  )
  const platformId = await addMerchant(db)
  const ours = await addMerchant(db, { parentId: platformId })
  const theirs = await addMerchant(db, { parentId: platformId })
  const person: RightsWorld['person'] = async (user) => {
    const made = await addUser(db, { merchantId: ours, ...user })
    const token = await addSession(db, made.id, NOON)
    return {
      ...made,
      token,
      call: async (endpoint, input = {}, headers = {}) =>
        said(await http.call(endpoint, { language: 'en', ...input }, { token, headers })),
    }
  }
  const addRole: RightsWorld['addRole'] = async (role) => {
    const { merchantId, name, grants = [], holders = [], surface = 'web', isTemplate = false } = role
    const made = await sql<{ id: number }>`
      with made as (insert into role (merchant_id, name, surface, is_template)
        values (${merchantId}, ${name}, ${surface}, ${isTemplate}) returning id),
      granted as (insert into role_permission select id, unnest(${[...grants]}::text[]) from made),
      held as (insert into user_role select unnest(${holders.map(({ id }) => id)}::bigint[]), id from made)
      select id from made`.execute(db)
    return only(made).id
  }
  const close = async () => {
    await http.close()
    await world.close()
  }
  return { world, http, platformId, ours, theirs, person, addRole, close }
}

function said<T>({ body, status }: Answer): Said<T> {
  const { code, data, msg = '', fields = [] } = body
  return { code, data: data as T, msg: String(msg), fields: fields as Said<T>['fields'], status }
}
