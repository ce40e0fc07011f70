import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { connectDevice, type Device } from '../../fleet/src/link/client'
import { button, drawerOf, field, filled, formOf, openRow, pick, send, signedIn, told } from './kit/desk'
import type { RunningServer } from './kit/harness'
import { type Machine, shopOf, startQuietServer, switchOn } from './kit/machines'

/** A machine comes into the network and goes again; on a server of its own, where it alone says something. */
test.describe.configure({ mode: 'serial' })

const { admin: kit, fleet, kernel } = catalogs.zh
const LIST = screenOf('shj/wdshj').path
const STATUS = screenOf('shj/ztcx').path
const OWNER = '江南云柜智能科技有限公司'
const POINT = '杭州城西医院'
/** Another code a run: what was made stays, and a second try makes its own. */
const run = randomUUID().slice(0, 4).toUpperCase()
const own = { code: `DESK${run}`, name: `书香角一号 ${run}` }
let server: RunningServer
let shop: Machine
let admin: Page
let watcher: Page
let device: Device | undefined

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  shop = shopOf(server)
  admin = await signedIn(browser, 'admin', server.url)
  watcher = await signedIn(browser, 'merchant', server.url)
})
test.afterAll(async () => {
  for (const page of [admin, watcher]) await page.context().close()
  await device?.close()
  await server.stop()
})

test('a bad code is refused beside its field; once right, the secret is shown this once', async () => {
  await admin.goto(LIST)
  await button(admin, fleet['verb.addMachine']).click()
  const form = formOf(admin)
  const code = field(form, fleet['field.code'])
  await code.fill('书香 1')
  await field(form, fleet['field.name']).fill(own.name)
  await pick(admin, fleet['field.merchantId'], OWNER)
  await pick(admin, fleet['field.pointId'], POINT)
  await field(form, fleet['field.category']).selectOption({ label: fleet['category.snack'] })
  await field(form, fleet['field.layers']).fill('2')
  await field(form, fleet['field.slotsPerLayer']).fill('3')
  await send(admin, fleet['verb.addMachine'])
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await expect(code).toHaveAccessibleDescription(fleet['rule.code'])
  await code.fill(shop.code)
  await send(admin, fleet['verb.addMachine'])
  await expect(form.getByRole('alert')).toContainText(filled(fleet['refusal.machine.codeTaken'], { code: shop.code }))
  await expect(form.getByRole('alert')).toBeInViewport()
  await expect(field(form, fleet['field.name'])).toHaveValue(own.name)

  await watcher.goto(STATUS)
  await expect(watcher.getByRole('table')).toContainText(shop.code)
  await watcher.evaluate(() => Object.assign(window, { isSame: true }))
  await code.fill(own.code)
  await send(admin, fleet['verb.addMachine'])
  const once = admin.getByRole('dialog', { name: filled(fleet['secret.title'], { code: own.code }) })
  const secret = await once.locator('code').innerText()
  await admin.keyboard.press('Escape')
  await button(once, kit['secret.saved']).click()
  await expect(once).toBeHidden()
  await expect(admin.getByText(secret)).toHaveCount(0)
  const steps = drawerOf(admin).locator('section', { hasText: fleet['contact.title'] })
  await expect(steps).toContainText(own.code)
  await expect(steps.getByRole('status')).toHaveText(fleet['contact.waits'])
  await drawerOf(admin).getByRole('tab', { name: fleet['tab.planogram'] }).click()
  for (const slot of ['A01', 'A03', 'B01', 'B03']) await expect(drawerOf(admin)).toContainText(slot)

  const row = watcher.getByRole('row').filter({ hasText: own.code })
  await expect(row).toContainText(fleet['connection.unknown'])
  const wrong = connectDevice({ url: server.mqttUrl, code: own.code, secret: shop.secret })
  await expect(wrong).rejects.toThrow()
  device = await switchOn(server, { code: own.code, secret, category: 'snack', slots: [] })
  await expect(row).toContainText(fleet['connection.online'])
  await drawerOf(admin).getByRole('tab', { name: fleet['tab.live'] }).click()
  await expect(drawerOf(admin).getByText(fleet['live.heartbeat'])).toBeVisible()
  await expect(steps).toHaveCount(0)
  expect(await watcher.evaluate(() => 'isSame' in window)).toBe(true)
})

