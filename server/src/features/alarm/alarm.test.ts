import {
  type Alarm,
  acknowledgeAlarms,
  assignAlarms,
  closeAlarms,
  getAlarm,
  listAlarms,
  summariseAlarms,
} from '@aisle/contract/alarm/alarm'
import { listStockRules, previewStockRule, saveStockRule } from '@aisle/contract/alarm/stockRule'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BuiltMachine } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { sweep, sweepSales } from './alarm.jobs'
import { routes } from './alarm.routes'
import { takeNews } from './tell.store'
import { recountUsual } from './usual.store'
import { watchBatch } from './watch.commands'

const NOON = new Date('2026-11-20T04:00:00Z')
const MINUTE = 60_000
let world: World
let http: HttpWorld
let family: Family
let token: string
let handlerId: number
let one: BuiltMachine
let two: BuiltMachine

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  const grants = ['alarm.*', 'machine.write']
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants })
  handlerId = user.id
  token = await addSession(world.services.db, user.id, NOON)
  const [first, second] = family.ours.machines
  if (!first || !second) throw new Error('a family has two machines each')
  one = first
  two = second
  await sql`update machine set point_id = (select point_id from machine where id = ${one.id})
    where id = ${two.id}`.execute(world.services.db)
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  world.setNow(NOON)
  await sql`delete from alarm`.execute(world.services.db)
  await sql`delete from alarm_pending`.execute(world.services.db)
  await sql`delete from stock_alarm_rule`.execute(world.services.db)
})

const call = (...args: Parameters<HttpWorld['call']>) => http.call(args[0], args[1], { token })
const at = (minutes: number) => new Date(NOON.getTime() + minutes * MINUTE)

function say(machine: BuiltMachine, type: string, data: Record<string, unknown>, minutes = 0, lateMinutes = 0) {
  const message = {
    machineId: machine.id,
    merchantId: machine.merchantId,
    type,
    data,
    receivedAt: at(minutes),
    occurredAt: at(minutes - lateMinutes),
    skewMs: 0,
  }
  return world.services.db.transaction().execute((tx) => watchBatch(tx, [message]))
}

type Row = { id: number; cause: string; slot: string; state: string; facts: Record<string, unknown> }
const alarms = async (machine: BuiltMachine): Promise<Row[]> =>
  (
    await sql<Row>`select id, cause, slot_code as slot, state, facts from alarm where machine_id = ${machine.id}
      order by id`.execute(world.services.db)
  ).rows
const causes = async (machine: BuiltMachine) =>
  (await alarms(machine)).map(({ cause, slot, state }) => [cause, slot, state].filter(Boolean).join(' '))

test('a fault opens one alarm however often it is said, and the first heartbeat without it closes it', async () => {
  for (const minute of [0, 1, 7]) await say(one, 'heartbeat', { uptime: 1, faults: ['E12'] }, minute)
  expect(await alarms(one)).toMatchObject([{ cause: 'machine_fault', state: 'open', facts: { codes: 'E12' } }])
  await say(one, 'heartbeat', { uptime: 1, faults: [] }, 8)
  await say(one, 'heartbeat', { uptime: 1, faults: ['E12'] }, 9)
  expect(await causes(one)).toEqual(['machine_fault closed', 'machine_fault open'])
})

test('a fault of a slot is the slot’s, and over when a snapshot shows it well', async () => {
  await say(one, 'heartbeat', { uptime: 1, faults: ['slot A1 motor 103'] })
  expect(await alarms(one)).toMatchObject([{ cause: 'slot_fault', slot: 'A1', facts: { code: '103' } }])
  await say(one, 'snapshot', { slots: [{ code: 'A1', status: 'normal' }] }, 1)
  expect(await causes(one)).toEqual(['slot_fault A1 closed'])
})

