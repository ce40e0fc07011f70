import { getAuditFiles } from '@aisle/contract/device/audit'
import { checkValue } from '@aisle/contract/device/auditFile'
import { getDeviceLink } from '@aisle/contract/device/link'
import { getTemperatures, releaseSlots, signTemperatures } from '@aisle/contract/device/temperature'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../main/features'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { openWorld, type World } from '../../../testing/world'
import { giveUpGaps } from './gap.store'
import { machineGate } from '../link/gate'
import { ingest } from '../link/ingest'
import { brokenDays } from './temperature.store'
import { jobs } from './record.jobs'
import { spoken } from '../testing'

const NOON = new Date('2026-11-20T04:00:00Z')
const DAY_MS = 86_400_000
let world: World
let http: HttpWorld
let machine: BuiltMachine
let userId: number
let seq = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routes)
  const { db } = world.services
  const merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })] })
  await sql`update machine set temperature_min_c = 2, temperature_max_c = 8 where id = ${machine.id}`.execute(db)
  userId = (await addUser(db, { merchantId, grants: ['machine.read', 'machine.release', 'machine.sign'] })).id
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
const say = (type: string, data: Record<string, unknown>, said = {}) => {
  seq += 1
  return spoken(world, machine.code, seq, type, data, said)
}
const measured = (minutes: number, celsius: number) => {
  world.setNow(at(minutes))
  return say('temperature', { celsius, mode: 'cooling', compressor: true })
}
const take = (...batch: ReturnType<typeof spoken>[]) => ingest(world.services, batch)
/** Signed in at the time that it is now. */
const call = async (endpoint: Endpoint, input = {}) => {
  const token = await addSession(world.services.db, userId, world.services.clock.now())
  return http.call(endpoint, { id: machine.id, ...input }, { token })
}
const read = async (input = {}) => getTemperatures.output.parse((await call(getTemperatures, input)).body.data)

test('temperatures are a record by day: curve, silences and what they mean', async () => {
  await take(measured(0, 4.5), measured(1, 4.6))
  await take(measured(2, 9.1))
  // Out of range a record is due every two minutes; twenty is a silence.
  await take(measured(22, 5))
  const found = await read()
  expect(found.points.map(({ celsius }) => celsius)).toEqual([4.5, 4.6, 9.1, 5])
  expect(found).toMatchObject({ minC: 2, maxC: 8, from: '2026-11-20', to: '2026-11-20' })
  expect(found.silences).toEqual([{ from: at(2).toISOString(), to: at(22).toISOString() }])
  expect(found.days).toEqual([
    {
      day: '2026-11-20',
      records: 4,
      lowestC: 4.5,
      highestC: 9.1,
      isWhole: true,
      signedBy: null,
      signedAt: null,
      addedSince: 0,
    },
  ])
  const long = await call(getTemperatures, { from: '2026-01-01', to: '2026-11-20' })
  expect(long.status).toBe(422)
})

test('a record can not be changed through the database either', async () => {
  const change = sql`update temperature_record set celsius_tenths = 40`.execute(world.services.db)
  await expect(change).rejects.toThrow(/facts/)
  await expect(sql`delete from temperature_record`.execute(world.services.db)).rejects.toThrow(/facts/)
})

