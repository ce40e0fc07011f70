import { afterEach, expect, test } from 'vitest'
import { selfCheckResult } from '@aisle/contract/device/selfCheck'
import type { CommandType } from '@aisle/contract/device/commands'
import { versionsOf } from '../reports'
import { hurryMotor } from './motor'
import { sell } from './sale'
import { openTestServer, openTestWorld } from '../testing'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Settings = Partial<Parameters<typeof openTestWorld>[0]>

async function open(settings: Settings = {}) {
  const server = await openTestServer()
  closers.push(server.stop)
  const fleet = await openTestWorld({ url: server.url, ...settings })
  closers.push(fleet.stop)
  const machine = await fleet.start()
  await server.next('heartbeat')
  const ask = async (type: CommandType, data: Record<string, unknown> = {}) => {
    const { cmdId } = server.command(machine.code, type, data)
    const { data: said } = await server.next('cmd.ack', (message) => {
      return message.data.cmdId === cmdId && message.data.state !== 'received'
    })
    return said
  }
  return { server, fleet, machine, ask }
}

test('a test turns the motor once, says what it saw, and puts the piece back only when it was asked to', async () => {
  const { machine, ask } = await open()
  expect(await ask('test_vend', { slot: 'A1', putsBack: false })).toMatchObject({
    state: 'done',
    result: { slot: 'A1', ok: true, motorCode: '100', sensorCode: '01' },
  })
  expect(machine.slots[0]?.stock).toBe(4)
  await ask('test_vend', { slot: 'A1', putsBack: true })
  expect([machine.slots[0]?.stock, machine.turns, machine.slots[0]?.sold]).toEqual([4, 2, 0])
})

test('a machine that serves a customer turns no motor for a test', async () => {
  const { machine, ask } = await open()
  machine.isBusy = true
  expect(await ask('test_vend', { slot: 'A1' })).toMatchObject({ state: 'refused', detail: 'busy' })
  expect(machine.turns).toBe(0)
})

test('a self-check names every part and every motor, and the motor that stands still fails', async () => {
  const { machine, ask } = await open()
  const [first] = machine.slots
  if (first) first.fault = '101'
  const { parts } = selfCheckResult.parse((await ask('self_check')).result)
  expect(parts.filter(({ part }) => part === 'motor').map(({ slot, ok }) => [slot, ok])).toEqual([
    ['A1', false],
    ['A2', true],
    ['A3', true],
  ])
  expect(parts.some(({ part }) => part === 'network')).toBe(true)
})

test('prices and plans are taken whole, shown in a snapshot, and known after a crash', async () => {
  const { server, fleet, machine, ask } = await open()
  await ask('push_prices', { prices: [{ slot: 'A1', priceFen: 990 }] })
  const shown = await server.next('snapshot', ({ data }) => JSON.stringify(data).includes('990'))
  expect(shown.data.slots).toMatchObject([{ code: 'A1', priceFen: 990 }, {}, {}])
  expect(await ask('push_prices', { prices: [{ slot: 'Z9', priceFen: 1 }] })).toMatchObject({ detail: 'unknownSlot' })
  const slots = [{ code: 'A1', product: machine.slots[0]?.product, priceFen: 800, capacity: 9, locked: true }]
  await ask('push_planogram', { slots, version: 7 })
  expect(machine.slots).toMatchObject([{ code: 'A1', priceFen: 800, capacity: 9, isLocked: true, stock: 5 }])
  await fleet.world.outbox.durable()
  fleet.die()
  const second = await openTestWorld({ url: server.url }, fleet.folder)
  closers.push(second.stop)
  const again = await second.start()
  expect(again.slots).toMatchObject([{ code: 'A1', priceFen: 800, capacity: 9, isLocked: true, stock: 5 }])
})

