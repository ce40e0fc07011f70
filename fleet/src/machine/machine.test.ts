import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from './clock'
import { passTime } from '../demand'
import { loseNetwork, powerOff } from './machine'
import { hurryMotor } from './motor'
import { seeded } from '../random'
import { visit } from './refill'
import { sell } from './sale'
import { openTestServer, openTestWorld } from '../testing'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function open(settings: Parameters<typeof openTestWorld>[0] extends infer S ? Partial<S> : never = {}) {
  const server = await openTestServer()
  closers.push(server.stop)
  const fleet = await openTestWorld({ url: server.url, ...settings })
  closers.push(fleet.stop)
  return { server, fleet }
}

const types = (messages: readonly { type: string }[]) => messages.map((message) => message.type)

test('a machine that starts says presence, snapshot and heartbeat, numbered from 1 without a gap', async () => {
  const { server, fleet } = await open()
  await fleet.start()
  await server.next('heartbeat')
  expect(types(server.all)).toEqual(['presence', 'snapshot', 'heartbeat'])
  expect(server.all.map((message) => message.seq)).toEqual([1, 2, 3])
  expect(new Set(server.all.map((message) => message.bootId)).size).toBe(1)
  expect(server.all[0]).toMatchObject({ v: 1, machineId: 'M1001', offline: false, data: { online: true } })
  expect(server.all[0]?.occurredAt).toMatch(/\+08:00$/)
})

test('what a channel collects is scanned as the second answer brings it, and ships unasked', async () => {
  const { server, fleet } = await open()
  const machine = await fleet.start()
  await server.next('heartbeat')
  server.say.payUrl = 'https://qr.example/1'
  const visit = sell(machine, { slots: ['A1'], method: 'wechat' })
  const { orderNo } = (await server.next('order.request')).data
  await expect.poll(() => fleet.paid).toEqual(['https://qr.example/1'])
  server.command(machine.code, 'ship', { orderNo, items: [{ index: 0, slot: 'A1' }] })
  expect(await visit).toBe('sold')
  expect(server.ofType('pay.result')).toEqual([])
})

test('a sale by reader asks, pays, ships and reports, and the goods leave the slot', async () => {
  const { server, fleet } = await open()
  const machine = await fleet.start()
  await server.next('heartbeat')
  const visit = sell(machine, { slots: ['A1', 'A2'], method: 'wechat' })
  const payment = await server.next('pay.result')
  expect(payment.data).toMatchObject({ amountFen: 350, method: 'wechat' })
  const { orderNo } = payment.data
  const { cmdId } = server.command(machine.code, 'ship', {
    orderNo,
    items: [
      { index: 0, slot: 'A1' },
      { index: 1, slot: 'A2' },
    ],
  })
  expect(await visit).toBe('sold')
  await server.next('cmd.ack', (message) => message.data.state === 'done')
  const story = server.all.slice(3)
  expect(types(story)).toEqual([
    'order.request',
    'pay.result',
    'cmd.ack',
    'vend.received',
    'vend.result',
    'vend.result',
    'cmd.ack',
  ])
  expect(story[2]?.data).toEqual({ cmdId, state: 'received' })
  expect(story[5]?.data).toMatchObject({ orderNo, index: 1, slot: 'A2', ok: true, motorCode: '100', sensorCode: '01' })
  expect(machine.slots.map((slot) => slot.stock)).toEqual([4, 4, 5])
})

test('everything that was acknowledged leaves the outbox', async () => {
  const { server, fleet } = await open()
  const machine = await fleet.start()
  await server.next('presence')
  expect(await sell(machine, { slots: ['A1'], method: 'cash' })).toBe('sold')
  await server.next('sale')
  await expect.poll(() => fleet.world.outbox.count()).toBe(0)
})

