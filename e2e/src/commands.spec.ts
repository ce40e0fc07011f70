import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import type { Device } from '../../fleet/src/link/client'
import { button, drawerOf, field, filled, formOf, openRow, send, signedIn, told } from './kit/desk'
import type { RunningServer } from './kit/harness'
import { type Machine, sellingSlot, shopsSeenBy, startQuietServer, switchOn } from './kit/machines'

/** What an operator asks of machines from afar, and how the answers come back, or do not. */
test.describe.configure({ mode: 'serial' })

const { admin: kit, device: wire, kernel } = catalogs.zh
const pathOf = (key: string): string => screenOf(key).path
let server: RunningServer
let machine: Machine
let silent: Machine
let device: Device
let mute: Device
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  const [one, other] = await shopsSeenBy(server, 'operator')
  if (!one || !other) throw new Error('the operator sees too few shops')
  machine = one
  silent = other
  device = await switchOn(server, machine)
  mute = await switchOn(server, silent)
  page = await signedIn(browser, 'operator', server.url)
})
test.afterAll(async () => {
  await page.context().close()
  await device.close()
  await mute.close()
  await server.stop()
})

/** How many machines of the batch are so far. */
const counted = (state: keyof typeof wire): Locator =>
  drawerOf(page)
    .locator('[data-part~=state-counts]')
    .getByRole('listitem')
    .filter({ hasText: wire[state] })
    .getByRole('link')

test('two machines are asked to check themselves: progress as it is, and what does not work', async () => {
  await page.goto(pathOf('shj/jqzc'))
  for (const { code } of [machine, silent]) {
    await page.getByRole('checkbox', { name: filled(kit['batch.row'], { name: code }) }).check()
  }
  await button(page.getByRole('group', { name: kit.batch }), wire['verb.sendToMachines']).click()
  const form = formOf(page)
  await expect(form).toContainText(filled(wire['verb.sendToMachines.batch'], { count: 2 }))
  // What needs more words than a reason is not asked of rows.
  const commands = field(form, wire['field.type']).getByRole('option')
  await expect(commands.filter({ hasText: wire['command.set_volume_or_screen'] })).toHaveCount(0)
  await field(form, wire['field.type']).selectOption({ label: wire['command.self_check'] })
  await field(form, wire['field.reason']).fill('客户反映不出货')
  await send(page, wire['verb.sendToMachines'])
  // Asked, and done only once the machines say so.
  await expect(form.getByRole('status')).toHaveText(
    `${filled(kit['batch.progress'], { count: 2, done: 0, failed: 0 })} · ${filled(kit['batch.taken'], { count: 2 })}`,
  )
  await button(form, kernel['action.close']).click()

  await page.getByRole('link', { name: wire['part.batches'], exact: true }).click()
  await page.getByRole('row').filter({ hasText: '客户反映不出货' }).getByRole('link').first().click()
  await expect(counted('commandState.sent')).toHaveText('2')
  const bar = drawerOf(page).getByRole('progressbar', { name: wire['batch.progress'] })
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  const command = await device.command('self_check')
  await mute.command('self_check')
  await device.sendAndAck('cmd.ack', { cmdId: command.cmdId, state: 'received' })
  await expect(counted('commandState.received')).toHaveText('1')
  await expect(counted('commandState.sent')).toHaveText('1')
  await expect(bar).toHaveAttribute('aria-valuenow', '0')
  const parts = [
    { part: 'main_board', ok: true },
    { part: 'light_curtain', ok: false, code: 'noAnswer' },
    { part: 'motor', slot: machine.slots[0]?.code, ok: true, code: '100' },
  ]
  await device.sendAndAck('cmd.ack', { cmdId: command.cmdId, state: 'done', result: { parts } })
  await expect(counted('commandState.done')).toHaveText('1')
  await expect(bar).toHaveAttribute('aria-valuenow', '1')
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
})