test('a door is an alarm once it has stood open for as long as its merchant allows', async () => {
  const { db } = world.services
  await sql`insert into setting (key, merchant_id, value)
    values ('alarm.doorMinutes', ${family.ours.merchantId}, '2')`.execute(db)
  await say(one, 'heartbeat', { uptime: 1, doorOpen: true }, 0)
  await say(one, 'heartbeat', { uptime: 1, doorOpen: true }, 1)
  expect(await causes(one)).toEqual([])
  await say(one, 'heartbeat', { uptime: 1, doorOpen: true }, 2)
  expect(await causes(one)).toEqual(['door_open open'])
  await say(one, 'door', { door: 'main', state: 'closed' }, 3)
  expect(await causes(one)).toEqual(['door_open closed'])
  await say(one, 'door', { door: 'main', state: 'opened', by: 'unknown' }, 4)
  await say(one, 'door', { door: 'main', state: 'closed', by: 'unknown' }, 5)
  expect(await causes(one)).toEqual(['door_open closed', 'door_unexpected open'])
  await sql`delete from setting where key = 'alarm.doorMinutes'`.execute(db)
})

test('a medicine cabinet out of its limits is locked with the same message, a cooler of drinks is not', async () => {
  const { db } = world.services
  await sql`update machine set temperature_min_c = 2, temperature_max_c = 8,
    licence_mode = case when id = ${one.id} then 'hospital' else 'none' end where id in (${one.id}, ${two.id})`.execute(
    db,
  )
  const stopped = await say(one, 'temperature', { probe: '1', celsius: 8.4 })
  expect(stopped).toEqual([{ machineId: one.id, merchantId: one.merchantId, slots: one.slots.map(({ code }) => code) }])
  const locked = await sql`select 1 from slot where machine_id = ${one.id} and is_locked
    and lock_reason = 'temperature'`.execute(db)
  expect(locked.rows).toHaveLength(one.slots.length)
  expect(await say(two, 'temperature', { probe: '1', celsius: 8.4 })).toEqual([])
  expect(await causes(two)).toEqual([])
  await say(two, 'temperature', { probe: '1', celsius: 8.4 }, 10)
  expect(await causes(two)).toEqual(['temperature open'])
  // The value trembles about the limit, then the cabinet is well again; its slots wait for a pharmacist.
  await say(one, 'temperature', { probe: '1', celsius: 7.8 }, 1)
  expect(await causes(one)).toEqual(['temperature open'])
  await say(one, 'temperature', { probe: '1', celsius: 7.2 }, 2)
  expect(await causes(one)).toEqual(['temperature closed'])
  expect((await sql`select 1 from slot where machine_id = ${one.id} and is_locked`.execute(db)).rows).toHaveLength(1)
  await sql`update slot set is_locked = false, lock_reason = '' where machine_id = ${one.id}`.execute(db)
  // Said an hour late: it was warm all the same.
  expect(await say(one, 'temperature', { celsius: 9 }, 60, 60)).toHaveLength(1)
  await sql`update slot set is_locked = false, lock_reason = '' where machine_id = ${one.id}`.execute(db)
})

test('a jam ends with the first piece that comes out, and a machine’s own alarm with its own word', async () => {
  const slot = one.slots[0]?.code ?? ''
  await say(one, 'vend.result', { orderNo: 'X', index: 0, slot, ok: false, motorCode: '103', sensorCode: '00' })
  expect(await alarms(one)).toMatchObject([{ cause: 'jam', slot, facts: { motor: '103' } }])
  await say(one, 'vend.result', { orderNo: 'Y', index: 0, slot, ok: true, motorCode: '100', sensorCode: '01' }, 1)
  await say(one, 'alarm.raised', { alarmId: 'a1', code: 'COMPRESSOR', value: 3 }, 2)
  expect(await causes(one)).toEqual([`jam ${slot} closed`, 'device COMPRESSOR open'])
  await say(one, 'alarm.cleared', { alarmId: 'a1', code: 'COMPRESSOR' }, 3)
  expect(await causes(one)).toEqual([`jam ${slot} closed`, 'device COMPRESSOR closed'])
})

test('a machine’s own alarms of two slots, or with long codes, are two, each as bad as it says', async () => {
  const long = ['MOTOR_OVERLOAD_LEFT', 'MOTOR_OVERLOAD_RIGHT']
  for (const code of long) await say(one, 'alarm.raised', { alarmId: code, code, level: 'critical' })
  for (const slot of ['A01', 'B02']) await say(one, 'alarm.raised', { alarmId: slot, code: 'BELT', slot }, 1)
  await say(one, 'alarm.cleared', { alarmId: 'B02', code: 'BELT', slot: 'B02' }, 2)
  await say(one, 'alarm.cleared', { alarmId: long[1], code: long[1] }, 3)
  const { items } = (await call(listAlarms, { machineId: one.id })).body.data as { items: Record<string, unknown>[] }
  expect(items.map(({ detail, slotCode, level }) => [String(detail).trim(), slotCode, level])).toEqual([
    [long[0], '', 'critical'],
    ['BELT', 'A01', 'warning'],
  ])
})

