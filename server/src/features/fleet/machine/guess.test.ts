import { allowCodes } from '@aisle/contract/fleet/guesses'
import { getMachine } from '@aisle/contract/fleet/machine'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '../../../kernel/context'
import { guessedCards, guessedCodes, guessedPrescriptions, judgeGuesses } from '../../../kernel/guesses'
import { addFamily, addSession, addUser, type Family } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { routes } from './machine.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let machineId: number
let operator: string
let reader: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  family = await addFamily(db, NOON)
  machineId = family.ours.machines[0]?.id ?? 0
  const session = async (grants: string[]) =>
    addSession(db, (await addUser(db, { merchantId: family.ours.merchantId, grants })).id, NOON)
  operator = await session(['machine.read', 'machine.operate'])
  reader = await session(['machine.read'])
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const verdictsOf = (verdicts: ReadonlyMap<unknown, string>) => [...verdicts.values()]
const judge = (isKnown: boolean, guessed = guessedCodes) =>
  world.services.db
    .transaction()
    .execute(async (tx) => verdictsOf(await judgeGuesses(tx, guessed, [{ machineId, isKnown }], NOON)))
const allow = (token: string, id = machineId) => http.call(allowCodes, { id, reason: 'a torn voucher' }, { token })
const shown = async () => (await http.call(getMachine, { id: machineId }, { token: reader })).body.data

test('a machine at which codes were guessed says until when, and who may lets it take them again', async () => {
  expect(await shown()).toMatchObject({ codesBlockedUntil: null, cardsBlockedUntil: null })
  expect((await allow(operator)).text).toContain('machine.notBlocked')
  let tries = 0
  while ((await judge(false))[0] !== 'blocked') tries += 1
  expect(await judge(true)).toEqual(['blocked'])
  const { codesBlockedUntil } = (await shown()) as { codesBlockedUntil: string }
  expect(new Date(codesBlockedUntil).getTime()).toBeGreaterThan(NOON.getTime())
  // Cards are counted by themselves.
  expect([await shown(), await judge(true, guessedCards)]).toMatchObject([{ cardsBlockedUntil: null }, ['known']])
  expect((await allow(reader)).status).toBe(403)
  expect((await allow(operator, family.theirs.machines[0]?.id)).text).toContain('request.notFound')
  expect((await allow(operator)).status).toBe(200)
  expect(await shown()).toMatchObject({ codesBlockedUntil: null })
  expect(await judge(true)).toEqual(['known'])
  const told = await sql<{ after: unknown; before: unknown }>`select before, after from audit_log
    where action = 'fleet.allowCodes'`.execute(world.services.db)
  expect(told.rows).toMatchObject([
    { before: { codesBlockedUntil }, after: { codesBlockedUntil: null, reason: 'a torn voucher' } },
  ])
  // Counting began anew: as many tries as before until it is blocked again.
  for (let again = 0; again < tries; again += 1) expect(await judge(false)).toEqual(['unknown'])
  expect(await judge(true)).toEqual(['blocked'])
})

/** In transactions of their own, so that one may still be under way while the other asks. */
const begin = <T>(work: (tx: Tx) => Promise<T>) => world.services.db.transaction().execute(work)
const judgeIn = async (tx: Tx, isKnown: boolean, id: number) =>
  verdictsOf(await judgeGuesses(tx, guessedPrescriptions, [{ machineId: id, isKnown }], NOON))
/** Fails instead of waiting. */
const judgeAtOnce = (isKnown: boolean, id: number) =>
  begin(async (tx) => {
    await sql`set local lock_timeout = '300ms'`.execute(tx)
    return judgeIn(tx, isKnown, id)
  })

test('after a miss too, who asks rightly waits for a guess under way and for nobody else', async () => {
  const id = family.theirs.machines[0]?.id ?? 0
  await begin((tx) => judgeIn(tx, false, id))
  await begin(async (tx) => {
    expect(await judgeIn(tx, true, id)).toEqual(['known'])
    expect(await judgeAtOnce(true, id)).toEqual(['known'])
  })
  await begin(async (tx) => {
    expect(await judgeIn(tx, false, id)).toEqual(['unknown'])
    await expect(judgeAtOnce(true, id)).rejects.toThrow('lock timeout')
    await expect(judgeAtOnce(false, id)).rejects.toThrow('lock timeout')
  })
  expect(await judgeAtOnce(true, id)).toEqual(['known'])
})

test('who lets a machine take codes again waits for an order under way and does not hold it up', async () => {
  const { db } = world.services
  while ((await judge(false))[0] !== 'blocked');
  await begin((tx) => judgeIn(tx, false, machineId))
  const allowed = await begin(async (tx) => {
    await judgeIn(tx, true, machineId)
    const waiting = allow(operator)
    await expect
      .poll(async () => (await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(db)).rows)
      .not.toEqual([])
    // As writing an order does, which names its machine.
    await sql`set local lock_timeout = '300ms'`.execute(tx)
    await sql`select from machine where id = ${machineId} for key share`.execute(tx)
    return { waiting }
  })
  expect((await allowed.waiting).status).toBe(200)
})