test('a ship command that comes again, in any dress, turns no motor and gets the stored result', async () => {
  const { server, fleet } = await open()
  const machine = await fleet.start()
  await server.next('presence')
  const data = { orderNo: 'REMOTE-1', items: [{ index: 0, slot: 'A1' }] }
  const first = server.command(machine.code, 'ship', data)
  server.command(machine.code, 'ship', data, { cmdId: first.cmdId })
  const whileTurning = server.command(machine.code, 'ship', data)
  for (const { cmdId } of [first, whileTurning]) {
    await server.next('cmd.ack', ({ data: said }) => said.cmdId === cmdId && said.state === 'done')
  }
  const later = server.command(machine.code, 'ship', data)
  await server.next('cmd.ack', ({ data: said }) => said.cmdId === later.cmdId && said.state === 'done')
  expect(machine.turns).toBe(1)
  expect(machine.slots[0]?.stock).toBe(4)
  const results = server.ofType('vend.result')
  expect(results.length).toBeGreaterThan(1)
  expect(new Set(results.map((message) => JSON.stringify(message.data))).size).toBe(1)
})

test('after a crash the machine still knows what it shipped', async () => {
  const { server, fleet } = await open()
  const machine = await fleet.start()
  await server.next('presence')
  const data = { orderNo: 'REMOTE-2', items: [{ index: 0, slot: 'A1' }] }
  server.command(machine.code, 'ship', data)
  await server.next('cmd.ack', (message) => message.data.state === 'done')
  await fleet.world.outbox.durable()
  fleet.die()
  const second = await openTestWorld({ url: server.url }, fleet.folder)
  closers.push(second.stop)
  const again = await second.start()
  await server.next('presence', (message) => message.bootId === again.boot.id)
  expect(again.slots[0]?.stock).toBe(4)
  const { cmdId } = server.command(again.code, 'ship', data)
  await server.next('cmd.ack', ({ data: said }) => said.cmdId === cmdId && said.state === 'done')
  expect(again.turns).toBe(0)
})

test('a crash while the motor turns is reported as failed, and the motor is not turned again', async () => {
  const { server, fleet } = await open({ vendMs: [60_000, 60_000] })
  const machine = await fleet.start()
  await server.next('presence')
  const data = { orderNo: 'REMOTE-3', items: [{ index: 0, slot: 'A1' }] }
  const { cmdId } = server.command(machine.code, 'ship', data)
  await server.next('vend.received')
  fleet.die()
  const second = await openTestWorld({ url: server.url }, fleet.folder)
  closers.push(second.stop)
  const again = await second.start()
  const failed = await server.next('cmd.ack', (message) => message.data.state === 'failed')
  expect(failed.data).toEqual({ cmdId, state: 'failed', detail: 'interrupted' })
  server.command(again.code, 'ship', data)
  await server.next('cmd.ack', (message) => message.data.state === 'failed' && message.data.cmdId !== cmdId)
  expect(again.turns).toBe(0)
})

test('a ship command nobody waits for any more is refused', async () => {
  const { server, fleet } = await open({ shipMs: 10 })
  const machine = await fleet.start()
  await server.next('presence')
  const items = [{ index: 0, slot: 'A1' }]
  expect(await sell(machine, { slots: ['A1'], method: 'alipay' })).toBe('notShipped')
  const { orderNo } = (await server.next('pay.result')).data
  server.command(machine.code, 'ship', { orderNo, items })
  server.command(machine.code, 'ship', { orderNo: 'OLD-1', items }, { expiresAt: new Date(1).toISOString() })
  for (let i = 0; i < 2; i += 1) {
    expect((await server.next('cmd.ack')).data).toMatchObject({ state: 'refused', detail: 'expired' })
  }
  expect(machine.turns).toBe(0)
})

