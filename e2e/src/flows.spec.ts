import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import kit from '../../contract/src/admin/text/zh.json' with { type: 'json' }
import { connectDevice, type Device } from '../../fleet/src/link/client'
import { drawerOf, signedIn } from './kit/desk'
import type { RunningServer } from './kit/harness'
import { cashSale, type Machine, sellingSlot, shopOf, startQuietServer, switchOn } from './kit/machines'

/** What an operator does and sees, with machines that say only what the test says for them. */
test.describe.configure({ mode: 'serial' })

const { fleet, trade, device: wire, screens, system } = catalogs.zh
let server: RunningServer
let machine: Machine
let device: Device
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  machine = shopOf(server)
  device = await switchOn(server, machine)
  page = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await page.context().close()
  await device.close()
  await server.stop()
})

async function openMachine(tab?: string): Promise<Locator> {
  await page.goto(`/shj/wdshj?code=${machine.code}`)
  await page.getByRole('table').getByRole('link', { name: machine.code }).click()
  const drawer = drawerOf(page)
  if (tab) await drawer.getByRole('tab', { name: tab }).click()
  return drawer
}

test('a cash sale appears in the list of orders without a reload', async () => {
  await page.goto('/jygl/ddgl')
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows.nth(1)).toBeVisible()
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  const sale = cashSale(sellingSlot(machine))
  expect((await device.sendAndAck('sale', sale)).state).toBe('processed')
  const row = rows.nth(1)
  await expect(row).toContainText(`${machine.code}-${sale.orderNo}`)
  await expect(row).toContainText(trade['method.cash'])
  await expect(row).toContainText(`¥${(sale.paidFen / 100).toFixed(2)}`)
  await expect(row).toHaveAttribute('data-fresh', 'true')
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
})

test('the drawer of an order tells its story while it happens', async () => {
  const slot = sellingSlot(machine)
  const orderNo = `S-${randomUUID().slice(0, 8)}`
  const answer = await device.request({ orderNo, method: 'wechat', items: [{ slot: slot.code }] })
  expect(answer).toMatchObject({ orderNo, amountFen: slot.priceFen })
  await page.goto(`/jygl/ddgl?orderNo=${machine.code}-${orderNo}`)
  await page.getByRole('table').getByRole('link', { name: orderNo }).click()
  const drawer = drawerOf(page)
  await expect(drawer.getByRole('heading', { level: 2 })).toContainText(orderNo)
  const story = drawer.locator('section').filter({ hasText: trade['section.story'] }).getByRole('listitem')
  await expect(story).toContainText([trade['event.requested'], trade['awaited.payment']])

  const paid = { orderNo, method: 'wechat', amountFen: slot.priceFen, channelNo: `W${orderNo}` }
  expect((await device.sendAndAck('pay.result', paid)).state).toBe('processed')
  const ship = await device.command('ship')
  expect(ship.data).toEqual({ orderNo, items: [{ index: 0, slot: slot.code }] })
  await expect(story.filter({ hasText: trade['event.paid'] })).toBeVisible()
  await expect(story.filter({ hasText: trade['event.shipSent'] })).toBeVisible()
  await expect(story.last()).toContainText(trade['awaited.result'])
  await device.sendAndAck('cmd.ack', { cmdId: ship.cmdId, state: 'received' })
  await device.sendAndAck('vend.received', { orderNo })
  const vend = { orderNo, index: 0, slot: slot.code, ok: true, motorCode: '100', sensorCode: '01' }
  expect((await device.sendAndAck('vend.result', vend)).state).toBe('processed')
  await device.sendAndAck('cmd.ack', { cmdId: ship.cmdId, state: 'done' })

  await expect(story.filter({ hasText: trade['event.itemDispensed'] })).toContainText(trade['sensor.01'])
  await expect(drawer.locator('header')).toContainText(trade['shipState.completed'])
  await expect(drawer.locator('header')).toContainText(trade['paymentState.paid'])
  await expect(drawer.getByText(trade['awaited.result'])).toBeHidden()
  // Debit and credit of the sale, which sum to zero.
  const ledger = drawer.locator('section').filter({ hasText: trade['section.ledger'] }).getByRole('row')
  const amount = (slot.priceFen / 100).toFixed(2)
  await expect(ledger).toContainText([`¥${amount}`, `¥${amount}`])
})

