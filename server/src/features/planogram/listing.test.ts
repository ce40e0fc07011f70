import { relist, takeOffline } from '@aisle/contract/catalog/product'
import { getPlanogram } from '@aisle/contract/planogram/slot'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { catalog } from '../catalog/manifest'
import { PUSH_LISTING } from '../catalog/public'
import { jobs } from './planogram.jobs'
import { routes } from './slot.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...(catalog.routes ?? []), ...routes))
  family = await addFamily(world.services.db, NOON)
  const grants = ['product.*', 'machine.read']
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants })
  token = await addSession(world.services.db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

test('slots of an offline product say so, their machines stop them, and sell again once it is listed', async () => {
  const [machine] = family.ours.machines
  const [slot] = machine?.slots ?? []
  const productId = slot?.productId ?? 0
  await sql`update product set picture = '/pictures/a.png' where id = ${productId}`.execute(world.services.db)
  const planned = async () => {
    const { body } = await http.call(getPlanogram, { id: machine?.id }, { token })
    const { slots } = body.data as { slots: { code: string; state: string }[] }
    return slots.find(({ code }) => code === slot?.code)?.state
  }
  expect((await http.call(takeOffline, { id: productId }, { token })).status).toBe(200)
  expect([await planned(), await told()]).toEqual(['offline', 'stopped_sale'])
  expect((await http.call(relist, { id: productId }, { token })).status).toBe(200)
  expect([await planned(), await told()]).toEqual(['normal', 'none'])

  /** What the machine hears of the slot once the work that the verb left behind is done. */
  async function told(): Promise<string | undefined> {
    const { db } = world.services
    const left = await sql<{ payload: { productId: number } }>`
      delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = ${PUSH_LISTING} returning j.payload`.execute(db)
    const job = jobs.find(({ name }) => name === PUSH_LISTING)
    for (const { payload } of left.rows) await job?.run(world.services, payload)
    const pushed = await sql<{ slots: { code: string; choice: string }[] }>`select data -> 'slots' as slots
      from device_command where machine_id = ${machine?.id ?? 0} and type = 'push_planogram'
      order by created_at desc, seq desc limit 1`.execute(db)
    return pushed.rows[0]?.slots.find(({ code }) => code === slot?.code)?.choice
  }
})