test('a day is signed once it is over; what comes later shows; a changed one is not signed', async () => {
  const sign = (day: string) => call(signTemperatures, { day })
  expect((await sign('2026-11-20')).body).toMatchObject({ code: 'temperature.dayLasts' })
  expect((await sign('2026-11-18')).body).toMatchObject({ code: 'temperature.noRecord' })
  const late = measured(23, 5.1)
  world.setNow(new Date(NOON.getTime() + DAY_MS))
  expect((await sign('2026-11-20')).body).toMatchObject({ data: { day: '2026-11-20', records: 4 } })
  await take(late)
  expect((await read({ from: '2026-11-20', to: '2026-11-20' })).days[0]).toMatchObject({ records: 5, addedSince: 1 })
  expect(await brokenDays(world.services.db)).toEqual([])
  // As somebody would who owns the database and switches its guard off.
  await sql`alter table temperature_record disable trigger temperature_record_kept`.execute(world.services.db)
  await sql`update temperature_record set celsius_tenths = 50 where celsius_tenths = 91`.execute(world.services.db)
  await sql`alter table temperature_record enable trigger temperature_record_kept`.execute(world.services.db)
  expect(await brokenDays(world.services.db)).toEqual([
    `temperature of ${machine.code} on 2026-11-20: broken at record 3`,
  ])
  expect((await read({ from: '2026-11-20', to: '2026-11-20' })).days[0]?.isWhole).toBe(false)
  expect((await sign('2026-11-20')).body).toMatchObject({ code: 'temperature.broken' })
})

const dex = (counts: Record<string, number>, assetNumber = machine.code, cashFen?: number) => {
  const body = [
    'ST*001*0001',
    `ID1*SN*M*1***${assetNumber}`,
    'ID4*2*156',
    'EA2*EJK*1*3*1',
    'EA7*0*2',
    ...(cashFen === undefined ? [] : [`CA2*${cashFen}*0*${cashFen}*0`]),
    ...Object.entries(counts).flatMap(([slot, count]) => [`PA1*${slot}*500`, `PA2*${count}*${count * 500}*0*0`]),
  ]
  return [...body, `G85*${checkValue(body)}`, `SE*${body.length + 2}*0001`].join('\r\n')
}

test('audit files are kept as they came and set beside orders and stock', async () => {
  world.setNow(at(3000))
  await take(say('audit.dex', { kind: 'interval', raw: dex({ A1: 100 }) }))
  world.setNow(at(3010))
  const product = machine.slots[0]?.productCode ?? ''
  const items = [{ slot: 'A1', product, priceFen: 500, ok: true }]
  await take(say('sale', { orderNo: 'S-1', method: 'cash', paidFen: 500, items }))
  world.setNow(at(3020))
  // The controller counted two, one of them without an order.
  await take(say('audit.dex', { kind: 'interval', raw: dex({ A1: 102 }) }))
  const files = async () => getAuditFiles.output.parse((await call(getAuditFiles)).body.data)
  const found = await files()
  expect(found.reads.map(({ fault, epoch }) => [fault, epoch])).toEqual([
    [null, 1],
    [null, 1],
  ])
  expect(found.between?.lines[0]).toMatchObject({
    slot: 'A1',
    machinePriceFen: 500,
    counted: { count: 2, fen: 1000 },
    ordered: { count: 1, fen: 500 },
    moved: 1,
  })
  const differs = async () => {
    for (const job of jobs) await job.run(world.services, {})
    const open = await sql<{ slot: string }>`select facts->>'slot' as slot from alarm
      where machine_id = ${machine.id} and cause = 'dex_differs' and state <> 'closed'`.execute(world.services.db)
    return open.rows.map(({ slot }) => slot)
  }
  expect(await differs()).toEqual([])
  world.setNow(at(3100))
  expect(await differs()).toEqual(['A1'])
  world.setNow(at(3030))
  await take(
    say('audit.dex', { kind: 'fill', raw: dex({ A1: 103 }).replace('A1*500', 'A1*600') }),
    say('audit.dex', { kind: 'fill', raw: dex({ A1: 7 }, '999') }),
  )
  world.setNow(at(3040))
  // Counters that go back are another board: a new epoch, and no sale below zero.
  await take(say('audit.dex', { kind: 'collect', raw: dex({ A1: 3 }) }))
  const after = await files()
  expect(after.reads.slice(0, 3).map(({ fault, epoch }) => [fault, epoch])).toEqual([
    [null, 2],
    ['wrongMachine', 1],
    ['checkValue', 1],
  ])
  expect(after.between).toBeNull()
  const alarms = await sql<{ cause: string }>`select cause from alarm where machine_id = ${machine.id}
    and cause in ('dex_wrong_machine', 'counter_reset') order by cause`.execute(world.services.db)
  expect(alarms.rows.map(({ cause }) => cause)).toEqual(['counter_reset', 'dex_wrong_machine'])
})

