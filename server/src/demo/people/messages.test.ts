import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../testing/world'
import { notices } from '../data/messages'
import { pastWithin } from '../life/within'
import { addMessages } from './messages'
import { addAccounts, seedMerchants } from './people'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World

beforeAll(async () => {
  world = await openWorld(NOON)
  const { db } = world.services
  await db.transaction().execute(async (tx) => {
    const past = pastWithin(world.services, tx)
    await seedMerchants(past)
    await addAccounts(past)
    await addMessages(past)
  })
})
afterAll(() => world.close())

test('the demo shows notices in every state but that of being sent, with counts that agree', async () => {
  const found = await sql<{ state: string; count: number }>`select state, count(*) as count from notification n
    where n.receivers = (select count(*) from notification_receiver r where r.notification_id = n.id)
      and n.read_count = (select count(read_at) from notification_receiver r where r.notification_id = n.id)
    group by state order by state`.execute(world.services.db)
  expect(found.rows.map(({ state }) => state)).toEqual(['draft', 'scheduled', 'sent', 'withdrawn'])
  expect(found.rows.reduce((sum, { count }) => sum + count, 0)).toBe(notices.length)
})

test('a code of the demo is kept as sealed as any other', async () => {
  const found = await sql<{ body: string; isKept: boolean }>`select body, sealed_body is not null as "isKept"
    from outbox_message where is_secret`.execute(world.services.db)
  expect(found.rows).toEqual([{ body: '', isKept: true }])
})