test('without an acknowledgement the same message comes again, with the same id and content', async () => {
  const { server, fleet } = await open({ resendMs: 30 })
  const machine = await fleet.start()
  await server.next('presence')
  server.say.ack = () => null
  await sell(machine, { slots: ['A1'], method: 'cash' })
  const first = await server.next('sale')
  const again = await server.next('sale')
  const { sentAt: _, ...content } = again
  expect(first).toMatchObject(content)
  server.say.ack = ({ msgId }) => ({ msgId, state: 'duplicate' })
  await expect.poll(() => fleet.world.outbox.count()).toBe(0)
})

test('what the server refuses for good is set aside and never sent again', async () => {
  const { server, fleet } = await open({ resendMs: 20 })
  const machine = await fleet.start()
  await server.next('presence')
  server.say.ack = ({ msgId }) => ({ msgId, state: 'refused', reason: 'unknownSlot' })
  await sell(machine, { slots: ['A1'], method: 'cash' })
  const { msgId } = await server.next('sale')
  await expect.poll(() => fleet.world.outbox.count()).toBe(0)
  const rejected = JSON.parse(readFileSync(join(fleet.folder, 'rejected.jsonl'), 'utf8'))
  expect(rejected).toMatchObject({ ack: { state: 'refused', reason: 'unknownSlot' }, message: { msgId } })
  const sendings = () => server.ofType('sale').filter((message) => message.msgId === msgId).length
  const before = sendings()
  server.say.ack = () => null
  await sell(machine, { slots: ['A2'], method: 'cash' })
  for (let i = 0; i < 3; i += 1) await server.next('sale', (message) => message.msgId !== msgId)
  expect(sendings()).toBe(before)
})

test('without a network only cash is taken, and it is told afterwards in the order in which it happened', async () => {
  const { server, fleet } = await open({ freshMs: 0, replayBatch: 2 })
  const machine = await fleet.start()
  await server.next('heartbeat')
  // Longer than the sales take on a busy machine.
  loseNetwork(machine, 1_500)
  const will = await server.next('presence', (message) => message.data.online === false)
  expect(will.seq).toBe(0)
  expect(await sell(machine, { slots: ['A1'], method: 'wechat' })).toBe('impossible')
  for (const slot of ['A1', 'A2', 'A3', 'A1', 'A2']) {
    expect(await sell(machine, { slots: [slot], method: 'cash' })).toBe('sold')
  }
  expect(machine.isUp).toBe(false)
  for (let i = 0; i < 5; i += 1) await server.next('sale')
  const sales = server.ofType('sale')
  expect(sales.every((sale) => sale.offline)).toBe(true)
  const seqs = sales.map((sale) => sale.seq)
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
  expect(server.all.findLast((message) => message.data.online === true)?.data.reason).toBe('back')
  await expect.poll(() => fleet.world.outbox.count()).toBe(0)
})

test('the broker dies and comes back: nothing is lost, nothing is new', async () => {
  const { server, fleet } = await open({ resendMs: 60_000, freshMs: 60_000 })
  const machine = await fleet.start()
  await server.next('presence')
  server.say.ack = () => null
  await sell(machine, { slots: ['A1'], method: 'cash' })
  const { msgId } = await server.next('sale')
  await server.stop()
  closers.shift()
  const back = await openTestServer({ port: server.port })
  closers.unshift(back.stop)
  expect((await back.next('sale')).msgId).toBe(msgId)
})

test('stop, resume and snapshot are executed once and acknowledged, and a stop outlives a restart', async () => {
  const { server, fleet } = await open()
  const machine = await fleet.start()
  await server.next('heartbeat')
  const done = (cmdId: string) =>
    server.next('cmd.ack', (message) => message.data.cmdId === cmdId && message.data.state === 'done')
  await done(server.command(machine.code, 'stop_sale').cmdId)
  expect(await sell(machine, { slots: ['A1'], method: 'cash' })).toBe('impossible')
  const before = machine.boot.id
  await done(server.command(machine.code, 'restart_app').cmdId)
  expect(machine.boot.id).not.toBe(before)
  expect(machine.isSaleStopped).toBe(true)
  await done(server.command(machine.code, 'resume_sale').cmdId)
  expect(await sell(machine, { slots: ['A1'], method: 'cash' })).toBe('sold')
  const snapshots = server.ofType('snapshot').length
  const { cmdId } = server.command(machine.code, 'upload_snapshot')
  await done(cmdId)
  server.command(machine.code, 'upload_snapshot', {}, { cmdId })
  await done(cmdId)
  expect(server.ofType('snapshot').length).toBe(snapshots + 1)
  expect((await server.next('snapshot', (m) => m.seq > 3)).data.slots).toMatchObject([{ code: 'A1', stock: 4 }, {}, {}])
})

