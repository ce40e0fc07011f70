import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import type { Device } from '../../fleet/src/link/client'
import { type StandIn, startStandIn } from '../../fleet/src/provider/standIn'
import { button, drawerOf, field, formOf, openRow, send, signedIn, told } from './kit/desk'
import { query, type RunningServer } from './kit/harness'
import { type Machine, sellingSlot, shopsSeenBy, startQuietServer, switchOn } from './kit/machines'

/** Money goes back by the provider that took it, asked for by one person and approved by another; or goods follow. */
test.describe.configure({ mode: 'serial' })

const { refund: words, trade, payment } = catalogs.zh
const pathOf = (key: string): string => screenOf(key).path
let server: RunningServer
let provider: StandIn
let machine: Machine
let device: Device
let operator: Page
let finance: Page

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000)
  server = await startQuietServer()
  const file = JSON.parse(readFileSync(join(server.place.dataDir, 'demo/provider.json'), 'utf8'))
  const journal = join(server.place.dataDir, 'demo/provider.jsonl')
  provider = await startStandIn({ file, journal, nowMs: Date.now })
  const gateway = `case when provider = 'alipay' then $1 || '/gateway.do' else $1 end`
  await query(server, `update provider_account set gateway = ${gateway}`, [provider.url])
  await query(server, `update setting set value = to_jsonb($1::text) where key = 'site.address'`, [server.url])
  await query(
    server,
    `insert into setting (key, merchant_id, value) select 'refund.secondPersonFen', id, '100' from merchant
      where parent_id is null on conflict do nothing`,
  )
  const [shop] = await shopsSeenBy(server, 'operator')
  if (!shop) throw new Error('the operator sees no shop')
  machine = shop
  // What jams waits for a person here.
  await query(server, 'update machine set auto_refund = false where code = $1', [machine.code])
  device = await switchOn(server, machine)
  operator = await signedIn(browser, 'operator', server.url)
  finance = await signedIn(browser, 'finance', server.url)
})
test.afterAll(async () => {
  for (const page of [operator, finance]) await page.context().close()
  await device.close()
  await provider.stop()
  await server.stop()
})

/** A customer buys one piece by WeChat. @returns the order's number everywhere */
async function bought(isOut: boolean): Promise<string> {
  const slot = sellingSlot(machine)
  const orderNo = `R-${randomUUID().slice(0, 8)}`
  await device.request({ orderNo, method: 'wechat', items: [{ slot: slot.code }] })
  const offered = await device.answerAfter(orderNo)
  expect(provider.pay('payUrl' in offered ? (offered.payUrl ?? '') : '')).toBe(null)
  const ship = await device.command('ship')
  await device.sendAndAck('cmd.ack', { cmdId: ship.cmdId, state: 'received' })
  const codes = isOut
    ? { ok: true, motorCode: '100', sensorCode: '01' }
    : { ok: false, motorCode: '103', sensorCode: '03' }
  await device.sendAndAck('vend.result', { orderNo, index: 0, slot: slot.code, ...codes })
  await device.sendAndAck('cmd.ack', { cmdId: ship.cmdId, state: 'done' })
  return `${machine.code}-${orderNo}`
}

/** The refund's state as its drawer says it, looked at until the provider has said how it ended. */
const becomes = (page: Page, state: string) =>
  expect(drawerOf(page).locator('header')).toContainText(state, { timeout: 90_000 })

test('customer service asks, finance approves, the provider pays, and the order shows it', async () => {
  test.setTimeout(180_000)
  const orderNo = await bought(true)
  const drawer = await openRow(operator, `${pathOf('jygl/ddgl')}?orderNo=${orderNo}`, orderNo)
  await button(drawer, words['verb.applyRefund']).click()
  const form = formOf(operator)
  await form.getByRole('checkbox').first().check()
  await field(form, words['apply.reason']).fill('顾客来电：饮料漏液')
  await send(operator, words['verb.applyRefund'])
  await expect(told(operator, words['verb.applyRefund.done'])).toBeVisible()
  await expect(drawer).toContainText(words['refundState.pending_review'])

  await finance.goto(`${pathOf('jygl/tkgl')}?no=${orderNo}`)
  await finance.getByRole('table').getByRole('link').first().click()
  const review = drawerOf(finance)
  await expect(review).toContainText('顾客来电：饮料漏液')
  await button(review, words['verb.approveRefund']).click()
  await send(finance, words['verb.approveRefund'])
  await expect(told(finance, words['verb.approveRefund.done'])).toBeVisible()
  await becomes(finance, words['refundState.refunded'])
  const [refund] = await query<{ refund_no: string }>(server, 'select refund_no from refund where order_no = $1', [
    orderNo,
  ])
  const paid = provider.trades().flatMap((trade) => trade.refunds)
  expect(paid.filter(({ no }) => no === refund?.refund_no)).toHaveLength(1)

  await openRow(operator, `${pathOf('jygl/ddgl')}?orderNo=${orderNo}`, orderNo)
  await expect(drawerOf(operator).locator('header')).toContainText(trade['paymentState.refunded'])
  // Whoever may read payment accounts sees what was said to the provider; the operator may not.
  await expect(drawerOf(operator).getByText(trade['section.payments'], { exact: true })).toHaveCount(0)
  await openRow(finance, `${pathOf('jygl/ddgl')}?orderNo=${orderNo}`, orderNo)
  await expect(drawerOf(finance).getByText(trade['section.payments'], { exact: true })).toBeVisible()
  await drawerOf(finance).getByText(payment['exchangeKind.offer']).first().click()
  await expect(drawerOf(finance)).toContainText('out_trade_no')
  await expect(drawerOf(finance)).toContainText(trade['attemptState.paid'])
})

