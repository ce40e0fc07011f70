import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import type { Device } from '../../../fleet/src/link/client'
import { button, drawerOf, field, filled, formOf, openRow, send, signedIn, told } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { type Machine, machinesOf, sellingSlot, type Slot, startQuietServer, switchOn } from '../kit/machines'

/** A coupon from the desk to the machine and back: defined, listed, given out, spent, and found with its order. */
test.describe.configure({ mode: 'serial' })

const { promotion: words, kernel, trade, screens } = catalogs.zh
const NAME = '开学满减券'
const CODES = '地铁海报码'
let server: RunningServer
let machine: Machine
let slot: Slot
let device: Device
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  const own = await query<{ code: string }>(
    server,
    `select m.code from machine m join merchant c on c.id = m.merchant_id
      where c.code = 'EAST' and m.operation = 'in_operation' and m.category <> 'medicine'`,
  )
  const first = machinesOf(server).find((each) => own.some((one) => one.code === each.code))
  if (!first) throw new Error('the merchant has no machine that sells')
  machine = first
  slot = sellingSlot(machine)
  device = await switchOn(server, machine)
  page = await signedIn(browser, 'merchant', server.url)
})
test.afterAll(async () => {
  await page.context().close()
  await device.close()
  await server.stop()
})

const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

async function define(verb: 'addCouponPlan' | 'addCodePlan', path: string, name: string): Promise<Locator> {
  await page.goto(path)
  await button(page, words[`verb.${verb}`]).first().click()
  const form = formOf(page)
  await field(form, words['field.name']).fill(name)
  await field(form, words['field.kind']).selectOption('rate')
  await field(form, words['field.paidPercent']).fill('50')
  await field(form, words['field.priority']).fill('1')
  await field(form, words['field.endsOn']).fill(day(30))
  await send(page, words[`verb.${verb}`])
  await expect(told(page, words[`verb.${verb}.done`])).toBeVisible()
  const drawer = await openRow(page, path, name)
  await button(drawer, words['verb.listVoucherPlan']).click()
  await send(page, words['verb.listVoucherPlan'])
  await expect(drawer).toContainText(words['voucherPlanState.listed'])
  return drawer
}

/** Asked with it by the machine, and paid at its reader. */
async function buy(voucher: string): Promise<string> {
  const orderNo = `V-${randomUUID().slice(0, 8)}`
  const asked = await device.request({ orderNo, method: 'wechat', voucher, items: [{ slot: slot.code }] })
  expect(asked).toMatchObject({ amountFen: Math.floor(slot.priceFen / 2) })
  const amountFen = Math.floor(slot.priceFen / 2)
  await device.sendAndAck('pay.result', { orderNo, method: 'wechat', amountFen, channelNo: randomUUID() })
  await device.sendAndAck('vend.result', {
    orderNo,
    index: 0,
    slot: slot.code,
    ok: true,
    motorCode: '100',
    sensorCode: '01',
  })
  return orderNo
}

/** The number of the first row of a list. */
async function reveal(): Promise<string> {
  await page.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  const drawer = drawerOf(page)
  await button(drawer, words['verb.revealVoucher']).click()
  await field(formOf(page), words['field.reason']).fill('交给顾客')
  await send(page, words['verb.revealVoucher'])
  const shown = formOf(page)
  await expect(shown).toContainText(words['voucher.number.note'])
  const text = (await shown.locator('strong').textContent()) ?? ''
  await button(shown, kernel['action.close']).click()
  return text
}

test('a coupon is defined, listed and given out after its number is seen', async () => {
  const drawer = await define('addCouponPlan', screenOf('yxch/yhqgl').path, NAME)
  await drawer.getByRole('link', { name: words['voucher.give'], exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(screens['yxch/yhq'])
  await expect(field(page, words['field.planId'])).toHaveValue(NAME)
  await field(page, words['field.audience']).selectOption('bearer')
  await field(page, words['field.count']).fill('3')
  await expect(page.getByText(filled(words['voucher.preview.gets'], { count: 3 }))).toBeVisible()
  await field(page, words['field.reason']).fill('开学活动')
  await button(page, words['voucher.give']).click()
  await expect(told(page, filled(words['voucher.issued'], { count: 3 }))).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(screens['yxch/yhqmx'])
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(4)
})

test('a sale at a machine spends it, and both say so', async () => {
  const orderNo = await buy(await reveal())
  const drawer = drawerOf(page)
  await expect(drawer.locator('header')).toContainText(words['voucherState.used'])
  await page.reload()
  await expect(drawer).toContainText(words['voucher.order.paid'])
  await drawer.getByRole('link', { name: `${machine.code}-${orderNo}` }).click()
  await expect(drawerOf(page).locator('[data-part~=price-step]')).toContainText(trade['item.step.coupon'])
  await expect(drawerOf(page).locator('[data-part~=price-step]')).toContainText(NAME)
  await expect(await openRow(page, screenOf('yxch/yhqgl').path, NAME)).toContainText('开学活动')
})

test('promotion codes are made while one looks on, and the rest is cancelled with a reason', async () => {
  const drawer = await define('addCodePlan', screenOf('yxch/yhmgl').path, CODES)
  await button(drawer, words['verb.addCodeBatch']).click()
  await field(formOf(page), words['field.count']).fill('6000')
  await field(formOf(page), words['field.reason']).fill('印刷海报')
  await send(page, words['verb.addCodeBatch'])
  await expect(drawer).toContainText(filled(words['voucher.batch.unused'], { count: '6,000' }), { timeout: 30_000 })
  await page.goto(`${screenOf('yxch/yhmmx').path}?state=unused`)
  const code = await reveal()
  await buy(code)
  await openRow(page, screenOf('yxch/yhmgl').path, CODES)
  await button(drawerOf(page), words['verb.cancelVoucherBatch']).click()
  await field(formOf(page), words['field.reason']).fill('海报取消')
  await send(page, words['verb.cancelVoucherBatch'])
  await expect(drawerOf(page)).toContainText(words['voucher.batch.cancelled'])
  await expect(drawerOf(page)).toContainText('5,999')
})
