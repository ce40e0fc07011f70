import { getAlarm } from '@aisle/contract/alarm/alarm'
import { addRepairPlan, listRepairPlans } from '@aisle/contract/maintenance/plan'
import { getDiagnosis } from '@aisle/contract/maintenance/diagnosis'
import {
  addRepairOrder,
  addRepairPart,
  assignRepairOrder,
  cancelRepairOrder,
  closeRepairOrder,
  editRepairOrder,
  finishRepairOrder,
  getRepairOrder,
  listRepairOrders,
  resumeRepairOrder,
  startRepairOrder,
  summariseRepairOrders,
} from '@aisle/contract/maintenance/repairOrder'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes as alarmRoutes } from '../alarm/alarm.routes'
import { addOrder, type BuiltMachine } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { openPlanned } from './maintenance.jobs'
import { routes } from './maintenance.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string
let fitterId: number
let machine: BuiltMachine

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...alarmRoutes, ...routes))
  family = await addFamily(world.services.db, NOON)
  const grants = ['alarm.*', 'repairOrder.*', 'machine.read']
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants })
  fitterId = user.id
  token = await addSession(world.services.db, user.id, NOON)
  const [first] = family.ours.machines
  if (!first) throw new Error('a family has machines')
  machine = first
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  world.setNow(NOON)
  await sql`delete from repair_order`.execute(world.services.db)
  await sql`delete from machine_test_slot`.execute(world.services.db)
  await sql`delete from machine_test`.execute(world.services.db)
  await sql`delete from repair_plan`.execute(world.services.db)
  await sql`delete from alarm`.execute(world.services.db)
})

const call = (...args: Parameters<HttpWorld['call']>) => http.call(args[0], args[1], { token })
const minutes = (after: number) => new Date(NOON.getTime() + after * 60_000)
const added = async (more: Record<string, unknown> = {}): Promise<number> => {
  const { body } = await call(addRepairOrder, { machineCode: machine.code, problem: 'Hangs', slots: 'A1', ...more })
  return (body.data as { id: number }).id
}
const read = async (id: number) => (await call(getRepairOrder, { id })).body.data as Record<string, unknown>

/** A motor that turned for a test, and something fell. */
const passTest = (slot: string, at: Date) =>
  sql`with t as (
    insert into machine_test (merchant_id, machine_id, scope, puts_back, reason, state, started_at, ended_at)
    values (${machine.merchantId}, ${machine.id}, 'slot', true, 'After repair', 'passed', ${at}, ${at}) returning id)
  insert into machine_test_slot (test_id, place, slot_id, slot_code, state, ended_at)
  select t.id, 1, ${machine.slots[0]?.id}, ${slot}, 'passed', ${at} from t`.execute(world.services.db)

async function alarm(seenAt: Date): Promise<number> {
  const made = await sql<{ id: number }>`insert into alarm
      (machine_id, merchant_id, cause, slot_code, level, opened_at, seen_at)
    values (${machine.id}, ${machine.merchantId}, 'jam', 'A1', 'warning', ${NOON}, ${seenAt}) returning id`.execute(
    world.services.db,
  )
  return made.rows[0]?.id ?? 0
}