test('a command of an unknown kind is refused, and noise is passed over', async () => {
  const { server, fleet } = await open()
  const machine = await fleet.start()
  await server.next('presence')
  server.command(machine.code, 'self_destruct')
  expect((await server.next('cmd.ack')).data).toMatchObject({ state: 'refused', detail: 'unknownCommand' })
  server.command(machine.code, 'ship', { orderNo: 'X-1', items: [{ index: 0, slot: 'Z9' }] })
  expect((await server.next('cmd.ack')).data).toMatchObject({ state: 'refused', detail: 'unknownSlot' })
  server.command(machine.code, 'ship', {}, { expiresAt: undefined })
  await expect.poll(() => fleet.counts.unreadable).toBe(1)
})

test('no answer to the price within the time: the customer goes, nothing is paid', async () => {
  const { server, fleet } = await open({ answerMs: 30 })
  const machine = await fleet.start()
  await server.next('presence')
  server.say.priceFen = null
  expect(await sell(machine, { slots: ['A1'], method: 'wechat' })).toBe('noAnswer')
  expect(machine.isBusy).toBe(false)
  expect(server.ofType('pay.result')).toEqual([])
})

test('a machine with a wrong secret keeps outside and goes on trying', async () => {
  const { fleet } = await open()
  const machine = await fleet.start({ secret: 'guessed' })
  await expect.poll(() => fleet.counts.signInRefused).toBeGreaterThan(1)
  expect(machine.isUp).toBe(false)
})

test('duplicates and overtaking change the order of arrival, never the content', async () => {
  const { server, fleet } = await open({ duplicateShare: 1, reorderShare: 0.5 })
  const machine = await fleet.start()
  await server.next('presence')
  await sell(machine, { slots: ['A1'], method: 'cash' })
  const first = await server.next('sale')
  const twin = await server.next('sale')
  expect({ ...twin, sentAt: '' }).toEqual({ ...first, sentAt: '' })
})

test('told to hurry, a machine finishes what its motor does and leaves no order open', async () => {
  const { server, fleet } = await open({ vendMs: [600_000, 600_000] })
  const machine = await fleet.start()
  await server.next('presence')
  const items = ['A1', 'A2'].map((slot, index) => ({ index, slot }))
  const { cmdId } = server.command(machine.code, 'ship', { orderNo: 'REMOTE-4', items })
  await server.next('vend.received')
  await hurryMotor(machine)
  const done = await server.next('cmd.ack', (message) => message.data.state === 'done')
  expect(done.data.cmdId).toBe(cmdId)
  expect(server.ofType('vend.result').map(({ data }) => data.ok)).toEqual([true, true])
})

const isFill = ({ data }: { data: Record<string, unknown> }) => data.cause === 'fill'