test('silence is an alarm from its beginning on, one line for a point, and any message ends it', async () => {
  const { db } = world.services
  const seen = (minutes: number) =>
    sql`update machine_state set last_seen_at = ${at(minutes)}, is_connected = false
    where machine_id in (${one.id}, ${two.id})`.execute(db)
  await seen(-9)
  await sweep(world.services)
  expect(await causes(one)).toEqual([])
  await seen(-11)
  await sweep(world.services)
  await sweep(world.services)
  expect(await causes(one)).toEqual(['offline open'])
  const listed = (await call(listAlarms)).body.data as { items: { id: number; machines: number; openedAt: string }[] }
  expect(listed.items).toMatchObject([{ machines: 2, cause: 'offline', level: 'warning' }])
  // One line, and still the two alarms that the tally and the boards count.
  expect((await call(listAlarms.count)).body.data).toMatchObject({ total: 1, sums: { alarms: 2 } })
  expect((await call(summariseAlarms)).body.data).toMatchObject({ warning: 2 })
  expect(new Date(listed.items[0]?.openedAt ?? '')).toEqual(at(-11))
  const detail = (await call(getAlarm, { id: listed.items[0]?.id })).body.data
  expect(detail).toMatchObject({ machines: 2, others: [{ machineCode: two.code }] })
  const known = await call(acknowledgeAlarms, { ids: [listed.items[0]?.id] })
  expect(known.body.data).toMatchObject({ changed: 2, outcomes: [{ outcome: 'done' }] })
  expect(await causes(two)).toEqual(['offline acknowledged'])
  await say(one, 'presence', { online: false }, 1)
  expect(await causes(one)).toEqual(['offline acknowledged'])
  await say(one, 'heartbeat', { uptime: 1 }, 2)
  expect(await causes(one)).toEqual(['offline closed'])
  expect(await causes(two)).toEqual(['offline acknowledged'])
})

test('days of the list are those of the network’s home, though the database counts in UTC', async () => {
  // 00:12 of the twenty-first in Shanghai, 16:12 of the twentieth in Greenwich.
  await say(one, 'heartbeat', { uptime: 1, faults: ['E7'] }, 732)
  const found = async (days: Record<string, string>) =>
    ((await call(listAlarms.count, days)).body.data as { total: number }).total
  expect(await found({ from: '2026-11-21', to: '2026-11-21' })).toBe(1)
  expect(await found({ from: '2026-11-20', to: '2026-11-20' })).toBe(0)
})

test('an alarm goes to who sees its machine, is closed with a note, and opens anew while its cause holds', async () => {
  const { db } = world.services
  await say(one, 'heartbeat', { uptime: 1, faults: ['E7'] })
  const [alarm] = await alarms(one)
  const ids = [alarm?.id]
  const blind = await addUser(db, { merchantId: family.ours.merchantId, kind: 'ordinary' })
  const refused = await call(assignAlarms, { ids, assigneeId: blind.id })
  expect([refused.status, refused.body.code]).toEqual([422, 'alarm.assigneeDoesNotSee'])
  expect((await call(assignAlarms, { ids, assigneeId: handlerId, note: 'Today' })).status).toBe(200)
  expect((await call(summariseAlarms)).body.data).toMatchObject({ critical: 1, unseen: 0, mine: 1 })
  const again = await call(acknowledgeAlarms, { ids })
  expect([again.status, again.body.code]).toEqual([409, 'alarm.state'])
  expect((await call(closeAlarms, { ids, note: 'Looked at it' })).status).toBe(200)
  await say(one, 'heartbeat', { uptime: 1, faults: ['E7'] }, 1)
  expect(await causes(one)).toEqual(['machine_fault closed', 'machine_fault open'])
  const story = (await call(getAlarm, { id: alarm?.id })).body.data as { story: { verb: string; note: string }[] }
  expect(story.story).toMatchObject([
    { verb: 'close', note: 'Looked at it' },
    { verb: 'assign', note: 'Today' },
  ])
  const theirs = family.theirs.machines[0]
  if (!theirs) throw new Error('no machine of theirs')
  await say(theirs, 'heartbeat', { uptime: 1, faults: ['E7'] })
  const [far] = await alarms(theirs)
  expect((await call(closeAlarms, { ids: [far?.id], note: 'Not mine' })).body.code).toBe('request.notFound')
})