test('a machine that never answers is given up by the person, and the batch is over', async () => {
  const drawer = drawerOf(page)
  await expect(drawer.locator('header')).toContainText(wire['progress.running'])
  await button(drawer, wire['verb.cancelBatch']).click()
  await expect(formOf(page)).toContainText(filled(wire['verb.cancelBatch.ask'], { count: 1 }))
  await field(formOf(page), wire['field.reason']).fill('改天再查')
  await send(page, wire['verb.cancelBatch'])
  await expect(told(page, wire['verb.cancelBatch.done'])).toBeVisible()
  await expect(counted('commandState.cancelled')).toHaveText('1')
  await expect(counted('commandState.done')).toHaveText('1')
  await expect(drawer.locator('header')).toContainText(wire['progress.over'])
  await expect(drawer.getByRole('button', { name: wire['verb.cancelBatch'] })).toHaveAttribute('aria-disabled', 'true')

  const checked = await openRow(page, pathOf('shj/jqzc'), machine.code)
  const part = checked.getByRole('listitem').filter({ hasText: wire['machinePart.light_curtain'] }).first()
  await expect(part).toContainText(wire['check.bad'])
  await expect(part).toContainText(wire['detail.noAnswer'])
  const row = page.getByRole('row').filter({ hasText: machine.code })
  await expect(row).toContainText(wire['checkOutcome.failing'])
  await expect(row).toContainText(wire['machinePart.light_curtain'])
})

/** Opens the question, chooses the slot, and looks once more at what exactly would fall out. */
async function lookAtShip(reason: string): Promise<Locator> {
  const { code } = machine
  // An empty list offers it once more.
  await button(page, wire['ship.open']).first().click()
  const form = formOf(page)
  await field(form, wire['field.id']).fill(code)
  await form.getByRole('option', { name: code }).click()
  await field(form, wire['field.slot']).selectOption(sellingSlot(machine).code)
  await field(form, wire['field.customer']).fill('王女士 3391')
  await button(form, wire['ship.look']).click()
  await expect(field(form, wire['field.reason'])).toHaveAttribute('aria-invalid', 'true')
  await field(form, wire['field.reason']).fill(reason)
  await button(form, wire['ship.look']).click()
  const look = form.getByRole('status').filter({ hasText: wire['ship.free'] })
  await expect(look).toContainText(code)
  return look
}

const stockIn = async (look: Locator): Promise<number> => Number(/现有 (\d+) 件/.exec(await look.innerText())?.[1])

test('a piece is let out from afar with a reason; the machine says that it fell: one less is in stock', async () => {
  const slot = sellingSlot(machine)
  await page.goto(pathOf('jygl/ycchjl'))
  const before = await stockIn(await lookAtShip('顾客现场等候'))
  expect(before).toBeGreaterThan(1)
  await button(formOf(page), wire['ship.send']).click()
  await expect(told(page, wire['ship.done'])).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: '顾客现场等候' })
  await expect(row).toContainText(wire['remoteShipState.sent'])

  const ship = await device.command('ship')
  expect(ship.data.items).toEqual([{ index: 0, slot: slot.code }])
  const orderNo = String(ship.data.orderNo)
  await device.sendAndAck('cmd.ack', { cmdId: ship.cmdId, state: 'received' })
  await device.sendAndAck('vend.received', { orderNo })
  await expect(row).toContainText(wire['remoteShipState.received'])
  const vend = { orderNo, index: 0, slot: slot.code, ok: true, motorCode: '100', sensorCode: '01' }
  expect((await device.sendAndAck('vend.result', vend)).state).toBe('processed')
  await device.sendAndAck('cmd.ack', { cmdId: ship.cmdId, state: 'done' })
  await expect(row).toContainText(wire['remoteShipState.dispensed'])

  await row.getByRole('link').first().click()
  const drawer = drawerOf(page)
  await expect(drawer.locator('header')).toContainText(wire['remoteShipState.dispensed'])
  await expect(drawer).toContainText(wire['sensorCode.01'])
  await expect(drawer).toContainText('顾客现场等候')
  await expect(drawer).toContainText('王女士 3391')
  await page.keyboard.press('Escape')
  expect(await stockIn(await lookAtShip('再看一眼'))).toBe(before - 1)
})
