import { randomUUID } from 'node:crypto'
import { rotateSecret } from '@aisle/contract/fleet/machine'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser } from '../../../testing/fixtures'
import { openHttp, type HttpWorld } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { routes } from './machine.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
})
afterAll(async () => {
  await http.close()
  await world.close()
})

test('a new secret is told once and kept nowhere; the same request again makes no other', async () => {
  const { db } = world.services
  const { ours } = await addFamily(db, NOON)
  const user = await addUser(db, { merchantId: ours.merchantId, grants: ['*'] })
  const caller = { token: await addSession(db, user.id, NOON), key: randomUUID() }
  const first = await http.call(rotateSecret, { id: ours.ids.machines }, caller)
  const { secret } = first.body.data as { secret: string }
  expect(secret).toHaveLength(43)
  const kept = await sql<{ text: string }>`select row_to_json(i)::text || row_to_json(a)::text as text
    from idempotency_key i, audit_log a where a.action = 'fleet.rotateSecret'`.execute(db)
  expect(kept.rows).toHaveLength(1)
  expect(kept.rows[0]?.text).not.toContain(secret)
  const again = await http.call(rotateSecret, { id: ours.ids.machines }, caller)
  expect([again.status, again.body.code]).toEqual([409, 'request.keyReused'])
})