test('what jammed is shipped again from its case: the piece falls, and the case closes', async () => {
  const orderNo = await bought(false)
  const drawer = await openRow(operator, `${pathOf('cfgl/wtddgl')}?orderNo=${orderNo}`, orderNo)
  await expect(drawer.locator('header')).toContainText(words['problem.undelivered'])
  await button(drawer, words['verb.shipAgain']).click()
  await field(formOf(operator), words['field.reason']).fill('顾客仍在机器前')
  await send(operator, words['verb.shipAgain'])
  await expect(told(operator, words['verb.shipAgain.done'])).toBeVisible()

  const ship = await device.command('ship')
  const [item] = ship.data.items as { index: number; slot: string }[]
  await device.sendAndAck('cmd.ack', { cmdId: ship.cmdId, state: 'received' })
  const vend = { orderNo: String(ship.data.orderNo), index: item?.index ?? 0, slot: item?.slot ?? '' }
  const fell = { ...vend, ok: true, motorCode: '100', sensorCode: '01' }
  expect((await device.sendAndAck('vend.result', fell)).state).toBe('processed')
  await device.sendAndAck('cmd.ack', { cmdId: ship.cmdId, state: 'done' })

  const closed = await openRow(operator, `${pathOf('cfgl/wtddgl')}?orderNo=${orderNo}&state=closed`, orderNo)
  await expect(closed.locator('header')).toContainText(words['problemState.closed'])
  await expect(closed.locator('header')).toContainText(words['problemOutcome.redelivered'])
  const [refund] = await query<{ state: string; detail: string }>(
    server,
    'select state, detail from refund where order_no = $1',
    [orderNo],
  )
  expect(refund).toEqual({ state: 'rejected', detail: 'redelivered' })
})

test('a case is closed as it stands by two people', async () => {
  const orderNo = await bought(false)
  const drawer = await openRow(operator, `${pathOf('cfgl/wtddgl')}?orderNo=${orderNo}`, orderNo)
  await button(drawer, words['verb.confirmProblem']).click()
  await field(formOf(operator), words['field.reason']).fill('顾客已当面补货')
  await send(operator, words['verb.confirmProblem'])
  await expect(told(operator, words['verb.confirmProblem.done'])).toBeVisible()
  await expect(drawer.locator('header')).toContainText(words['problemState.asked'])

  const other = await openRow(finance, `${pathOf('cfgl/wtddgl')}?orderNo=${orderNo}`, orderNo)
  await button(other, words['verb.agreeProblem']).click()
  await send(finance, words['verb.agreeProblem'])
  await expect(told(finance, words['verb.agreeProblem.done'])).toBeVisible()
  const closed = await openRow(finance, `${pathOf('cfgl/wtddgl')}?orderNo=${orderNo}&state=closed`, orderNo)
  await expect(closed.locator('header')).toContainText(words['problemOutcome.confirmed'])
})

test('money of nobody that a channel did not pay back is asked for again, and is paid', async ({ browser }) => {
  const admin = await signedIn(browser, 'admin', server.url)
  const path = `${pathOf('cfgl/wtddgl')}?part=unclaimed`
  await admin.goto(path)
  for (const state of ['open', 'asked', 'failed'] as const) {
    await expect(admin.getByRole('table').getByText(words[`unclaimedState.${state}`]).first()).toBeVisible()
  }
  const drawer = await openRow(admin, path, words['unclaimedState.failed'])
  await button(drawer, words['verb.retryUnclaimed']).click()
  await send(admin, words['verb.retryUnclaimed'])
  await expect(drawer.locator('header')).toContainText(words['unclaimedState.refunding'])
  const givenBack = () => provider.trades().filter(({ no, refunds }) => no.startsWith('COUNTER') && refunds.length > 0)
  await expect.poll(givenBack).toMatchObject([{ refunds: [{ amountFen: 1800 }] }])
  await admin.context().close()
})