test('a repair is done once its slots passed a test vend since it began, and its alarm closes with it', async () => {
  const alarmId = await alarm(NOON)
  const id = await added({ alarmId, assigneeId: fitterId })
  expect(await read(id)).toMatchObject({ state: 'assigned', source: 'alarm', alarms: [{ id: alarmId, cause: 'jam' }] })
  expect((await call(getAlarm, { id: alarmId })).body.data).toMatchObject({
    repairOrderId: id,
    story: [{ verb: 'repair' }],
  })
  await passTest('A1', minutes(-5))
  expect((await call(startRepairOrder, { id })).status).toBe(200)
  const solution = 'Took the box out'
  const early = await call(finishRepairOrder, { id, solution })
  expect([early.status, early.body.code]).toEqual([409, 'repairOrder.untested'])
  expect(await read(id)).toMatchObject({ tests: [{ slot: 'A1', passedAt: null }] })
  await passTest('A1', minutes(5))
  world.setNow(minutes(6))
  expect((await call(addRepairPart, { id, name: 'Spiral', quantity: 2, costFen: 1550 })).status).toBe(200)
  expect((await call(finishRepairOrder, { id, solution })).body.data).toMatchObject({ state: 'done' })
  const closed = await call(closeRepairOrder, { id })
  expect(closed.body.data).toMatchObject({ state: 'closed', closedAlarms: 1, stillHold: 0 })
  expect(await read(id)).toMatchObject({ costFen: 3100, solution, parts: [{ name: 'Spiral' }] })
  const late = await call(addRepairPart, { id, name: 'Spiral', quantity: 1, costFen: 1 })
  expect([late.status, late.body.code]).toEqual([409, 'repairOrder.state'])
})

test('an alarm seen again after the work stays open; work that was not good needs a new test', async () => {
  const alarmId = await alarm(minutes(10))
  const id = await added({ alarmId })
  await call(startRepairOrder, { id })
  await passTest('A1', minutes(1))
  world.setNow(minutes(2))
  await call(finishRepairOrder, { id, solution: 'Wiped it' })
  world.setNow(minutes(3))
  expect((await call(resumeRepairOrder, { id, reason: 'It hangs again' })).status).toBe(200)
  expect((await call(finishRepairOrder, { id, solution: 'Wiped it' })).body.code).toBe('repairOrder.untested')
  await passTest('A1', minutes(4))
  world.setNow(minutes(5))
  await call(finishRepairOrder, { id, solution: 'Turned the spiral' })
  expect((await call(closeRepairOrder, { id })).body.data).toMatchObject({ closedAlarms: 0, stillHold: 1 })
})

test('slots that are named after the work was done have to pass a test before it is closed', async () => {
  const id = await added({ kind: 'maintenance', slots: '' })
  await call(startRepairOrder, { id })
  expect((await call(finishRepairOrder, { id, solution: 'Oiled' })).status).toBe(200)
  const { version } = (await read(id)) as { version: number }
  const named = await call(editRepairOrder, { id, version, problem: 'Hangs', slots: 'A1', dueOn: null, pictures: [] })
  expect(named.status).toBe(200)
  expect((await call(closeRepairOrder, { id })).body.code).toBe('repairOrder.untested')
  await passTest('A1', minutes(1))
  expect((await call(closeRepairOrder, { id })).body.data).toMatchObject({ state: 'closed' })
})

test('a slot that the machine does not have, a blind assignee, and machines of others are refused', async () => {
  const base = { machineCode: machine.code, problem: 'Hangs' }
  expect((await call(addRepairOrder, { ...base, slots: 'A1, Z9' })).body.code).toBe('repairOrder.slot')
  const theirs = family.theirs.machines[0]?.code
  expect((await call(addRepairOrder, { ...base, machineCode: theirs })).body.code).toBe('repairOrder.noMachine')
  const blind = await addUser(world.services.db, { merchantId: family.ours.merchantId, kind: 'ordinary' })
  const id = await added()
  expect((await call(assignRepairOrder, { id, assigneeId: blind.id })).body.code).toBe('repairOrder.assigneeDoesNotSee')
  const edit = { id, version: 1, problem: 'Hangs badly', slots: 'A1', dueOn: null }
  expect((await call(editRepairOrder, edit)).status).toBe(200)
  expect((await call(editRepairOrder, { ...edit, problem: 'No' })).body.code).toBe('edit.stale')
  expect((await call(cancelRepairOrder, { id, reason: 'Twice' })).status).toBe(200)
  expect((await call(startRepairOrder, { id })).body.code).toBe('repairOrder.state')
})

