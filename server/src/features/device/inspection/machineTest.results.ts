import { randomUUID } from 'node:crypto'
import { testSlotState, type TestSlotState, testState, type TestState } from '@aisle/contract/device/machineTest'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { type Move, outsidePlaces, recordMoves } from '../../stock/public'
import { type Ended, queueCommands } from '../command/command.store'
import { slotStateOf, testAfter, turnedIn } from './machineTest.rules'
import { stateful, statesFrom, stateTo } from '../../../kernel/states'

const tests = stateful('machineTest', 'state', testState, { versioned: false })

type Line = {
  testId: number
  place: number
  slotCode: string
  commandId: string
  placeId: number
  productId: number | null
  putsBack: boolean
}

/** What motors did in tests: recorded, taken out of the stock where it is not put back, and the next one is asked. */
export async function takeTestResults(tx: Tx, all: readonly Ended[], now: Date): Promise<number[]> {
  const ended = new Map(all.filter(({ type }) => type === 'test_vend').map((each) => [each.id, each]))
  if (ended.size === 0) return []
  const found = await sql<Line>`
    select l.test_id as "testId", l.place, l.slot_code as "slotCode", l.command_id as "commandId",
      s.place_id as "placeId", l.product_id as "productId", t.puts_back as "putsBack"
    from machine_test_slot l join machine_test t on t.id = l.test_id join slot s on s.id = l.slot_id
    where l.command_id is not null and l.command_id = any(${[...ended.keys()]}::uuid[])
    order by l.test_id for update of t`.execute(tx)
  if (found.rows.length === 0) return []
  await markSlots(tx, found.rows, ended)
  await recordMoves(tx, await movesOf(tx, found.rows, ended))
  const running = [...new Set(found.rows.map(({ testId }) => testId))]
  return goOn(tx, running, now)
}

async function markSlots(tx: Tx, lines: readonly Line[], ended: ReadonlyMap<string, Ended>): Promise<void> {
  const marks = lines.flatMap((line) => {
    const end = ended.get(line.commandId)
    if (!end) return []
    const turned = turnedIn(end.result)
    // A motor that turned after the test was given up is told truly all the same.
    return [{ ...line, state: slotStateOf(end), ...turned, detail: end.detail?.slice(0, 120) ?? null, at: end.at }]
  })
  await sql`update machine_test_slot l set state = m.state, motor_code = m.motor_code, sensor_code = m.sensor_code,
      duration_ms = m.duration_ms, detail = m.detail, ended_at = m.at
    from ${rows('m', marks, {
      testId: 'bigint',
      place: 'int',
      state: 'text',
      motorCode: 'text',
      sensorCode: 'text',
      durationMs: 'int',
      detail: 'text',
      at: 'timestamptz',
    })} where l.test_id = m.test_id and l.place = m.place`.execute(tx)
}

/** What fell out and does not go back is no sale and no loss: it left with a tester. */
async function movesOf(tx: Tx, lines: readonly Line[], ended: ReadonlyMap<string, Ended>): Promise<Move[]> {
  const out = lines.flatMap((line) => {
    const end = ended.get(line.commandId)
    const { productId } = line
    return end && !line.putsBack && productId !== null && turnedIn(end.result)?.ok ? [{ ...line, productId, end }] : []
  })
  if (out.length === 0) return []
  const gone = await outsidePlaces(
    tx,
    'scrap',
    out.map(({ end }) => end.merchantId),
  )
  return out.map(({ end, testId, place, placeId, productId }) => ({
    merchantId: end.merchantId,
    movedAt: end.at,
    productId,
    quantity: 1,
    fromPlaceId: placeId,
    toPlaceId: must(gone.get(end.merchantId), 'place of scrap'),
    cause: 'test',
    reference: `test/${testId}/${place}`,
    batch: null,
  }))
}

type Running = { id: number; machineId: number; merchantId: number; startedBy: number | null; putsBack: boolean }

/** @returns the machines that are asked to turn their next motor */
export async function goOn(tx: Tx, testIds: readonly number[], now: Date): Promise<number[]> {
  const asked: number[] = []
  for (const testId of testIds) {
    const found = await sql<Running>`select id, machine_id as "machineId", merchant_id as "merchantId",
        started_by as "startedBy", puts_back as "putsBack" from machine_test
      where id = ${testId} and state = ${testState.initial}`.execute(tx)
    const [test] = found.rows
    if (!test) continue
    const slots = await sql<{ place: number; slotCode: string; state: TestSlotState }>`
      select place, slot_code as "slotCode", state from machine_test_slot
      where test_id = ${testId} order by place`.execute(tx)
    const state = testAfter(slots.rows.map((slot) => slot.state))
    const next = slots.rows.find((slot) => slot.state === testSlotState.initial)
    const isTurning = slots.rows.some((slot) => testSlotState.is(slot.state, 'running'))
    if (state === testState.initial && next && !isTurning) {
      await turnNext(tx, test, next, now)
      asked.push(test.machineId)
    }
    const ending = endings[state]
    if (ending) await endTest(tx, testId, ending, now)
  }
  return asked
}

const endings: Record<TestState, keyof typeof testState.moves | null> = {
  running: null,
  passed: 'pass',
  failed: 'fail',
  stopped: 'stop',
}

async function turnNext(tx: Tx, test: Running, slot: { place: number; slotCode: string }, now: Date): Promise<void> {
  const id = randomUUID()
  const { machineId, merchantId, startedBy: createdBy } = test
  const data = { slot: slot.slotCode, putsBack: test.putsBack }
  await queueCommands(tx, [{ id, machineId, merchantId, type: 'test_vend', data, reason: null, createdBy }], now)
  await sql`update machine_test_slot set state = ${stateTo(testSlotState, 'begin')}, command_id = ${id}
    where test_id = ${test.id} and place = ${slot.place} and state = ${testSlotState.initial}`.execute(tx)
}

/** What was not turned by then is skipped. */
export async function endTest(tx: Tx, testId: number, verb: keyof typeof testState.moves, now: Date): Promise<void> {
  await sql`update machine_test_slot set state = ${stateTo(testSlotState, 'skip')}, ended_at = ${now}
    where test_id = ${testId} and state in ${statesFrom(testSlotState, 'skip')}`.execute(tx)
  await tests.moveAll(tx, sql`id = ${testId}`, verb, { endedAt: now })
}