test('numbers that are missing are a gap until they come, or until a day has gone by', async () => {
  const gaps = async () => {
    const found = await sql<{ first: number; last: number; open: boolean }>`select first_seq as first,
        last_seq as last, ended_at is null as open from message_gap where machine_id = ${machine.id}
        order by id`.execute(world.services.db)
    return found.rows.map(({ first, last, open }) => `${first}-${last}${open ? '' : ' ended'}`)
  }
  const beat = (n: number) => spoken(world, machine.code, n, 'heartbeat', { uptime: 1 }, { bootId: 'boot-2' })
  await take(beat(1))
  const before = await gaps()
  const since = async () => (await gaps()).slice(before.length)
  await take(beat(5), beat(8))
  expect(await since()).toEqual(['2-4', '6-7'])
  await take(beat(3))
  expect(await since()).toEqual(['2-2', '6-7', '4-4'])
  await take(beat(2), beat(6), beat(7))
  expect(await since()).toEqual(['2-2 ended', '6-7 ended', '4-4'])
  await giveUpGaps(world.services.db, new Date(world.services.clock.now().getTime() + 2 * DAY_MS))
  expect(await since()).toEqual(['2-2 ended', '6-7 ended', '4-4 ended'])
})

test('a record that falls silent and messages that stay missing are alarms, until they are none', async () => {
  const watch = () => Promise.all(jobs.map((job) => job.run(world.services, {})))
  const alarms = async () => {
    const found = await sql<{ cause: string }>`select cause from alarm where machine_id = ${machine.id}
      and cause in ('temperature_gap', 'message_gap') and state <> 'closed' order by cause`.execute(world.services.db)
    return found.rows.map(({ cause }) => cause)
  }
  const beat = (n: number) => spoken(world, machine.code, n, 'heartbeat', { uptime: 1 }, { bootId: 'boot-3' })
  await take(measured(4000, 5), beat(1), beat(4))
  await watch()
  expect(await alarms()).toEqual([])
  world.setNow(at(4040))
  await watch()
  expect(await alarms()).toEqual(['message_gap', 'temperature_gap'])
  await take(measured(4041, 5), beat(2), beat(3))
  await watch()
  expect(await alarms()).toEqual([])
})

test('two machines that speak with one code, and who tries a wrong secret, are alarms', async () => {
  const watch = () => Promise.all(jobs.map((job) => job.run(world.services, {})))
  const alarms = async () => {
    const found = await sql<{ cause: string }>`select cause from alarm where machine_id = ${machine.id}
      and cause in ('cloned', 'wrong_secret') and state <> 'closed' order by cause`.execute(world.services.db)
    return found.rows.map(({ cause }) => cause)
  }
  const beat = (bootId: string, n: number) => spoken(world, machine.code, n, 'heartbeat', { uptime: 1 }, { bootId })
  world.setNow(at(5000))
  await take(beat('one', 1))
  await take(beat('other', 1))
  await take(beat('one', 2))
  await watch()
  expect(await alarms()).toEqual([])
  await take(beat('other', 2))
  await watch()
  expect(await alarms()).toEqual(['cloned'])
  const gate = machineGate(world.services)
  expect(await gate.mayConnect(machine.code, 'guessed')).toBe(false)
  expect(await gate.mayConnect('nobody', 'guessed')).toBe(false)
  expect(await alarms()).toEqual(['cloned', 'wrong_secret'])
  world.setNow(at(5100))
  await watch()
  expect(await alarms()).toEqual([])
})