test('a piece that did not fall is told, with the money that is on its way back', async () => {
  const slot = sellingSlot(machine)
  const orderNo = `J-${randomUUID().slice(0, 8)}`
  await device.request({ orderNo, method: 'alipay', items: [{ slot: slot.code }] })
  await device.sendAndAck('pay.result', {
    orderNo,
    method: 'alipay',
    amountFen: slot.priceFen,
    channelNo: `A${orderNo}`,
  })
  await device.command('ship')
  await device.sendAndAck('vend.result', {
    orderNo,
    index: 0,
    slot: slot.code,
    ok: false,
    motorCode: '102',
    sensorCode: '03',
  })
  await page.goto(`/jygl/ddgl?problem=undelivered&orderNo=${machine.code}-${orderNo}`)
  await page.getByRole('table').getByRole('link', { name: orderNo }).click()
  const drawer = drawerOf(page)
  // The refund was opened by itself; nobody is told to pay back once more.
  await expect(drawer.getByText(trade['problem.refunding.do'])).toBeVisible()
  await expect(drawer.getByText(trade['itemState.jammed'], { exact: true }).first()).toBeVisible()
  await expect(drawer.getByRole('region', { name: trade['field.problem'] })).toContainText(
    (slot.priceFen / 100).toFixed(2),
  )
})

test('a machine that is stopped hears it, says so, and sells nothing until it is resumed', async () => {
  const drawer = await openMachine()
  await drawer.getByRole('button', { name: fleet['verb.stopSale'], exact: true }).click()
  const question = page.getByRole('dialog', { name: fleet['verb.stopSale'] })
  await expect(question).toContainText(machine.code)
  await question.getByRole('button', { name: fleet['verb.stopSale'] }).click()
  await expect(question.getByLabel(fleet['field.reason'])).toHaveAttribute('aria-invalid', 'true')
  await question.getByLabel(fleet['field.reason']).fill('现场检修')
  await question.getByRole('button', { name: fleet['verb.stopSale'] }).click()
  await expect(
    page.getByRole('status').filter({ hasText: fleet['verb.stopSale.done'].replace('{{code}}', machine.code) }),
  ).toBeVisible()
  // Nothing claims that it stopped until it says so.
  await expect(drawer.getByText(fleet['operation.stop_wanted'], { exact: true })).toBeVisible()
  await expect(drawer.getByRole('button', { name: fleet['verb.stopSale'] })).toHaveAttribute('aria-disabled', 'true')

  await drawer.getByRole('tab', { name: fleet['tab.link'] }).click()
  const line = drawer.getByRole('listitem').filter({ hasText: wire['command.stop_sale'] })
  await expect(line).toContainText(wire['commandState.sent'])
  const command = await device.command('stop_sale')
  await device.sendAndAck('cmd.ack', { cmdId: command.cmdId, state: 'received' })
  await expect(line).toContainText(wire['commandState.received'])
  await device.sendAndAck('cmd.ack', { cmdId: command.cmdId, state: 'done' })
  await expect(line).toContainText(wire['commandState.done'])
  await expect(drawer.getByText(fleet['operation.stopped'], { exact: true })).toBeVisible()

  const asked = {
    orderNo: `R-${randomUUID().slice(0, 8)}`,
    method: 'wechat',
    items: [{ slot: sellingSlot(machine).code }],
  } as const
  expect(await device.request({ ...asked, items: [...asked.items] })).toMatchObject({ refused: 'machineStopped' })

  await drawer.getByRole('button', { name: fleet['verb.resumeSale'], exact: true }).click()
  const resume = page.getByRole('dialog', { name: fleet['verb.resumeSale'] })
  await resume.getByLabel(fleet['field.reason']).fill('检修完毕')
  await page.keyboard.press('Tab')
  await resume.getByRole('button', { name: fleet['verb.resumeSale'] }).click()
  await expect(drawer.getByText(fleet['operation.resume_wanted'], { exact: true })).toBeVisible()
  const again = await device.command('resume_sale')
  await device.sendAndAck('cmd.ack', { cmdId: again.cmdId, state: 'done' })
  await expect(drawer.getByText(fleet['operation.in_operation'], { exact: true })).toBeVisible()
  expect(await device.request({ ...asked, items: [...asked.items] })).toMatchObject({
    amountFen: sellingSlot(machine).priceFen,
  })
})