const columns = ['code', 'name', 'merchant', 'point', 'category', 'layers', 'slotsPerLayer'] as const
const sheetOf = (...categories: string[]) => ({
  name: 'machines.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      columns.map((each) => fleet[`sheet.${each}`]).join(','),
      ...categories.map((each, at) => [`LOT${run}${at}`, `批次 ${at}`, 'EAST', POINT, each, 2, 4].join(',')),
    ].join('\r\n'),
  ),
})

test('a sheet with one bad row names the row and imports nothing; once right, all of it with its secrets', async () => {
  await admin.goto(LIST)
  await button(admin, fleet.import).click()
  const form = formOf(admin)
  const file = form.getByLabel(kit['sheet.choose'])
  await file.setInputFiles(sheetOf('snack', '飞机', fleet['category.drink']))
  await expect(form.getByRole('status')).toHaveText(filled(kit['sheet.judged'], { rows: 3, good: 2, faults: 1 }))
  const faults = form.getByRole('list', { name: kit['sheet.faults'] }).getByRole('listitem')
  await expect(faults).toHaveCount(1)
  await expect(faults).toContainText([filled(kit['sheet.row'], { row: 3 })])
  await expect(faults).toContainText([`LOT${run}1`])
  await expect(faults).toContainText([fleet['sheet.category']])
  await expect(button(form, filled(fleet['import.take'], { count: 2 }))).toHaveAttribute('aria-disabled', 'true')
  await button(form, kernel['action.cancel']).click()
  await admin.goto(`${LIST}?q=LOT${run}`)
  await expect(admin.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(admin.locator('.bone, [aria-busy=true]')).toHaveCount(0)
  await expect(admin.getByText(`LOT${run}0`)).toHaveCount(0)

  await button(admin, fleet.import).click()
  await file.setInputFiles(sheetOf('snack', fleet['category.combo'], fleet['category.drink']))
  await button(form, filled(fleet['import.take'], { count: 3 })).click()
  const done = admin.getByRole('dialog', { name: filled(fleet['import.done'], { count: 3 }) })
  const [download] = await Promise.all([
    admin.waitForEvent('download'),
    button(done, fleet['import.secretsFile']).click(),
  ])
  const text = readFileSync(await download.path(), 'utf8')
  const lines = text.trim().split(/\r?\n/)
  expect(lines.map((line) => line.split(',')[0])).toEqual(['code', ...[0, 1, 2].map((at) => `LOT${run}${at}`)])
  await button(done, kit['secret.saved']).click()
  for (const at of [0, 1, 2]) await expect(admin.getByRole('table')).toContainText(`LOT${run}${at}`)
  const [code = '', secret = ''] = lines[2]?.split(',') ?? []
  const sold = await connectDevice({ url: server.mqttUrl, code, secret })
  await sold.close()
})

test('with goods in it a machine can not be retired; an empty one can, and is cut off', async () => {
  const drawer = await openRow(admin, LIST, shop.code)
  await button(drawer, fleet['verb.retireMachine']).click()
  await field(formOf(admin), fleet['field.reason']).fill('设备老化')
  await send(admin, fleet['verb.retireMachine'])
  const refused = filled(fleet['refusal.machine.hasStock'], { code: shop.code }).split('{{count}}')
  const alert = formOf(admin).getByRole('alert')
  for (const part of refused) await expect(alert).toContainText(part.trim())
  await button(formOf(admin), kernel['action.cancel']).click()
  await button(admin, kit['form.leave.yes']).click()
  await expect(told(admin, kit['cancelled.verb'])).toBeVisible()
  await expect(drawer.getByText(fleet['service.retired'], { exact: true })).toHaveCount(0)

  const empty = await openRow(admin, `${LIST}?q=${own.code}`, own.code)
  await button(empty, fleet['verb.retireMachine']).click()
  await field(formOf(admin), fleet['field.reason']).fill('场地收回')
  await send(admin, fleet['verb.retireMachine'])
  await expect(told(admin, filled(fleet['verb.retireMachine.done'], { code: own.code }))).toBeVisible()
  await expect(empty.locator('header')).toContainText(fleet['service.retired'])
  await device?.closed
  await expect(watcher.getByRole('row').filter({ hasText: own.code })).toBeHidden()
})