test('who fills a machine takes out what is past its day or crushed, and counts a slot, before filling', async () => {
  const { server, fleet } = await open()
  const lapsed = { batch: 'OLD', pieces: 2 }
  const slot = { code: 'A1', product: 'P', priceFen: 100, stock: 6, capacity: 8, traceCodes: ['T1', 'T2', 'T3', 'T4'] }
  const slots = [{ ...slot, lapsed, fault: '103' }]
  const machine = await fleet.start({ slots })
  await server.next('presence')
  await visit(machine)
  await server.next('stock.delta', isFill)
  expect(
    server.ofType('stock.delta').map(({ data: { cause, change, after, batch } }) => [cause, change, after, batch]),
  ).toEqual([
    ['expired', -2, 4, 'OLD'],
    ['remove', -1, 3, undefined],
    ['count', 0, 3, undefined],
    ['fill', 5, 8, undefined],
  ])
  expect(machine.slots[0]?.traceCodes).toEqual(['T2', 'T3', 'T4'])
  await powerOff(machine, 'switched off')
  const again = await fleet.start({ slots })
  expect(again.slots[0]).toMatchObject({ lapsed: null, stock: 8 })
})

test('who fills a machine reports each slot that was less than half full', async () => {
  const { server, fleet } = await open()
  const slots = [1, 7, 8].map((stock, i) => ({ code: `A${i}`, product: 'P', priceFen: 100, stock, capacity: 8 }))
  const machine = await fleet.start({ slots })
  await server.next('presence')
  await visit(machine)
  const { data } = await server.next('stock.delta', isFill)
  expect(data).toMatchObject({ slot: 'A0', before: 1, change: 7, after: 8, cause: 'fill' })
  await visit(machine)
  expect(server.ofType('stock.delta').filter(isFill).length).toBe(1)
  expect(machine.slots.map((slot) => slot.stock)).toEqual([8, 7, 8])
})

test('packs that were scanned are named as they fall, in their order, over a restart and by who fills', async () => {
  const { server, fleet } = await open()
  const lot = { product: 'M', batch: 'B-1', prefix: '8123456' }
  const slots = [{ code: 'A1', product: 'M', priceFen: 100, stock: 3, capacity: 8, traceCodes: ['T1', 'T2'], lot }]
  const machine = await fleet.start({ slots })
  await server.next('presence')
  const ship = (orderNo: string, to = machine) => {
    server.command(to.code, 'ship', { orderNo, items: [{ index: 0, slot: 'A1' }] })
    return server.next('vend.result', ({ data }) => data.orderNo === orderNo)
  }
  expect((await ship('REMOTE-1')).data.traceCode).toBe('T1')
  await powerOff(machine, 'switched off')
  const again = await fleet.start({ slots })
  await server.next('presence', ({ data }) => data.online === true)
  expect((await ship('REMOTE-2', again)).data.traceCode).toBe('T2')
  await visit(again)
  const { data } = await server.next('stock.delta', isFill)
  expect(data).toMatchObject({ change: 7, batch: 'B-1' })
  const codes = data.traceCodes as string[]
  expect([codes.length, new Set(codes).size]).toEqual([7, 7])
  expect(codes.every((code) => /^8123456[0-9]{13}$/.test(code))).toBe(true)
  expect((await ship('REMOTE-3', again)).data.traceCode).toBe(codes[0])
})

test('customers come one after the other, and never to a machine that cannot serve them', async () => {
  const { server, fleet } = await open({ shipMs: 5 })
  const full = Array.from({ length: 30 }, (_, i) => ({
    code: `B${i}`,
    product: 'P',
    priceFen: 100,
    stock: 99,
    capacity: 99,
  }))
  const machine = await fleet.start({ slots: full })
  const away = await fleet.start({ code: 'M1002', slots: full, takesCash: false, secret: 'guessed' })
  await server.next('presence')
  const demand = {
    machines: [machine, away],
    random: seeded(3),
    rate: 5_000_000,
    offlineShare: 0,
    offlineMs: [1, 1] as const,
  }
  for (let i = 0; i < 20; i += 1) {
    passTime(demand, 1_000, systemClock.wallMs())
    await expect.poll(() => machine.isBusy).toBe(false)
  }
  expect(machine.orderCount).toBeGreaterThan(10)
  expect(away.orderCount).toBe(0)
})