test("a person's count becomes the machine's own figure, with what was sold since", async () => {
  const { server, fleet, machine, ask } = await open()
  const [slot, other] = machine.slots
  if (!slot || !other) throw new Error('a test machine has slots')
  const planned = ({ code, product, priceFen, capacity }: typeof slot) => ({ code, product, priceFen, capacity })
  const told = (at: Date, counted: unknown = { pieces: 4, at }) => ({
    slots: [{ ...planned(slot), counted }, planned(other)],
    version: 8,
  })
  const before = new Date(Date.now() - 60_000)
  expect(await ask('test_vend', { slot: 'A1' })).toMatchObject({ state: 'done', result: { ok: true } })
  await ask('push_planogram', told(before))
  const shown = await server.next('snapshot', ({ data }) => JSON.stringify(data).includes('"stock":3'))
  expect(shown.data.slots).toMatchObject([
    { code: 'A1', stock: 3 },
    { code: 'A2', stock: 5 },
  ])
  await ask('push_planogram', told(new Date(Date.now() + 1000)))
  expect(machine.slots[0]?.stock).toBe(4)
  expect(await ask('push_planogram', told(before, { pieces: -1 }))).toMatchObject({ detail: 'malformed' })
  await fleet.world.outbox.durable()
  fleet.die()
  const second = await openTestWorld({ url: server.url }, fleet.folder)
  closers.push(second.stop)
  expect((await second.start()).slots[0]?.stock).toBe(4)
})

test('settings are kept and shown, locks hold, and an opened door is told twice', async () => {
  const { server, machine, ask } = await open()
  await ask('set_thermostat', { mode: 'cooling', workingC: 4, periods: [] })
  await server.next('snapshot', ({ data }) => JSON.stringify(data.settings).includes('"thermostat.workingC":4'))
  await ask('lock_slot', { slots: ['A2'] })
  expect(machine.slots[1]?.isLocked).toBe(true)
  await ask('unlock_slot', { slots: ['A2'] })
  expect(machine.slots[1]?.isLocked).toBe(false)
  await ask('open_door')
  expect((await server.next('door')).data).toMatchObject({ state: 'opened', by: 'remote' })
  expect((await server.next('door')).data).toMatchObject({ state: 'closed' })
})

test('software is fetched, started and rolled back; what is broken is told and not started', async () => {
  const { server, machine, ask } = await open({ rebootMs: [5, 10] })
  const before = versionsOf(machine).app
  expect(await ask('rollback_app')).toMatchObject({ state: 'refused', detail: 'noFormerVersion' })
  expect(await ask('update_app', { version: '4.0.0' })).toMatchObject({ state: 'done', result: { version: '4.0.0' } })
  await server.next('heartbeat', ({ data }) => data.fwApp === '4.0.0')
  expect(await ask('rollback_app')).toMatchObject({ state: 'done', result: { version: before } })
  await server.next('heartbeat', ({ data }) => data.fwApp === before)
})

test('an update that fails leaves the machine as it was', async () => {
  const { machine, ask } = await open({ updateFailShare: 1 })
  const before = versionsOf(machine).app
  expect(await ask('update_app', { version: '4.0.0' })).toMatchObject({ state: 'failed', detail: 'checksumDiffers' })
  expect(versionsOf(machine).app).toBe(before)
})

test('a log and a photo come as results, and what is unknown is refused', async () => {
  const { ask } = await open()
  expect((await ask('upload_log', { hours: 2 })).result).toMatchObject({ lines: expect.any(Array) })
  expect(JSON.stringify((await ask('upload_photo')).result)).toContain('data:image/png;base64,')
  expect(await ask('no_such_thing' as CommandType)).toMatchObject({ state: 'refused', detail: 'unknownCommand' })
})

test('a command that comes again is answered with its last word, and nothing is done twice', async () => {
  const { server, machine } = await open()
  const { cmdId } = server.command(machine.code, 'test_vend', { slot: 'A1', putsBack: false })
  const isLast = ({ data }: { data: Record<string, unknown> }) => data.cmdId === cmdId && data.state === 'done'
  const first = await server.next('cmd.ack', isLast)
  server.command(machine.code, 'test_vend', { slot: 'A1', putsBack: false }, { cmdId })
  expect((await server.next('cmd.ack', isLast)).data).toEqual(first.data)
  expect(machine.turns).toBe(1)
})

test('what was begun when the program ended is told as interrupted', async () => {
  const { server, fleet, machine } = await open({ checkMs: 60_000 })
  const { cmdId } = server.command(machine.code, 'self_check')
  await server.next('cmd.ack', ({ data }) => data.cmdId === cmdId && data.state === 'received')
  await fleet.world.outbox.durable()
  fleet.die()
  const second = await openTestWorld({ url: server.url }, fleet.folder)
  closers.push(second.stop)
  await second.start()
  const { data } = await server.next('cmd.ack', (message) => message.data.state === 'failed')
  expect(data).toMatchObject({ cmdId, detail: 'interrupted' })
})