test('an excursion of a medicine cabinet holds its slots until somebody who may judges the goods', async () => {
  const { db } = world.services
  await sql`update machine set category = 'medicine' where id = ${machine.id}`.execute(db)
  const release = async () => (await call(releaseSlots, { reason: 'Short, and below 15 °C' })).body
  expect(await release()).toMatchObject({ code: 'temperature.nothingHeld' })
  await take(measured(6000, 12))
  expect((await read()).heldSlots).toEqual(machine.slots.map(({ code }) => code))
  expect(await release()).toMatchObject({ code: 'temperature.stillOut' })
  await take(measured(6001, 5))
  expect((await read()).heldSlots.length).toBe(machine.slots.length)
  expect(await release()).toMatchObject({ data: { slots: machine.slots.map(({ code }) => code) } })
  expect((await read()).heldSlots).toEqual([])
  const told = await sql<{ type: string }>`select type from device_command where machine_id = ${machine.id}
    order by created_at desc, seq desc limit 1`.execute(db)
  expect(told.rows[0]?.type).toBe('unlock_slot')
})

test("one slot's fault is known at once, and over at once", async () => {
  const { db } = world.services
  const state = async () => {
    const slot = await sql<{ fault: string | null }>`select fault from slot
      where machine_id = ${machine.id} and code = 'A1'`.execute(db)
    const alarms = await sql<{ slot: string }>`select slot_code as slot from alarm where machine_id = ${machine.id}
      and cause = 'slot_fault' and state <> 'closed'`.execute(db)
    return [slot.rows[0]?.fault, alarms.rows.map(({ slot: code }) => code)]
  }
  world.setNow(at(7000))
  await take(say('slot.state', { slot: 'A1', status: 'fault', reason: '102' }))
  expect(await state()).toEqual(['102', ['A1']])
  await take(say('slot.state', { slot: 'A1', status: 'normal' }))
  expect(await state()).toEqual([null, []])
})

test('a file that comes late is set beside the one before it, and cash beside what was sold for cash', async () => {
  const read = (minutes: number, count: number, cashFen: number) => {
    world.setNow(at(minutes))
    return say('audit.dex', { kind: 'interval', raw: dex({ A1: count }, machine.code, cashFen) })
  }
  const alarms = async () => {
    const found = await sql<{ cause: string }>`select cause from alarm where machine_id = ${machine.id}
      and opened_at > ${at(7999)} and cause in ('counter_reset', 'cash_differs') and state <> 'closed'
      order by cause`.execute(world.services.db)
    return found.rows.map(({ cause }) => cause)
  }
  await take(read(8000, 200, 0))
  const late = read(8010, 205, 0)
  await take(read(8020, 210, 3000))
  await take(late)
  const found = getAuditFiles.output.parse((await call(getAuditFiles)).body.data)
  expect(found.reads[0]).toMatchObject({ powerCuts: 2, events: [{ id: 'EJK', sinceInit: 3, isActive: true }] })
  expect(new Set(found.reads.slice(0, 3).map(({ epoch }) => epoch)).size).toBe(1)
  expect(found.between).toMatchObject({
    from: at(8010).toISOString(),
    to: at(8020).toISOString(),
    cash: { fen: 3000 },
    cashOrderedFen: 0,
  })
  world.setNow(at(8100))
  for (const job of jobs) await job.run(world.services, {})
  expect(await alarms()).toEqual(['cash_differs'])
  await take(read(8200, 210, 3000))
  world.setNow(at(8280))
  for (const job of jobs) await job.run(world.services, {})
  expect(await alarms()).toEqual([])
})

test('a medicine cabinet silent for a week is still an alarm, and so is one that never recorded', async () => {
  const { db } = world.services
  const watch = () => Promise.all(jobs.map((job) => job.run(world.services, {})))
  const gaps = async (id: number) =>
    (
      await sql`select 1 from alarm where machine_id = ${id} and cause = 'temperature_gap'
        and state <> 'closed'`.execute(db)
    ).rows.length
  await sql`update machine set category = 'medicine' where id = ${machine.id}`.execute(db)
  const bare = await addMachine(db, { merchantId: machine.merchantId, products: [] })
  await sql`update machine set category = 'medicine', created_at = ${at(5400)} where id = ${bare.id}`.execute(db)
  await take(measured(5401, 5))
  world.setNow(at(5401 + 7 * 1440))
  await watch()
  expect([await gaps(machine.id), await gaps(bare.id)]).toEqual([1, 0])
  // Put up and heard, and no value yet.
  await sql`update machine_state set last_seen_at = ${at(5410)} where machine_id = ${bare.id}`.execute(db)
  await watch()
  expect([await gaps(machine.id), await gaps(bare.id)]).toEqual([1, 1])
  await sql`update machine set category = 'drink' where id = ${machine.id}`.execute(db)
  await watch()
  expect(await gaps(machine.id)).toBe(0)
})

