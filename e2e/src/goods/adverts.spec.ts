import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { readConfig, readFleetFile } from '../../../fleet/src/config'
import { type Fleet, startFleet } from '../../../fleet/src/fleet'
import { type Clock, systemClock } from '../../../fleet/src/machine/clock'
import { button, drawerOf, field, formOf, openRow, pickOneOf, send, signedIn, told } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { machinesOf, startQuietServer } from '../kit/machines'
import { phonePhoto } from '../kit/photo'

/** A picture from its file to the screen of a machine, by two people and a machine that really fetches it. */
test.describe.configure({ mode: 'serial' })

const { advert: words } = catalogs.zh
const path = screenOf('gggl/cgggl').path
const NAME = 'E2E 柠檬茶'
const BOOKING = 'E2E 柠檬茶十一月'
let server: RunningServer
let maker: Page
let reviewer: Page
let fleet: Fleet | undefined

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  // The demo's own address is nobody's here: machines are told paths of the server that they know.
  await query(server, `delete from setting where key = 'site.address' returning key`, [])
  maker = await signedIn(browser, 'admin', server.url)
  reviewer = await signedIn(browser, 'deputy', server.url)
})
test.afterAll(async () => {
  await fleet?.stop()
  for (const page of [maker, reviewer]) await page.context().close()
  await server.stop()
})

const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format()

test('a zip that is called a video is refused; a picture is sent and waits for somebody else', async () => {
  await maker.goto(`${path}?part=creatives`)
  await button(maker, words['verb.addCreative']).click()
  const form = formOf(maker)
  const file = form.locator('input[type=file]')
  await field(form, words['field.name']).fill(NAME)
  const zip = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), Buffer.alloc(900_000)])
  await file.setInputFiles({ name: 'tea.mp4', mimeType: 'video/mp4', buffer: zip })
  await expect(form).toContainText(words['upload.sent'].replace('{{name}}', 'tea.mp4'))
  await send(maker, words['verb.addCreative'])
  await expect(form).toContainText(words['refusal.creative.notMedia'])
  await file.setInputFiles({ name: 'tea.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto(maker) })
  await expect(form).toContainText(words['upload.sent'].replace('{{name}}', 'tea.jpg'))
  await send(maker, words['verb.addCreative'])
  await expect(told(maker, words['verb.addCreative.done'])).toBeVisible()
  const drawer = await openRow(maker, `${path}?part=creatives`, NAME)
  await expect(
    button(drawer, `${words['verb.approveCreative']} · ${words['verb.approveCreative.not']}`),
  ).toHaveAttribute('aria-disabled', 'true')
  await expect(drawer.getByRole('img', { name: NAME })).toHaveJSProperty('complete', true)
})

test('another person approves it', async () => {
  const drawer = await openRow(reviewer, `${path}?part=creatives`, NAME)
  await button(drawer, words['verb.approveCreative']).click()
  await send(reviewer, words['verb.approveCreative'])
  await expect(told(reviewer, words['verb.approveCreative.done'])).toBeVisible()
  await expect(drawer).toContainText(words['creativeState.live'])
})

test('it is booked for one machine, which fetches it, plays it and says so', async () => {
  const [machine] = machinesOf(server).filter(({ category }) => category !== 'medicine')
  if (!machine) throw new Error('the demo has no machine')
  await maker.goto(path)
  await button(maker, words['verb.addBooking']).click()
  const form = formOf(maker)
  await field(form, words['field.name']).fill(BOOKING)
  await field(form, words['field.advertiser']).fill('柠檬茶厂')
  await pickOneOf(maker, words['field.creativeIds'], NAME)
  await pickOneOf(maker, words['field.machineIds'], machine.code)
  await expect(form).toContainText(words['preview.machines'].replace('{{count}}', '1'))
  await field(form, words['field.startsOn']).fill(today())
  await field(form, words['field.endsOn']).fill(today())
  await field(form, words['field.priceFen']).fill('0.10')
  await send(maker, words['verb.addBooking'])
  await expect(told(maker, words['verb.addBooking.done'])).toBeVisible()
  const drawer = await openRow(maker, path, BOOKING)
  await expect(drawer).toContainText(words['bookingProblem.notTaken'])
  await switchOn(machine.code)
  const line = drawer.getByRole('listitem').filter({ hasText: machine.code })
  await expect(line).toContainText(words['booking.playing'], { timeout: 30_000 })
  await expect(drawerOf(maker)).not.toContainText(words['bookingProblem.notTaken'])
})

/** A machine takes up to 40 seconds over a file. */
const fastClock: Clock = { ...systemClock, steadyMs: () => performance.now() * 30 }

/** The machine as a program that obeys; nobody buys from it meanwhile. */
async function switchOn(code: string): Promise<void> {
  const quiet = ['--rate', '0', '--offline', '0', '--replay-within', '0', '--no-refill', '--server', server.url]
  const config = readConfig(['--data-dir', server.place.dataDir, '--url', server.mqttUrl, ...quiet], {})
  const file = readFleetFile(config)
  if (!file) throw new Error('the demo network left no fleet file')
  const machines = file.machines.filter((each) => each.code === code)
  fleet = await startFleet(config, { ...file, machines }, fastClock)
}