test('a machine may answer late or never', async () => {
  const late = await open({ lateShare: 1 })
  expect(await late.ask('upload_snapshot')).toMatchObject({ state: 'done' })
  const silent = await open({ silentShare: 1 })
  silent.server.command(silent.machine.code, 'upload_snapshot')
  const { cmdId } = silent.server.command(silent.machine.code, 'ship', {
    orderNo: 'X-1',
    items: [{ index: 0, slot: 'A1' }],
  })
  await silent.server.next('cmd.ack', ({ data }) => data.cmdId === cmdId && data.state === 'done')
  expect(new Set(silent.server.ofType('cmd.ack').map(({ data }) => data.cmdId))).toEqual(new Set([cmdId]))
})

test('sets, struck prices and medicines are kept as they are told; medicines are never had for cash', async () => {
  const { machine, ask } = await open()
  const [a, b] = machine.slots
  const line = (slot: typeof a, more: Record<string, unknown> = {}) => ({
    code: slot?.code,
    product: slot?.product,
    priceFen: 300,
    capacity: 10,
    choice: 'none',
    locked: false,
    alarmThreshold: 1,
    ...more,
  })
  const items = [
    { product: a?.product, pieces: 1 },
    { product: b?.product, pieces: 2 },
  ]
  const sets = [{ id: 1, name: 'Both', priceFen: 500, items }]
  await ask('push_planogram', {
    version: 2,
    slots: [line(a, { medicine: true, struckFen: 400, memberFen: 250 }), line(b)],
    sets,
  })
  expect(machine.sets).toEqual([[a?.product, b?.product, b?.product]])
  expect(machine.slots).toMatchObject([
    { isMedicine: true, struckFen: 400, memberFen: 250 },
    { isMedicine: false, struckFen: null, memberFen: null },
  ])
  expect(await sell(machine, { slots: [a?.code ?? ''], method: 'cash' })).toBe('impossible')
  await ask('push_prices', { prices: [{ slot: a?.code, priceFen: 280 }] })
  expect([machine.slots[0]?.struckFen, machine.slots[0]?.memberFen, machine.sets.length]).toEqual([null, null, 1])
  await ask('push_prices', { prices: [], sets: [] })
  expect(machine.sets).toEqual([])
})

test('after a jam the rest stays in, until the machine was told to go on', async () => {
  const { machine, ask, server } = await open({ jamShare: 1 })
  const pieces = [
    { index: 0, slot: 'A1' },
    { index: 1, slot: 'A2' },
  ]
  const ship = async (orderNo: string) => {
    await ask('ship', { orderNo, items: pieces })
    return server.ofType('vend.result').flatMap(({ data }) => (data.orderNo === orderNo ? [data] : []))
  }
  expect((await ship('J-1'))[1]).toMatchObject({
    slot: 'A2',
    ok: false,
    motorCode: '104',
    sensorCode: '00',
    attempts: 0,
  })
  expect(machine.turns).toBe(1)
  const flags = { shipsAfterJam: true, shipsDirectly: true }
  expect(await ask('set_flags', flags)).toMatchObject({ state: 'done' })
  const shown = await server.next('snapshot', ({ data }) => JSON.stringify(data.settings).includes('shipsAfterJam'))
  expect(shown.data.settings).toEqual(flags)
  expect((await ship('J-2')).map(({ attempts }) => attempts)).toEqual([2, 2])
  expect(machine.turns).toBe(3)
})

test('a customer who paid is asked before goods come, unless the machine was told not to', async () => {
  const asked = await open({ touchMs: [3_600_000, 3_600_000] })
  const visit = sell(asked.machine, { slots: ['A1'], method: 'wechat' })
  const { data } = await asked.server.next('pay.result')
  asked.server.command(asked.machine.code, 'ship', { orderNo: data.orderNo, items: [{ index: 0, slot: 'A1' }] })
  await asked.server.next('vend.received')
  expect(asked.machine.turns).toBe(0)
  await hurryMotor(asked.machine)
  expect(await visit).toBe('sold')
  await asked.ask('set_flags', { shipsAfterJam: false, shipsDirectly: true })
  const direct = sell(asked.machine, { slots: ['A1'], method: 'wechat' })
  const { data: paid } = await asked.server.next('pay.result', (message) => message.data.orderNo !== data.orderNo)
  asked.server.command(asked.machine.code, 'ship', { orderNo: paid.orderNo, items: [{ index: 0, slot: 'A1' }] })
  expect(await direct).toBe('sold')
})
