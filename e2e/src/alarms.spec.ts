import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import type { Device } from '../../fleet/src/link/client'
import { button, drawerOf, field, filled, formOf, send, signedIn, told } from './kit/desk'
import type { RunningServer } from './kit/harness'
import { type Machine, sellingSlot, shopsSeenBy, type Slot, startQuietServer, switchOn } from './kit/machines'

/** From a fault that a machine says to the repair that proves itself; and what a fault that stays does. */
test.describe.configure({ mode: 'serial' })

const { alarm: words, device: wire, maintenance: work } = catalogs.zh
const pathOf = (key: string): string => screenOf(key).path
let server: RunningServer
let machine: Machine
let slot: Slot
let device: Device
/** One person at two screens: the alarms stay open while the work is done at the other. */
let alarms: Page
let repair: Page
/** Where the order is read again. */
let orderAddress: string
let firstAlarm: string | null

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  const [shop] = await shopsSeenBy(server, 'maintainer')
  if (!shop) throw new Error('the fitter sees no shop')
  machine = shop
  slot = sellingSlot(machine)
  device = await switchOn(server, machine)
  alarms = await signedIn(browser, 'maintainer', server.url)
  repair = await signedIn(browser, 'maintainer', server.url)
})
test.afterAll(async () => {
  for (const page of [alarms, repair]) await page.context().close()
  await device.close()
  await server.stop()
})

const sayFault = () => device.send('heartbeat', { uptime: 60, faults: [`slot ${slot.code} motor 102`] })

/** The fault of this slot among the alarms of the machine. */
const faultRow = (): Locator =>
  alarms
    .getByRole('row')
    .filter({ hasText: words['cause.slot_fault'] })
    .filter({ has: alarms.getByRole('cell', { name: slot.code, exact: true }) })

const openAlarmId = () => new URL(alarms.url()).searchParams.get('open')
const isSame = () => alarms.evaluate(() => 'isSame' in window)

test('a fault that a machine says stands among the alarms without a reload, in words', async () => {
  await alarms.goto(`${pathOf('shj/jqbj')}?q=${machine.code}`)
  await expect(alarms.getByRole('heading', { level: 1 })).toBeVisible()
  await alarms.evaluate(() => Object.assign(window, { isSame: true }))
  await sayFault()
  await expect(faultRow()).toContainText(machine.code)
  await expect(faultRow()).toContainText(filled(words['detail.slot_fault'], { code: '102' }))
  await expect(faultRow()).toContainText(words['level.warning'])
  await expect(faultRow()).toContainText(words['alarmState.open'])
  expect(await isSame()).toBe(true)
})