test('what is at stake is the usual sale of an hour times the hours that it lasts', async () => {
  const { db } = world.services
  // Four weeks of 24 yuan a day: one yuan an hour.
  await sql`delete from rollup_day_machine`.execute(db)
  await sql`insert into rollup_day_machine (business_day, machine_id, merchant_id, point_id, method, business_type,
      orders, paid_fen)
    select '2026-11-20'::date - n, ${one.id}, ${one.merchantId}, 1, 'cash', 'sale', 24, 2400
    from generate_series(1, 28) n`.execute(db)
  await sql`delete from rollup_hour`.execute(db)
  await sql`insert into rollup_hour (business_day, hour, merchant_id, orders, paid_fen)
    select '2026-11-20'::date - n, h, ${one.merchantId}, 1, 100
    from generate_series(1, 28) n, generate_series(0, 23) h`.execute(db)
  await db.transaction().execute((tx) => recountUsual(tx, '2026-11-20'))
  await say(one, 'heartbeat', { uptime: 1, faults: ['E7'] })
  world.setNow(at(90))
  const later = await addSession(db, handlerId, at(90))
  const listed = (await http.call(listAlarms, {}, { token: later })).body.data
  expect(listed).toMatchObject({ items: [{ cause: 'machine_fault', stakeFen: 150 }] })
  // One order an hour is usual, and none came for a day.
  await sql`delete from orders where machine_id = ${one.id}`.execute(db)
  await sql`update machine_state set last_seen_at = ${at(90)}, is_connected = true
    where machine_id = ${one.id}`.execute(db)
  await sweepSales(world.services)
  expect(await alarms(one)).toContainEqual(
    expect.objectContaining({ cause: 'no_sales', facts: { hours: 24, usual: 24 } }),
  )
  await say(one, 'pay.result', { orderNo: 'X' }, 91)
  expect(await causes(one)).toContain('no_sales closed')
})

test('five of sixty empty slots are an alarm; the most special rule decides; a preview says so before', async () => {
  const { db } = world.services
  const stand = (machine: BuiltMachine, empty: number) =>
    sql`update machine_state set empty_slots = ${empty}, slot_count = 60, last_seen_at = null
      where machine_id = ${machine.id}`.execute(db)
  await stand(one, 5)
  await stand(two, 4)
  await sweep(world.services)
  expect([await causes(one), await causes(two)]).toEqual([['out_of_stock open'], []])
  const asked = { merchantId: family.ours.merchantId, empty: 4, ofSlots: 60 }
  expect((await call(previewStockRule, asked)).body.data).toMatchObject({
    machines: 2,
    special: 0,
    short: 2,
    shortSlots: 9,
    shortNow: 1,
    shortSlotsNow: 5,
  })
  expect((await call(saveStockRule, asked)).status).toBe(200)
  expect((await call(saveStockRule, { scope: 'machine', machineCode: one.code, empty: 0 })).status).toBe(200)
  await sweep(world.services)
  expect([await causes(one), await causes(two)]).toEqual([['out_of_stock closed'], ['out_of_stock open']])
  const rules = (await call(listStockRules)).body.data
  expect(rules).toMatchObject({
    items: [
      { machines: 1, short: 1 },
      { machineCode: one.code, machines: 1, short: 0 },
    ],
  })
  // Editing the merchant's rule concerns the machines for which it decides, whatever else stands in its reach.
  const [rule] = (rules as { items: { id: number }[] }).items
  const edited = await call(previewStockRule, { id: rule?.id, empty: 5, ofSlots: 60 })
  const expected = { machines: 1, special: 0, short: 0, shortSlots: 0, shortNow: 1, shortSlotsNow: 4 }
  expect(edited.body.data).toMatchObject({ ...expected, items: [] })
  expect((await call(previewStockRule, { id: 999_999, empty: 5 })).body.code).toBe('request.notFound')
  const both = await call(saveStockRule, { ...asked, scope: 'machine' })
  expect([both.status, both.body.code]).toEqual([422, 'stockRule.one'])
  const foreign = await call(saveStockRule, {
    scope: 'machine',
    machineCode: family.theirs.machines[0]?.code,
    empty: 1,
  })
  expect(foreign.body.code).toBe('request.notFound')
})

