import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { MAX_MESSAGE_BYTES, type MessageRefusal } from '@aisle/contract/device/messages'
import { upTopic } from '@aisle/contract/device/topics'
import type { Device } from '../../fleet/src/link/client'
import { query, type RunningServer } from './kit/harness'
import { cashSale, type Machine, machinesOf, sellingSlot, shopsOf, startQuietServer, switchOn } from './kit/machines'
import { openVisit, signInAs } from './kit/visit'

/**
 * What a broken or malicious machine may say: each gets the refusal that the protocol declares, changes nothing, and
 * stands on the machine's page with its reason, for whoever asks.
 */
test.describe.configure({ mode: 'serial' })

const { fleet, device: wire } = catalogs.zh
let server: RunningServer
let machine: Machine
let other: Machine
let device: Device
let before: unknown

test.beforeAll(async () => {
  server = await startQuietServer()
  const [shop] = shopsOf(server)
  const stranger = machinesOf(server).find(({ code }) => code !== shop?.code)
  if (!shop || !stranger) throw new Error('the demo network has too few machines')
  machine = shop
  other = stranger
  device = await switchOn(server, machine)
  before = await facts()
})
test.afterAll(async () => {
  await device.close()
  await server.stop()
})

/** What no bad message may change. */
const facts = () =>
  query(
    server,
    `select (select count(*)::int from orders) as orders, (select count(*)::int from stock_move) as moves,
      (select count(*)::int from ledger_entry) as entries, (select paid_fen from rollup_total limit 1) as paid`,
  )

const sale = () => cashSale(sellingSlot(machine))
const vend = { orderNo: 'NO-SUCH-ORDER', index: 0, slot: 'A01', ok: true, motorCode: '100', sensorCode: '01' }
const pay = { orderNo: 'NO-SUCH-ORDER', method: 'wechat', amountFen: 500, channelNo: 'W1' }

type Said = [
  what: string,
  type: string,
  data: () => Record<string, unknown>,
  changes: Record<string, unknown>,
  reason: MessageRefusal,
]
const acknowledged: Said[] = [
  ['an unknown field in the envelope', 'sale', sale, { priority: 'high' }, 'malformed'],
  ['an unknown field in the data', 'sale', () => ({ ...sale(), discountFen: 100 }), {}, 'malformed'],
  ['an over-long text', 'sale', () => ({ ...sale(), orderNo: 'X'.repeat(41) }), {}, 'malformed'],
  ['a price that is no whole number', 'sale', () => ({ ...sale(), paidFen: 3.5 }), {}, 'malformed'],
  ['a character that no database keeps', 'sale', () => ({ ...sale(), orderNo: 'A\u0000B' }), {}, 'malformed'],
  ['another machine’s code in the envelope', 'sale', sale, { machineId: 'OTHER01' }, 'wrongMachine'],
  ['a type that does not exist', 'sale', sale, { type: 'refund' }, 'unknownType'],
  ['a time in another century', 'sale', sale, { occurredAt: '1999-01-01T00:00:00Z' }, 'clockImpossible'],
  ['a payment for an unknown order', 'pay.result', () => pay, {}, 'unknownOrder'],
  ['a result for an unknown order', 'vend.result', () => vend, {}, 'unknownOrder'],
  [
    'a slot that the machine does not have',
    'sale',
    () => ({ ...sale(), items: [{ slot: 'Z99', product: 'P', priceFen: 100, ok: true }] }),
    {},
    'unknownSlot',
  ],
  [
    'an answer to a command that nobody gave',
    'cmd.ack',
    () => ({ cmdId: randomUUID(), state: 'done' }),
    {},
    'unknownCommand',
  ],
]

for (const [what, type, data, changes, reason] of acknowledged) {
  test(`${what} is refused: ${reason}`, async () => {
    expect(await device.sendAndAck(type, data(), changes)).toMatchObject({ state: 'refused', reason })
  })
}

test('what names no message can be acknowledged by nothing; it is noted', async () => {
  await device.publish(upTopic(machine.code, 'sale'), '{"v":1, this is no JSON')
  await device.publish(upTopic(machine.code, 'sale'), Buffer.alloc(MAX_MESSAGE_BYTES + 1, 0x20))
  await expect.poll(reasonsNoted).toEqual(expect.arrayContaining(['notJson', 'tooLarge']))
})

test('nothing of all this became a fact', async () => {
  expect(await facts()).toEqual(before)
})

test('the same id with other content is a conflict; the first content stays', async () => {
  const first = sale()
  const message = await device.send('sale', first)
  expect((await device.acked(message.msgId)).state).toBe('processed')
  const forged = { ...first, paidFen: 1, items: first.items.map((item) => ({ ...item, priceFen: 1 })) }
  expect(await device.sendAndAck('sale', forged, { msgId: message.msgId })).toMatchObject({
    state: 'conflict',
    reason: 'sameIdOtherContent',
  })
  const kept = await query(server, 'select paid_fen from orders where machine_order_no = $1', [first.orderNo])
  expect(kept).toEqual([{ paid_fen: first.paidFen }])
})

test('a machine that speaks on another’s topic is thrown out, and listens to none', async () => {
  expect(await device.subscribe(`v1/m/${other.code}/down/cmd`)).toBe(false)
  expect(await device.subscribe('v1/m/+/down/#')).toBe(false)
  const message = device.compose('sale', sale(), { machineId: other.code })
  await device.publish(upTopic(other.code, 'sale'), JSON.stringify(message)).catch(() => undefined)
  await device.closed
  device = await switchOn(server, machine)
  await expect.poll(reasonsNoted).toContain('forbiddenTopic')
  const taken = await query(server, 'select from device_message where msg_id = $1', [message.msgId])
  expect(taken).toEqual([])
})

test('an administrator reads each of them on the machine, with its reason and what was said', async ({ browser }) => {
  const { page, close } = await openVisit(browser, { language: 'zh', theme: 'light', width: 1440 }, server.url)
  await signInAs(page, 'admin')
  const refusals = await refusalsOf(page, machine.code)
  const reasons = new Set<MessageRefusal>([
    ...acknowledged.map(([, , , , reason]) => reason),
    'notJson',
    'tooLarge',
    'sameIdOtherContent',
    'forbiddenTopic',
  ])
  for (const reason of reasons) {
    await expect(refusals.filter({ hasText: wire[`messageRefusal.${reason}`] }).first()).toBeVisible()
  }
  // The same reason again is one line with a count.
  const forbidden = refusals.filter({ hasText: wire['messageRefusal.forbiddenTopic'] })
  await expect(forbidden).toContainText(wire['link.times'].replace('{{count}}', '3'))
  await expect(forbidden).toContainText('v1/m/')
  await expect(refusals.filter({ hasText: wire['messageRefusal.notJson'] })).toContainText('this is no JSON')
  // The one that was spoken for did nothing wrong.
  await expect(await refusalsOf(page, other.code)).toHaveCount(0)
  await close()
})

async function refusalsOf(page: Page, code: string) {
  await page.goto(`/shj/wdshj?code=${code}`)
  await page.getByRole('table').getByRole('link', { name: code }).click()
  await page.getByRole('dialog').getByRole('tab', { name: fleet['tab.link'] }).click()
  const section = page
    .getByRole('dialog')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: wire['link.refusals'] }) })
  await expect(section).toBeVisible()
  return section.getByRole('listitem')
}

async function reasonsNoted(): Promise<string[]> {
  const rows = await query<{ reason: string }>(
    server,
    'select distinct reason from device_refusal where machine_code = $1',
    [machine.code],
  )
  return rows.map(({ reason }) => reason)
}
