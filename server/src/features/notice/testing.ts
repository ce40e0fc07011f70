import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type Answer, type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes as alarmLog } from './alarmLog.routes'
import { routes as bell } from './bell.routes'
import { routes as messageType } from './messageType'
import { routes as notice } from './notice.routes'
import { routes as provider } from './provider.routes'
import { routes as push } from './push.routes'
import { routes as pushSetting } from './pushSetting.routes'

const own = [...alarmLog, ...bell, ...messageType, ...notice, ...provider, ...push, ...pushSetting]

/** 12:00 in Shanghai. */
export const NOON = new Date('2026-11-20T04:00:00Z')

/** A platform with a merchant, one below it, and another; the clock stands at `NOON`. */
export type Place = {
  world: World
  http: HttpWorld
  platform: { id: number; code: string }
  ours: { id: number; code: string }
  below: { id: number; code: string }
  theirs: { id: number; code: string }
  close: () => Promise<void>
}

export async function openPlace(): Promise<Place> {
  const world = await openWorld(NOON)
  const http = await openHttp(world, routesWith(...own))
  const platform = await merchant(world)
  const ours = await merchant(world, platform.id)
  const below = await merchant(world, ours.id)
  const theirs = await merchant(world, platform.id)
  const close = async () => {
    await http.close()
    await world.close()
  }
  return { world, http, platform, ours, below, theirs, close }
}

async function merchant(world: World, parentId?: number): Promise<{ id: number; code: string }> {
  const id = await addMerchant(world.services.db, parentId === undefined ? {} : { parentId })
  const found = await sql<{ code: string }>`select code from merchant where id = ${id}`.execute(world.services.db)
  return { id, code: found.rows[0]?.code ?? '' }
}

export type Somebody = {
  id: number
  call: (endpoint: Endpoint, input?: Record<string, unknown>) => Promise<Answer>
}

/** A signed-in person of a merchant, who may do everything there unless said otherwise. */
export async function somebody(
  { world, http }: Pick<Place, 'world' | 'http'>,
  merchantId: number,
  more: Partial<Parameters<typeof addUser>[1]> & { phone?: string; email?: string } = {},
): Promise<Somebody> {
  const { phone = null, email = null, ...user } = more
  const { db } = world.services
  const { id } = await addUser(db, { merchantId, grants: ['*'], ...user })
  await sql`update app_user set phone = ${phone}, email = ${email} where id = ${id}`.execute(db)
  // Signed in anew each time: the clock of a test moves by more than a session lasts.
  const call: Somebody['call'] = async (endpoint, input = {}) =>
    http.call(endpoint, input, { token: await addSession(db, id, world.services.clock.now()) })
  return { id, call }
}

/** What a call answered; a refusal fails the test with its words. */
export function dataOf<T>(answer: Answer): T {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body.data as T
}