test('a probe that is well ends nothing while another one is warm, and the warm one is in sight', async () => {
  const { db } = world.services
  const lasting = async () =>
    (
      await sql<{ count: number }>`select count(*)::int as count from alarm where machine_id = ${machine.id}
        and cause = 'temperature' and state <> 'closed'`.execute(db)
    ).rows[0]?.count
  const told = async () =>
    (
      await sql<{ celsius: number; humidity: number | null }>`select temperature_c as celsius, humidity
        from machine_state where machine_id = ${machine.id}`.execute(db)
    ).rows[0]
  const probed = (minutes: number, probe: number, celsius: number, humidity?: number) => {
    world.setNow(at(minutes))
    return say('temperature', { probe, celsius, ...(humidity === undefined ? {} : { humidity }) })
  }
  await sql`update machine set category = 'medicine' where id = ${machine.id}`.execute(db)
  await take(probed(17_000, 1, 14), probed(17_000, 0, 5, 61.5))
  expect(await lasting()).toBe(1)
  expect(await told()).toEqual({ celsius: 14, humidity: 61.5 })
  await take(probed(17_001, 0, 5))
  await take(say('heartbeat', { uptime: 1, tempNow: [5] }))
  expect(await lasting()).toBe(1)
  await take(probed(17_002, 1, 5))
  expect(await lasting()).toBe(0)
  expect(await told()).toMatchObject({ celsius: 5 })
  const alarms = await sql`select 1 from alarm where machine_id = ${machine.id} and cause = 'temperature'
    and opened_at >= ${at(17_000)}`.execute(db)
  expect(alarms.rows).toHaveLength(1)
  await sql`update slot set is_locked = false, lock_reason = '' where machine_id = ${machine.id}`.execute(db)
})

test('what was locked by hand is held too, and locked by hand again once it is released', async () => {
  const { db } = world.services
  await sql`update slot set is_locked = true where machine_id = ${machine.id} and code = 'A1'`.execute(db)
  await take(measured(17_100, 12))
  const slot = async () =>
    (
      await sql<{ isLocked: boolean; reason: string }>`select is_locked as "isLocked", lock_reason as reason from slot
        where machine_id = ${machine.id} and code = 'A1'`.execute(db)
    ).rows[0]
  expect(await slot()).toEqual({ isLocked: true, reason: 'temperature_by_hand' })
  // Closed by a person while it is warm: that changes nothing of the goods.
  await sql`update alarm set state = 'closed', closed_at = opened_at where machine_id = ${machine.id}
    and state <> 'closed'`.execute(db)
  expect((await call(releaseSlots, { reason: 'Judged' })).body).toMatchObject({ code: 'temperature.stillOut' })
  await take(measured(17_101, 5))
  expect((await call(releaseSlots, { reason: 'Judged' })).body).toMatchObject({ data: { slots: ['A1'] } })
  expect(await slot()).toEqual({ isLocked: true, reason: '' })
  await sql`update slot set is_locked = false where machine_id = ${machine.id}`.execute(db)
})

test('what a machine said of a door or its cash is read on its page', async () => {
  world.setNow(at(17_200))
  await take(say('cash', { kind: 'box_removed', fen: 12_300 }))
  const link = getDeviceLink.output.parse((await call(getDeviceLink)).body.data)
  expect(link.lastMessages[0]).toMatchObject({ type: 'cash', data: { kind: 'box_removed', fen: 12_300 } })
})