test('a new secret is shown once; the old one no longer connects, the new one does', async () => {
  const drawer = await openMachine()
  await drawer.getByRole('button', { name: fleet['verb.rotateSecret'] }).click()
  await page
    .getByRole('dialog', { name: fleet['verb.rotateSecret'] })
    .getByRole('button', { name: fleet['verb.rotateSecret'] })
    .click()
  const once = page.getByRole('dialog', { name: fleet['secret.title'].replace('{{code}}', machine.code) })
  const secret = await once.locator('code').innerText()
  await page.keyboard.press('Escape')
  await once.getByRole('button', { name: catalogs.zh.admin['secret.saved'] }).click()
  await expect(once).toBeHidden()
  await expect(page.getByText(secret)).toHaveCount(0)
  await device.closed
  await expect(connectDevice({ url: server.mqttUrl, code: machine.code, secret: machine.secret })).rejects.toThrow()
  machine = { ...machine, secret }
  device = await switchOn(server, machine)
})

test('⌘K finds a machine and an order by their codes, and a screen by its initials', async () => {
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const palette = page.getByRole('dialog', { name: system['palette.label'] })
  const search = async (text: string) => {
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').fill(text)
  }
  await search(machine.code)
  await palette.getByRole('option', { name: machine.code }).first().click()
  await expect(drawerOf(page).getByRole('heading', { level: 2 })).toContainText(machine.code)
  const sale = cashSale(sellingSlot(machine))
  await device.sendAndAck('sale', sale)
  await search(`${machine.code}-${sale.orderNo}`)
  await expect(palette.getByRole('option').first()).toContainText(sale.orderNo)
  await page.keyboard.press('Enter')
  await expect(drawerOf(page).getByRole('heading', { level: 2 })).toHaveText(`${machine.code}-${sale.orderNo}`)
  await search('ddgl')
  await expect(palette.getByRole('option').first()).toContainText(catalogs.zh.screens['jygl/ddgl'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/jygl/ddgl')
  await search('no such thing at all')
  await expect(palette.getByRole('status')).toHaveText(system['palette.none'].replace('{{q}}', 'no such thing at all'))
  await page.keyboard.press('Escape')
})

test('filter, order, page and open row live in the address: reload and back show the same', async () => {
  await page.goto('/jygl/ddgl')
  const table = page.getByRole('table')
  await page.getByRole('group', { name: kit.views }).getByRole('button', { name: kit['preset.last30Days'] }).click()
  await expect(page).toHaveURL(/businessDay|from|period/i)
  await page
    .getByRole('navigation', { name: kit['list.pages'] })
    .getByRole('button', { name: kit['list.next'] })
    .click()
  await expect(page).toHaveURL(/cursor=/)
  await expect(table.getByRole('row').first()).toBeInViewport()
  await table.getByRole('row').nth(3).getByRole('link').first().click()
  const drawer = drawerOf(page)
  await expect(drawer.getByRole('heading', { level: 2 })).not.toHaveText(kit['list.loading'])
  const title = await drawer.getByRole('heading', { level: 2 }).innerText()
  const address = page.url()
  await page.reload()
  await expect(drawer.getByRole('heading', { level: 2 })).toHaveText(title)
  expect(page.url()).toBe(address)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await page.goBack()
  await expect(drawer.getByRole('heading', { level: 2 })).toHaveText(title)
  await page.goBack()
  await expect(drawer).toBeHidden()
  await expect(page).toHaveURL(/cursor=/)
  await page.goBack()
  await expect(page).not.toHaveURL(/cursor=/)
  await page.goBack()
  await expect(page).toHaveURL('/jygl/ddgl')
})

test('another page begins at its top, and going back finds the row where one was', async () => {
  const heading = page.getByRole('heading', { level: 1 })
  const rows = page.getByRole('table').getByRole('row')
  await page.setViewportSize({ width: 1280, height: 480 })
  await page.goto('/jygl/ddgl')
  await expect(rows.nth(1)).toBeVisible()
  await rows.last().scrollIntoViewIfNeeded()
  await expect(heading).not.toBeInViewport()
  const menu = page.getByRole('navigation', { name: system['shell.nav'] })
  await menu.getByRole('link', { name: screens['jygl/sptj'], exact: true }).click()
  await expect(heading).toHaveText(screens['jygl/sptj'])
  await expect(heading).toBeInViewport()
  await page.goBack()
  await expect(heading).toHaveText(screens['jygl/ddgl'])
  await expect(rows.last()).toBeInViewport()
})
