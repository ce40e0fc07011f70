import { merchantState } from '@aisle/contract/merchant/states'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, type Family } from '../testing/fixtures'
import { openWorld, type World } from '../testing/world'
import { refuse } from './refuse'
import { stateful, statesFrom, stateTo } from './states'

const NOON = new Date('2026-11-20T04:00:00Z')
const merchants = stateful('merchant', 'state', merchantState, { versioned: true })
const refusing = stateful('merchant', 'state', merchantState, {
  versioned: true,
  refuse: () => refuse('request.notFound'),
})
let world: World
let family: Family

beforeAll(async () => {
  world = await openWorld(NOON)
  family = await addFamily(world.services.db, NOON)
})
afterAll(() => world.close())

const rowOf = async (id: number) => {
  const db = world.services.db.selectFrom('merchant').select(['id', 'state', 'version', 'stoppedAt'])
  return await db.where('id', '=', id).executeTakeFirstOrThrow()
}
const inTransaction = <R>(run: Parameters<ReturnType<World['services']['db']['transaction']>['execute']>[0]) =>
  world.services.db.transaction().execute(run) as Promise<R>

test('a row moves by a verb from the state that it was read in, and counts the change', async () => {
  const before = await rowOf(family.ours.merchantId)
  const moved = await inTransaction((tx) => merchants.move(tx, before, 'stop', { stoppedAt: NOON }))
  expect(moved).toBe('stopped')
  expect(await rowOf(before.id)).toEqual({ ...before, state: 'stopped', version: before.version + 1, stoppedAt: NOON })
  await inTransaction((tx) => merchants.move(tx, { ...before, state: 'stopped' }, 'resume', { stoppedAt: null }))
})

test('a verb that does not lead on, and a row that somebody moved first, are refused, or a bug', async () => {
  const row = await rowOf(family.ours.merchantId)
  const late = { ...row, state: 'stopped' as const }
  await inTransaction(async (tx) => {
    await expect(refusing.move(tx, row, 'resume')).rejects.toMatchObject({ code: 'request.notFound' })
    await expect(refusing.move(tx, late, 'resume')).rejects.toMatchObject({ code: 'request.notFound' })
    await expect(merchants.move(tx, late, 'resume')).rejects.toThrow('resume does not lead')
  })
  expect(() => merchants.must(row, 'resume')).toThrow(RangeError)
  expect(await rowOf(row.id)).toEqual(row)
})

test('of many those move that the verb leads on from, and they are what comes back', async () => {
  const { ours, theirs } = family
  const both = sql`id in (${ours.merchantId}, ${theirs.merchantId})`
  const stopped = sql`update merchant set state = ${stateTo(merchantState, 'stop')}, stopped_at = ${NOON}
    where id = ${theirs.merchantId} and state in ${statesFrom(merchantState, 'stop')}`
  const moved = await inTransaction<{ id: number; state: string }[]>(async (tx) => {
    await stopped.execute(tx)
    return await merchants.moveAll(tx, both, 'stop', { stoppedAt: NOON })
  })
  expect(moved.map(({ id, state }) => [id, state])).toEqual([[ours.merchantId, 'stopped']])
})
