import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, type Family } from '../../testing/fixtures'
import { openWorld, type World } from '../../testing/world'
import { watchFlowCards } from './flowCard.jobs'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let family: Family

beforeAll(async () => {
  world = await openWorld(NOON)
  family = await addFamily(world.services.db, NOON)
})
afterAll(() => world.close())

test('a card over its limit is an alarm once, which ends when the month does', async () => {
  const { db } = world.services
  const { machines, ids } = family.ours
  await sql`update flow_card set machine_id = ${machines[0]?.id}, alarm_mb = 10
    where id = ${ids['flow-cards']}`.execute(db)
  await sql`insert into flow_month values (${ids['flow-cards']}, '2026-11-01', 10240)`.execute(db)
  const states = async () => {
    const found = await sql<{ state: string; cause: string }>`select cause, state from alarm
      where cause like 'flow%' order by id`.execute(db)
    return found.rows.map(({ cause, state }) => `${cause} ${state}`)
  }
  await watchFlowCards(world.services)
  await watchFlowCards(world.services)
  expect(await states()).toEqual(['flow_limit open'])
  world.setNow(new Date('2026-12-01T04:00:00Z'))
  await watchFlowCards(world.services)
  expect(await states()).toEqual(['flow_limit closed'])
})
