import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { getReplaySpan } from '@aisle/contract/wallboard/replay'
import type { Device } from '../../fleet/src/link/client'
import { button, filled, signedIn } from './kit/desk'
import { query, type RunningServer } from './kit/harness'
import { cashSale, type Machine, sellingSlot, shopOf, startQuietServer, switchOn } from './kit/machines'

/** What a board shows beside the present: a day once more, other countries, and the order behind a point. */
test.describe.configure({ mode: 'serial' })

const words = catalogs.zh.wallboard
let server: RunningServer
let machine: Machine
let device: Device

test.beforeAll(async () => {
  server = await startQuietServer()
  machine = shopOf(server)
  device = await switchOn(server, machine)
})
test.afterAll(async () => {
  await device.close()
  await server.stop()
})

const counter = (page: Page, name: 'total' | 'today') => page.locator(`[data-counter=${name}] [data-part~=digits]`)
const fenIn = (text: string) => Math.round(Number(text.replace(/[^\d.]/g, '')) * 100)

async function openBoard(page: Page): Promise<void> {
  await page.goto(`${server.url}/databases`)
  await expect(counter(page, 'today')).toHaveText(/\d/)
}

test('a day runs by again up to exactly what its orders were, and says all the while that it is no live board', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin', server.url)
  await openBoard(page)
  const wayOut = page.getByRole('link', { name: words['back.home'] })
  const before = await wayOut.boundingBox()
  await button(page, words['replay.open']).click()
  const bar = page.getByRole('region', { name: words['replay.title'] })
  await expect(bar.getByRole('status')).toHaveText(words['replay.about'])
  // A second press at the same place leads nowhere.
  expect(await wayOut.boundingBox()).toEqual(before)
  const day = await bar.getByLabel(words['replay.day']).inputValue()
  const [sold] = await query<{ fen: string }>(
    server,
    `select sum(paid_fen) as fen from orders where paid_at is not null
      and (occurred_at at time zone 'Asia/Shanghai')::date = $1::date`,
    [day],
  )
  const wholeFen = Number(sold?.fen)
  expect(wholeFen).toBeGreaterThan(0)
  await expect.poll(async () => fenIn(await counter(page, 'total').innerText())).toBe(wholeFen)

  await bar.getByLabel(words['replay.seek']).fill('720')
  await expect(bar.locator('time')).toHaveText(/^12:0/)
  await button(bar, words['replay.pause']).click()
  const [noon] = await query<{ fen: string }>(
    server,
    `select sum(paid_fen) as fen from orders where paid_at is not null
      and (occurred_at at time zone 'Asia/Shanghai')::date = $1::date
      and (occurred_at at time zone 'Asia/Shanghai')::time < '12:00'`,
    [day],
  )
  await bar.getByLabel(words['replay.seek']).fill('720')
  await expect.poll(async () => fenIn(await counter(page, 'today').innerText())).toBe(Number(noon?.fen))

  await button(bar, words['replay.play']).click()
  await button(bar, '600×').click()
  await bar.getByLabel(words['replay.seek']).fill('1410')
  await expect(bar.getByRole('status')).toHaveText(words['replay.end'], { timeout: 40_000 })
  await expect.poll(async () => fenIn(await counter(page, 'today').innerText())).toBe(wholeFen)

  await button(bar, words['replay.leave']).click()
  await expect(bar).toHaveCount(0)
  await expect(page.getByRole('heading', { name: words['counter.today.amount'] })).toBeVisible()
  await page.context().close()
})

test('who has no session is offered no replay', async ({ page }) => {
  await openBoard(page)
  await expect(button(page, words['replay.open'])).toHaveCount(0)
})

test('a machine abroad brings a map of the world, and no point onto the map of China', async ({ page }) => {
  await openBoard(page)
  const view = page.getByRole('group', { name: words['map.view'] })
  await expect(view).toHaveCount(0)
  await query(server, `update machine set country = 'FR' where code = $1`, [machine.code])
  await query(
    server,
    `update point set longitude = 2.374, latitude = 48.845 where id = (select point_id from machine where code = $1)`,
    [machine.code],
  )
  expect((await device.sendAndAck('sale', cashSale(sellingSlot(machine)))).state).toBe('processed')
  await page.reload()
  const ofChina = page.getByRole('img', { name: words['map.label'].split('{{')[0] ?? '' })
  await expect(ofChina).toBeVisible()
  const named = async () => (await ofChina.getAttribute('aria-label')) ?? ''
  const recent = page.getByRole('region', { name: words['recent.title'] }).getByRole('listitem')
  await expect(recent).not.toHaveCount(0)
  const shown = await recent.count()
  expect(await named()).not.toBe(filled(words['map.label'], { count: shown }))
  await view.getByRole('button', { name: words['map.world'] }).click()
  await expect(page.getByRole('img', { name: filled(words['map.worldLabel'], { count: shown }) })).toBeVisible()
  await view.getByRole('button', { name: words['map.china'] }).click()
  await expect(ofChina).toBeVisible()
  await query(server, `update machine set country = 'CN' where code = $1`, [machine.code])
})

test('with a session, a press on the newest point opens its order', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', server.url)
  await query(
    server,
    `update point set longitude = 116.4, latitude = 39.9 where id = (select point_id from machine where code = $1)`,
    [machine.code],
  )
  expect((await device.sendAndAck('sale', cashSale(sellingSlot(machine), 'POINT-1'))).state).toBe('processed')
  await openBoard(page)
  const newest = page.locator('[data-part~=map-newest]')
  await expect(newest).toBeAttached()
  const place = await newest.boundingBox()
  if (!place) throw new Error('the newest point is nowhere')
  await page.mouse.click(place.x, place.y)
  await expect(page).toHaveURL(new RegExp(`${screenOf('jygl/ddgl').path}\\?open=\\d+`))
  await expect(page.getByText(`${machine.code}-POINT-1`).first()).toBeVisible()
  await page.context().close()
})

test('who has no pointer opens the order from the list', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', server.url)
  await openBoard(page)
  expect((await device.sendAndAck('sale', cashSale(sellingSlot(machine), 'POINT-2'))).state).toBe('processed')
  await page.reload()
  const newest = page.getByRole('region', { name: words['recent.title'] }).getByRole('button').first()
  await newest.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${screenOf('jygl/ddgl').path}\\?open=\\d+`))
  await expect(page.getByText(`${machine.code}-POINT-2`).first()).toBeVisible()
  await page.context().close()
})

test('a replay whose orders can not be read says so, asks again after a while and then goes on', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin', server.url)
  await page.clock.install()
  await openBoard(page)
  let asked = 0
  const spans = `**${getReplaySpan.path}*`
  await page.route(spans, (route) => {
    asked += 1
    return route.abort()
  })
  await button(page, words['replay.open']).click()
  const note = page.getByRole('region', { name: words['replay.title'] }).getByRole('status')
  await expect(note).toHaveText(words['replay.failed'])
  asked = 0
  await page.clock.runFor(2_500)
  expect(asked).toBe(0)
  await page.unroute(spans)
  await page.clock.runFor(5_000)
  await expect(note).toHaveText(words['replay.about'])
  await page.context().close()
})
