import {
  acknowledgeSystemAlarm,
  getSystemAlarm,
  listSystemAlarms,
  type SystemAlarm,
} from '@aisle/contract/audit/systemAlarm'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { word } from '../../kernel/words'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { jobs } from './audit.jobs'
import { routes } from './systemAlarm.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)

let world: World
let http: HttpWorld
let platform: { id: number; token: string }

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const merchantId = await addMerchant(db)
  const admin = await addUser(db, { merchantId, kind: 'platform_admin', grants: ['*'] })
  await sql`update app_user set language = 'fr' where id = ${admin.id}`.execute(db)
  platform = { id: admin.id, token: await addSession(db, admin.id, NOON) }
  await sql`insert into audit_pending (log_id, at) values (999999, ${NOON})`.execute(db)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const watch = async (at: Date) => {
  world.setNow(at)
  await jobs.find(({ name }) => name === 'audit.watch')?.run(world.services, {})
}
const alarms = async () => {
  const answer = await http.call(listSystemAlarms, {}, { token: platform.token })
  return (answer.body.data as { items: SystemAlarm[] }).items
}

test('a cause opens one alarm however often seen, tells the platform once, and closes it when it ends', async () => {
  const { db } = world.services
  await watch(later(10))
  expect(await alarms()).toEqual([])
  await watch(later(20))
  await watch(later(21))
  const [alarm] = await alarms()
  expect(alarm).toMatchObject({ kind: 'seal_lag', state: 'open', seenAt: expect.stringContaining('04:21') })
  const told = await sql<{ user_id: number; type: string }>`select distinct user_id, type from outbox_message`.execute(
    db,
  )
  expect(told.rows).toEqual([{ user_id: platform.id, type: 'alarm.system' }])
  const words = await sql<{ title: string }>`select title from outbox_message`.execute(db)
  expect(words.rows[0]?.title).toContain(word('fr', 'audit', 'alarmKind.seal_lag'))
  const asked = { id: alarm?.id, note: 'the worker is restarted' }
  expect((await http.call(acknowledgeSystemAlarm, asked, { token: platform.token })).status).toBe(200)
  const again = await http.call(acknowledgeSystemAlarm, asked, { token: platform.token })
  expect(again.body.code).toBe('systemAlarm.state')
  expect(await alarms()).toMatchObject([{ state: 'acknowledged' }])
  await sql`delete from audit_pending`.execute(db)
  await watch(later(22))
  expect(await alarms()).toMatchObject([{ state: 'closed' }])
})

test('a backup that failed, and one that is too old, are alarms until one is good or nobody wants any', async () => {
  const { db } = world.services
  const ran = (beganAt: Date, problem: string) =>
    sql`insert into backup_run
    (file, by_schedule, began_at, ended_at, is_good, problem, bytes, books_hash) values ('/backups/x.tar.gz', true,
      ${beganAt}, ${beganAt}, ${problem === ''}, ${problem}, ${problem === '' ? 1 : null},
      ${problem === '' ? Buffer.alloc(32) : null})`.execute(db)
  const states = async () =>
    (await alarms()).flatMap(({ kind, state }) => (kind.startsWith('backup') ? [`${kind} ${state}`] : []))
  await ran(later(30), 'the disk is full')
  await watch(later(31))
  expect(await states()).toEqual(['backup_failed open'])
  const [failed] = (await alarms()).filter(({ kind }) => kind === 'backup_failed')
  const shown = await http.call(getSystemAlarm, { id: failed?.id }, { token: platform.token })
  expect(shown.body.data).toMatchObject({ facts: { problem: 'the disk is full', file: '/backups/x.tar.gz' } })
  await ran(later(40), '')
  await watch(later(41))
  expect(await states()).toEqual(['backup_failed closed'])
  // Nobody is signed in for as long.
  platform.token = await addSession(db, platform.id, later(40 + 36 * 60))
  await watch(later(40 + 36 * 60))
  expect(await states()).toEqual(['backup_failed closed'])
  await watch(later(41 + 36 * 60))
  expect(await states()).toEqual(['backup_old open', 'backup_failed closed'])
  await sql`insert into setting (key, value) values ('backup.isOn', 'false'::jsonb)`.execute(db)
  await watch(later(42 + 36 * 60))
  expect(await states()).toEqual(['backup_old closed', 'backup_failed closed'])
})

test('only who sees the whole platform sees its alarms', async () => {
  const { db } = world.services
  const merchantId = await addMerchant(db, {
    parentId: (await sql<{ id: number }>`select id from merchant`.execute(db)).rows[0]?.id ?? 0,
  })
  const user = await addUser(db, { merchantId, grants: ['systemAlarm.read', 'systemAlarm.write'] })
  const token = await addSession(db, user.id, world.services.clock.now())
  const list = await http.call(listSystemAlarms, {}, { token })
  expect(list.body.data).toMatchObject({ items: [] })
  const counted = await http.call(listSystemAlarms.count, {}, { token })
  expect(counted.body.data).toEqual({ total: 0 })
  const [id] = (await alarms()).map((each) => each.id)
  expect((await http.call(getSystemAlarm, { id }, { token })).status).toBe(404)
})
