import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant } from '../../../testing/builders'
import { openWorld, type World } from '../../../testing/world'
import { ingest } from './ingest'
import { spoken } from '../testing'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World

beforeAll(async () => {
  world = await openWorld(NOON)
})
afterAll(() => world.close())

test('lines of a log are kept as they are said; of a played picture the largest count of the day holds', async () => {
  const { db } = world.services
  const machine = await addMachine(db, { merchantId: await addMerchant(db), products: [] })
  const ads = (plays: number) => ({ ads: [{ ad: 'WELCOME', plays, seconds: plays * 15 }] })
  const say = (seq: number, type: string, data: Record<string, unknown>) => spoken(world, machine.code, seq, type, data)
  await ingest(world.services, [
    say(1, 'log', { level: 'warn', lines: ['slot A1: motor 102', 'up 60 s'] }),
    say(2, 'ad.play', ads(7)),
    say(3, 'ad.play', ads(12)),
  ])
  await ingest(world.services, [say(4, 'ad.play', ads(9))])
  const log = await sql`select level, lines from machine_log where machine_id = ${machine.id}`.execute(db)
  expect(log.rows).toEqual([{ level: 'warn', lines: ['slot A1: motor 102', 'up 60 s'] }])
  const plays = await sql`select plays, seconds from machine_ad_day where machine_id = ${machine.id}`.execute(db)
  expect(plays.rows).toEqual([{ plays: 12, seconds: 180 }])
})

test.each([
  ['today', undefined, [['2026-11-20', 5]]],
  ['yesterday, told late', '2026-11-19', [['2026-11-19', 5]]],
  ['a day of last week', '2026-11-13', [['2026-11-13', 5]]],
  ['a day that is long over', '2026-11-12', []],
  ['tomorrow', '2026-11-21', []],
])('counts of %s', async (_, day, expected) => {
  const { db } = world.services
  const top = await sql<{ id: number }>`select id from merchant limit 1`.execute(db)
  const machine = await addMachine(db, { merchantId: top.rows[0]?.id ?? 0, products: [] })
  const ads = [{ ad: '1-1', plays: 5, seconds: 50 }]
  await ingest(world.services, [spoken(world, machine.code, 1, 'ad.play', day ? { day, ads } : { ads })])
  const kept = await sql<{ day: string; plays: number }>`select business_day::text as day, plays from machine_ad_day
    where machine_id = ${machine.id}`.execute(db)
  expect(kept.rows.map((row) => [row.day, row.plays])).toEqual(expected)
})