test('the fitter says that they know, and opens and begins the work; untested it is not finished', async () => {
  await faultRow().getByRole('link').first().click()
  const drawer = drawerOf(alarms)
  await button(drawer, words['verb.acknowledgeAlarms']).click()
  await expect(formOf(alarms)).toContainText(words['verb.acknowledgeAlarms.ask'])
  await send(alarms, words['verb.acknowledgeAlarms'])
  await expect(told(alarms, words['verb.acknowledgeAlarms.done'])).toBeVisible()
  await expect(drawer.locator('header')).toContainText(words['alarmState.acknowledged'])
  await expect(drawer).toContainText(filled(words['event.acknowledge'], { who: '韩铁林' }))
  firstAlarm = openAlarmId()

  await button(drawer, work['verb.addRepairOrder']).click()
  const form = formOf(alarms)
  await expect(field(form, work['field.slots'])).toHaveValue(slot.code)
  await expect(field(form, work['field.problem'])).toHaveValue(new RegExp(words['cause.slot_fault']))
  await send(alarms, work['verb.addRepairOrder'])
  await expect(told(alarms, work['verb.addRepairOrder.done'])).toBeVisible()
  const order = drawer.getByRole('link', { name: /^#\d+$/ })
  orderAddress = (await order.getAttribute('href')) ?? ''

  await repair.goto(orderAddress)
  const sheet = drawerOf(repair)
  await button(sheet, work['verb.startRepairOrder']).click()
  await expect(sheet.locator('header')).toContainText(work['repairOrderState.in_progress'])
  await expectUntested()
})

const finish = () =>
  drawerOf(repair).getByRole('button', { name: new RegExp(`^${work['verb.finishRepairOrder']}( |$)`) })

async function expectUntested(): Promise<void> {
  const sheet = drawerOf(repair)
  const tests = sheet.locator('section').filter({ hasText: work['section.tests'] }).getByRole('listitem')
  await expect(tests).toContainText([slot.code])
  await expect(tests).toContainText([work['test.missing']])
  await expect(finish()).toHaveAttribute('aria-disabled', 'true')
  await expect(finish()).toContainText(work['verb.finishRepairOrder.not'])
  await finish().focus()
  await repair.keyboard.press('Enter')
  await expect(formOf(repair)).toHaveCount(0)
}

/** The machine turns the motor that it is asked to turn. */
async function turn(isGood: boolean): Promise<void> {
  const command = await device.command('test_vend')
  expect(command.data).toEqual({ slot: slot.code, putsBack: true })
  await device.sendAndAck('cmd.ack', { cmdId: command.cmdId, state: 'received' })
  const result = isGood
    ? { ok: true, motorCode: '100', sensorCode: '01', durationMs: 2400 }
    : { ok: false, motorCode: '102', sensorCode: '03', durationMs: 5000 }
  await device.sendAndAck('cmd.ack', { cmdId: command.cmdId, state: isGood ? 'done' : 'failed', result })
}

async function askForTest(reason: string): Promise<void> {
  // Not by its label alone: the drawer that is left is called by the slot's fault, and goes when the page is there.
  await expect(repair.getByRole('combobox', { name: wire['field.slot'] })).toHaveValue(slot.code)
  await field(repair, wire['field.reason']).fill(reason)
  await button(repair, filled(wire['test.run'], { count: 1 })).click()
}

test('the slot is tested until it passes, and only then is the work finished', async () => {
  await drawerOf(repair).getByRole('link', { name: work['test.go'] }).click()
  await askForTest('换了电机')
  const results = repair.getByRole('region', { name: filled(wire['test.results'], { code: machine.code }) })
  await expect(results).toContainText(wire['testSlotState.running'])
  await turn(false)
  await expect(results).toContainText(wire['testSlotState.failed'])
  await expect(results).toContainText(wire['motorCode.102'])
  await repair.goto(orderAddress)
  await expectUntested()

  await drawerOf(repair).getByRole('link', { name: work['test.go'] }).click()
  await askForTest('重新插紧插头')
  await turn(true)
  await expect(results).toContainText(wire['testSlotState.passed'])
  const orderNo = Number(new URL(orderAddress, repair.url()).searchParams.get('open'))
  await repair.getByRole('link', { name: filled(wire['test.backToOrder'], { order: orderNo }) }).click()
  await expect(drawerOf(repair)).toContainText(work['test.passed'])
  await finish().click()
  await field(formOf(repair), work['field.solution']).fill('更换电机，插紧插头')
  await send(repair, work['verb.finishRepairOrder'])
  await expect(told(repair, work['verb.finishRepairOrder.done'])).toBeVisible()
  await expect(drawerOf(repair).locator('header')).toContainText(work['repairOrderState.done'])
})

test('closing the work closes its alarm; a fault that is said again opens a new one', async () => {
  await button(drawerOf(repair), work['verb.closeRepairOrder']).last().click()
  await expect(formOf(repair)).toContainText(work['verb.closeRepairOrder.ask'])
  await send(repair, work['verb.closeRepairOrder'])
  await expect(drawerOf(repair).locator('header')).toContainText(work['repairOrderState.closed'])
  await expect(drawerOf(alarms).locator('header')).toContainText(words['alarmState.closed'])
  await expect(faultRow()).toHaveCount(0)
  expect(await isSame()).toBe(true)

  await sayFault()
  await expect(faultRow()).toContainText(words['alarmState.open'])
  await faultRow().getByRole('link').first().click()
  await expect(drawerOf(alarms).locator('header')).toContainText(words['alarmState.open'])
  expect(openAlarmId()).not.toBe(firstAlarm)
  expect(await isSame()).toBe(true)
})
