import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import type { Device } from '../../fleet/src/link/client'
import { button, drawerOf, field, filled, formOf, send, signedIn, told } from './kit/desk'
import { query, type RunningServer } from './kit/harness'
import { type Machine, machinesOf, sellingSlot, type Slot, startQuietServer, switchOn } from './kit/machines'

/** Codes from the desk to the machine and back: made, shown, used, printed, cancelled, and all of it in their log. */
test.describe.configure({ mode: 'serial' })

const { pickup: words, device: machineWords } = catalogs.zh
const path = screenOf('jygl/qhmgl').path
let server: RunningServer
let machine: Machine
let slot: Slot
let device: Device
let merchant: Page
let code: string

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
  merchant = await signedIn(browser, 'merchant', server.url)
})
test.afterAll(async () => {
  await merchant.context().close()
  await device.close()
  await server.stop()
})

/** Fills in the form and waits for what it says would be made. @returns the drawer of the new batch */
async function make(description: string, count: number): Promise<Locator> {
  await merchant.goto(path)
  await button(merchant, words['make.open']).first().click()
  const form = formOf(merchant)
  await field(form, words['field.description']).fill(description)
  await form.getByRole('textbox', { name: words['field.content'] }).fill(slot.product ?? '')
  await field(form, words['field.count']).fill(String(count))
  await expect(form.getByRole('status')).toContainText(words['preview.until'])
  await button(form, filled(words['make.send'], { count: new Intl.NumberFormat('zh-CN').format(count) })).click()
  await expect(drawerOf(merchant)).toContainText(description)
  return drawerOf(merchant)
}

/** Opens the codes of a batch in some state, by the number that leads to them, and the first of them. */
async function openFirst(drawer: Locator): Promise<Locator> {
  await drawer.locator('[data-part~=pickup-states]').getByRole('link').first().click()
  await expect(merchant).toHaveURL(/batchId=/)
  await merchant.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  return drawerOf(merchant)
}

async function reveal(drawer: Locator): Promise<string> {
  await button(drawer, words['verb.revealPickupCode']).click()
  await field(formOf(merchant), words['field.reason']).fill('交给顾客')
  await send(merchant, words['verb.revealPickupCode'])
  const shown = formOf(merchant)
  await expect(shown).toContainText(words['reveal.note'])
  await expect(shown.getByRole('img', { name: words['cards.qr'] })).toBeVisible()
  const text = (await shown.locator('[data-part~=pickup-revealed] strong').textContent()) ?? ''
  await shown.locator('button[type=submit]').click()
  return text.replaceAll(/\s/g, '')
}

const ask = (orderNo: string, text: string) =>
  device.request({ orderNo, method: 'pickup_code', code: text, items: [{ slot: slot.code }] })

test('a code that is made at the desk takes goods out of a machine once, and its log says where', async () => {
  const drawer = await openFirst(await make('前台补偿', 1))
  await expect(drawer.locator('header')).toContainText(words['pickupCodeState.unused'])
  code = await reveal(drawer)
  const orderNo = `P-${randomUUID().slice(0, 8)}`
  expect(await ask(orderNo, code)).toMatchObject({ amountFen: 0, isPaid: true })
  await expect(drawer.locator('header')).toContainText(words['pickupCodeState.in_use'])
  const ship = await device.command('ship')
  await device.sendAndAck('cmd.ack', { cmdId: ship.cmdId, state: 'received' })
  const came = { ok: true, motorCode: '100', sensorCode: '01' }
  await device.sendAndAck('vend.result', { orderNo, index: 0, slot: slot.code, ...came })
  await expect(drawer.locator('header')).toContainText(words['pickupCodeState.fully_shipped'])
  expect(await ask(`P-${randomUUID().slice(0, 8)}`, code)).toMatchObject({ refused: 'codeSpent' })
  await merchant.reload()
  const log = drawerOf(merchant).locator('[data-part~=timeline]')
  for (const kind of ['made', 'revealed', 'held', 'dispensed', 'refused'] as const) {
    await expect(log).toContainText(words[`event.${kind}`])
  }
  await expect(log).toContainText(machineWords['messageRefusal.codeSpent'])
  await log.getByRole('link', { name: orderNo }).first().click()
  await expect(merchant.getByRole('heading', { level: 1 })).toHaveText(catalogs.zh.screens['jygl/ddgl'])
  await expect(merchant.getByRole('table')).toContainText(orderNo)
})

test('many are made while one looks on, and printed as cards that a machine can read', async () => {
  const drawer = await make('百人礼券', 300)
  await expect(drawer.locator('header')).toContainText(words['batchState.ready'])
  await button(drawer, words['verb.printCodes']).click()
  await field(formOf(merchant), words['field.toSerial']).fill('20')
  await send(merchant, words['verb.printCodes'])
  await expect(formOf(merchant)).toContainText(filled(words['cards.title'], { count: 20 }))
  await merchant.emulateMedia({ media: 'print' })
  const cards = merchant.locator('[data-part~=pickup-paper] article')
  await expect(cards).toHaveCount(20)
  await expect(cards.first()).toBeVisible()
  await expect(cards.first()).toContainText('百人礼券')
  await expect(cards.first().locator('[data-part~=pickup-paper-code]')).toHaveText(/^[3-9A-Y]{5} [3-9A-Y]{5}$/)
  await expect(merchant.locator('[data-part~=drawer]')).toBeHidden()
  await merchant.emulateMedia({ media: 'screen' })
  code = ((await cards.first().locator('[data-part~=pickup-paper-code]').textContent()) ?? '').replace(' ', '')
  await button(formOf(merchant), catalogs.zh.kernel['action.close']).click()
})

test('the rest of a batch is cancelled with a reason, at the machine from the same moment', async () => {
  await button(drawerOf(merchant), words['verb.cancelBatch']).click()
  await field(formOf(merchant), words['field.reason']).fill('活动取消')
  await send(merchant, words['verb.cancelBatch'])
  await expect(told(merchant, words['verb.cancelBatch.done'])).toBeVisible()
  expect(await ask(`P-${randomUUID().slice(0, 8)}`, code)).toMatchObject({ refused: 'codeInvalid' })
  const drawer = drawerOf(merchant)
  await expect(drawer.locator('header')).toContainText(words['batchState.cancelled'])
  await expect(drawer.locator('[data-part~=pickup-states]')).toContainText('300')
  await expect(drawer.locator('[data-part~=pickup-states]')).toContainText(words['pickupCodeState.cancelled'])
  await expect(drawer).toContainText('活动取消')
  await merchant.goto(`${path}?tail=${code.slice(-4)}&description=${encodeURIComponent('百人礼券')}`)
  await merchant.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  await expect(drawerOf(merchant).locator('[data-part~=timeline]')).toContainText(
    machineWords['messageRefusal.codeInvalid'],
  )
  await expect(drawerOf(merchant)).toContainText('活动取消')
})