test('what lies before somebody is what the tally counts; what is over is asked for by its state', async () => {
  const open = await added({ problem: 'Waits', assigneeId: fitterId })
  const gone = await added({ problem: 'Gone', assigneeId: fitterId })
  await call(cancelRepairOrder, { id: gone, reason: 'Not needed' })
  const mine = async (more: Record<string, string> = {}) => {
    const { body } = await call(listRepairOrders, { assignee: 'me', ...more })
    return (body.data as { items: { id: number }[] }).items.map(({ id }) => id)
  }
  expect((await call(summariseRepairOrders)).body.data).toMatchObject({ mine: 1 })
  expect(await mine()).toEqual([open])
  expect(await mine({ state: 'cancelled' })).toEqual([gone])
})

test('overdue work stands first, the longest on top, and work that is over last', async () => {
  const open = await added({ problem: 'No day' })
  const late = await added({ problem: 'Late', dueOn: '2026-11-18' })
  const later = await added({ problem: 'Later', dueOn: '2026-11-10' })
  const soon = await added({ problem: 'Soon', dueOn: '2026-11-21' })
  const gone = await added({ problem: 'Gone', dueOn: '2026-11-01' })
  await call(cancelRepairOrder, { id: gone, reason: 'Not needed' })
  const listed = (await call(listRepairOrders)).body.data as { items: { id: number; marks: string[] }[] }
  expect(listed.items.map(({ id }) => id)).toEqual([later, late, soon, open, gone])
  expect(listed.items.map(({ marks }) => marks[0])).toEqual(['overdue', 'overdue', 'due_soon', undefined, undefined])
})

test('a plan that is due by days or by orders opens one order, and counts anew once that is closed', async () => {
  const { db } = world.services
  const plan = { machineCode: machine.code, name: 'Oil', everyOrders: 100, since: '2026-11-01' }
  const none = await call(addRepairPlan, { machineCode: machine.code, name: 'Never', since: '2026-11-01' })
  expect(none.status).toBe(422)
  expect((await call(addRepairPlan, plan)).status).toBe(200)
  expect((await call(addRepairPlan, plan)).body.code).toBe('repairPlan.nameTaken')
  await openPlanned(world.services)
  expect((await call(listRepairOrders)).body.data).toMatchObject({ items: [] })
  await sql`delete from rollup_day_machine`.execute(db)
  await sql`insert into rollup_day_machine (business_day, machine_id, merchant_id, point_id, method, business_type,
      orders, paid_fen)
    values ('2026-11-10', ${machine.id}, ${machine.merchantId}, 1, 'cash', 'sale', 96, 0)`.execute(db)
  await openPlanned(world.services)
  await openPlanned(world.services)
  const listed = (await call(listRepairOrders)).body.data as { items: { id: number }[] }
  expect(listed.items).toMatchObject([{ kind: 'maintenance', source: 'plan', problem: 'Oil', dueOn: '2026-11-20' }])
  const id = listed.items[0]?.id
  await call(startRepairOrder, { id })
  expect((await call(finishRepairOrder, { id, solution: 'Oiled' })).status).toBe(200)
  await call(closeRepairOrder, { id })
  const plans = (await call(listRepairPlans)).body.data
  expect(plans).toMatchObject({ items: [{ since: '2026-11-20', orders: 0, isDue: false, openOrderId: null }] })
})

test('a diagnosis counts failures by slot and code, and says what they look like', async () => {
  const { db } = world.services
  for (let n = 0; n < 4; n += 1) await addOrder(db, machine, minutes(-60 - n))
  await sql`update order_item set state = 'jammed', motor_code = '100', sensor_code = '03'
    where occurred_at in (${minutes(-60)}, ${minutes(-61)}, ${minutes(-62)})`.execute(db)
  const said = (await call(getDiagnosis, { id: machine.id })).body.data
  expect(said).toMatchObject({
    failed: 3,
    failures: [{ slot: 'A1', motorCode: '100', sensorCode: '03', count: 3 }],
    advice: [{ finding: 'product_hangs', slot: 'A1', facts: { count: 3 } }],
  })
  const theirs = family.theirs.machines[0]?.id
  expect((await call(getDiagnosis, { id: theirs })).body.code).toBe('request.notFound')
})