test('a snapshot that shows another price than ours is an alarm until one shows ours', async () => {
  const { db } = world.services
  const slot = one.slots[0]
  const show = (priceFen: number) =>
    sql`update machine_state set snapshot_at = ${NOON},
    snapshot = ${JSON.stringify({ slots: [{ code: slot?.code, product: slot?.productCode, priceFen }] })}
    where machine_id = ${one.id}`.execute(db)
  await sql`update machine_state set empty_slots = 0, last_seen_at = null`.execute(db)
  await show(499)
  await sweep(world.services)
  expect(await alarms(one)).toMatchObject([{ cause: 'price_differs', state: 'open', facts: { slots: 1 } }])
  await show(500)
  await sweep(world.services)
  expect(await causes(one)).toEqual(['price_differs closed'])
})

test('people are told once of a cause, many machines in one message, and not of mere notices', async () => {
  const { db } = world.services
  for (const machine of [one, two]) await say(machine, 'heartbeat', { uptime: 1, faults: ['E7'], lowChange: true })
  const news = await db.transaction().execute((tx) => takeNews(tx, NOON))
  expect(news).toHaveLength(1)
  const vars = news[0]?.varsIn('en')
  expect(vars).toMatchObject({ condition: 'Machine fault' })
  expect(vars?.machine).toContain(one.code)
  expect(vars?.machine).toContain(two.code)
  expect(await db.transaction().execute((tx) => takeNews(tx, NOON))).toEqual([])
})

test('people are told again of a machine that stays offline, until somebody takes it up', async () => {
  const { db } = world.services
  await say(one, 'heartbeat', { uptime: 1 })
  await sql`update machine_state set last_seen_at = ${hoursAfter(-1)} where machine_id = ${one.id}`.execute(db)
  await sweep(world.services)
  expect(await causes(one)).toEqual(['offline open'])
  const told = async (hours: number) => {
    const news = await db.transaction().execute((tx) => takeNews(tx, hoursAfter(hours)))
    return news.map(({ varsIn }) => varsIn('en').machine)
  }
  const named = [expect.stringContaining(one.code)]
  expect([await told(0), await told(23), await told(24), await told(25), await told(48)]).toEqual([
    named,
    [],
    named,
    [],
    named,
  ])
  await sql`update alarm set state = 'acknowledged' where machine_id = ${one.id}`.execute(db)
  expect(await told(96)).toEqual([])
})

const hoursAfter = (hours: number) => new Date(NOON.getTime() + hours * 3_600_000)

test('what is over stands by its level and its whole loss, behind what lasts', async () => {
  const add = (level: string, fenHour: number | null, closedAfter: number | null) =>
    sql`insert into alarm
      (merchant_id, machine_id, cause, slot_code, level, state, opened_at, seen_at, closed_at, usual_fen_hour)
    values (${one.merchantId}, ${one.id}, 'jam', ${`${level[0]}${fenHour ?? ''}${closedAfter ?? ''}`}, ${level},
      ${closedAfter === null ? 'open' : 'closed'}, ${at(0)}, ${at(0)},
      ${closedAfter === null ? null : at(closedAfter)}, ${fenHour})`.execute(world.services.db)
  await add('notice', 900, 60)
  await add('critical', 100, 60)
  await add('critical', 50, 180)
  await add('warning', null, null)
  const listed = async (input: Record<string, unknown>) => {
    const { body } = await http.call(listAlarms, input, { token })
    return (body.data as { items: Alarm[] }).items.map(({ slotCode }) => slotCode)
  }
  expect(await listed({ phase: 'closed', sort: 'worst' })).toEqual(['c50180', 'c10060', 'n90060'])
  expect(await listed({ phase: 'all', sort: 'worst' })).toEqual(['w', 'c50180', 'c10060', 'n90060'])
})
