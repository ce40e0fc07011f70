import { expect, type Page, type Request, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import {
  boardTabs,
  COUNTER_ANIMATION_MS,
  doRegisterClient,
  getBoard,
  MAP_POINTS_KEPT,
  TOOLTIP_HIDE_MS,
} from '@aisle/contract/wallboard/board'
import { getBoardSection } from '@aisle/contract/wallboard/section'
import type { Device } from '../../fleet/src/link/client'
import type { RunningServer } from './kit/harness'
import { cashSale, type Machine, sellingSlot, shopOf, startQuietServer, switchOn } from './kit/machines'

/** Specification 2.4, 4 and 8, wallboard, with a machine that sells only what the test sells. */
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

const sell = async () => {
  const sale = cashSale(sellingSlot(machine))
  expect((await device.sendAndAck('sale', sale)).state).toBe('processed')
  return sale
}

const today = (page: Page) => page.locator('[data-counter=today] [data-part~=digits]')
const tip = (page: Page) => page.locator('[data-part~=map-tip]')
const recent = (page: Page) => page.getByRole('region', { name: words['recent.title'] }).getByRole('listitem')
const fenIn = (text: string) => Math.round(Number(text.replace(/[^\d.]/g, '')) * 100)

/** With its figures and its connection. */
async function openBoard(page: Page, path = '/databases'): Promise<void> {
  await page.goto(server.url + path)
  await expect(page.getByText(words['link.live'].split('{{')[0] ?? '')).toBeVisible()
  await expect(today(page)).toHaveText(/\d/)
}

const tipGone = (page: Page) => expect(tip(page)).toBeHidden({ timeout: TOOLTIP_HIDE_MS + 3_000 })

/** What an element reads, each time it changes. */
const watch = (page: Page, selector: string): Promise<void> =>
  page.evaluate((at) => {
    const seen: { text: string; ms: number }[] = []
    Object.assign(window, { seen })
    const element = document.querySelector(at)
    if (!element) throw new Error(`no ${at}`)
    const note = () => seen.push({ text: element.textContent, ms: performance.now() })
    new MutationObserver(note).observe(element, { subtree: true, childList: true, characterData: true })
  }, selector)
const watched = (page: Page): Promise<{ text: string; ms: number }[]> =>
  page.evaluate(() => (window as unknown as { seen: { text: string; ms: number }[] }).seen)

test('a sale runs up the counters, lights a point and names the product, all without a reload', async ({ page }) => {
  await openBoard(page)
  await tipGone(page)
  const before = fenIn(await today(page).innerText())
  await watch(page, '[data-counter=today] [data-part~=digits]')
  const { paidFen } = await sell()
  await expect(tip(page)).toBeVisible()
  const shownMs = performance.now()
  await expect(tip(page).locator('[data-part~=rank]')).toHaveText('1')
  const product = await recent(page).first().locator('[data-part~=recent-name]').innerText()
  await expect(tip(page)).toContainText(product)
  await expect(tip(page)).toContainText(`¥${(paidFen / 100).toFixed(2)}`)
  await expect.poll(async () => fenIn(await today(page).innerText())).toBe(before + paidFen)

  // Stepwise over about a second and a half, upwards only.
  const steps = await watched(page)
  const values = steps.map(({ text }) => fenIn(text))
  expect(new Set(values).size).toBeGreaterThan(5)
  expect(values).toEqual([...values].sort((a, b) => a - b))
  const tookMs = (steps.at(-1)?.ms ?? 0) - (steps[0]?.ms ?? 0)
  // A busy machine draws the steps later, never sooner.
  expect(tookMs).toBeGreaterThan(COUNTER_ANIMATION_MS * 0.6)
  expect(tookMs).toBeLessThan(COUNTER_ANIMATION_MS * 5)

  await tipGone(page)
  expect(performance.now() - shownMs).toBeGreaterThan(TOOLTIP_HIDE_MS - 1_000)
})

test('pointing at an older sale names it on the map, for five seconds', async ({ page }) => {
  await openBoard(page)
  await tipGone(page)
  const third = recent(page).nth(2)
  await third.hover()
  await expect(tip(page).locator('[data-part~=rank]')).toHaveText('3')
  await expect(tip(page)).toContainText(await third.locator('[data-part~=recent-name]').innerText())
  await tipGone(page)
})

test('no more than the newest 80 points are kept', async ({ page }) => {
  await openBoard(page)
  // As a busy minute brings them: each at a moment of its own, some dozens at a time.
  const startedMs = Date.now() - 100_000
  for (let burst = 0; burst < 4; burst += 1) {
    const acks = Array.from({ length: 25 }, (_, i) => {
      const occurredAt = new Date(startedMs + (burst * 25 + i) * 1_000).toISOString()
      return device.sendAndAck('sale', cashSale(sellingSlot(machine)), { occurredAt })
    })
    expect((await Promise.all(acks)).map(({ state }) => state)).not.toContain('refused')
  }
  await expect(page.getByText(words['map.recent'].replace('{{count}}', String(MAP_POINTS_KEPT)))).toBeVisible()
  await expect(recent(page)).toHaveCount(MAP_POINTS_KEPT)
  await page.reload()
  await expect(recent(page)).toHaveCount(MAP_POINTS_KEPT)
})

test('each tab is reported to the server; impatient clicks report it once', async ({ page }) => {
  const reported: number[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(doRegisterClient.path)) reported.push(request.postDataJSON().type)
  })
  await openBoard(page)
  expect(reported).toEqual([0])
  for (const [type, tab] of boardTabs.entries()) {
    const answer = page.waitForResponse((response) => response.url().endsWith(doRegisterClient.path))
    await page.getByRole('tab', { name: words[`tab.${tab}`], exact: true }).click()
    await expect(page.getByRole('tab', { name: words[`tab.${tab}`], exact: true })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    expect(await (await answer).json()).toMatchObject({ code: 'H0000' })
    expect((await answer).request().postDataJSON()).toMatchObject({ type })
  }
  reported.length = 0
  await page.route(`**${doRegisterClient.path}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await route.continue()
  })
  const merchant = page.getByRole('tab', { name: words['tab.merchant'], exact: true })
  await merchant.click()
  await merchant.click()
  await merchant.click()
  await expect.poll(() => reported).toEqual([boardTabs.indexOf('merchant')])
})

test('the tab that is shown is the last that the server hears of, however slow the way', async ({ page }) => {
  await openBoard(page)
  const arrived: number[] = []
  let letGo = () => undefined as void
  const held = new Promise<void>((done) => {
    letGo = done
  })
  await page.route(`**${doRegisterClient.path}`, async (route) => {
    const { type } = route.request().postDataJSON()
    if (type === boardTabs.indexOf('merchant')) await held
    arrived.push(type)
    await route.continue()
  })
  await page.getByRole('tab', { name: words['tab.merchant'], exact: true }).click()
  await page.getByRole('tab', { name: words['tab.product'], exact: true }).click()
  await expect(page.getByRole('heading', { name: words['section.product.pieces'] })).toBeVisible()
  letGo()
  await expect
    .poll(() => arrived)
    .toEqual(['merchant', 'product'].map((tab) => boardTabs.findIndex((each) => each === tab)))
})

test('amounts come first and can be counts; of the payment methods the ranking comes first', async ({ page }) => {
  await openBoard(page)
  const amount = page.getByRole('button', { name: words['metric.amount'], exact: true })
  const number = page.getByRole('button', { name: words['metric.number'], exact: true })
  await expect(amount).toHaveAttribute('aria-pressed', 'true')
  await number.click()
  await expect(page.getByRole('heading', { name: words['counter.today.number'] })).toBeVisible()
  await expect(today(page)).toHaveText(/^[\d,]+$/)
  const views = page.getByRole('tablist', { name: words['pay.title'] })
  await expect(views.getByRole('tab', { name: words['pay.ranking'] })).toHaveAttribute('aria-selected', 'true')
  await views.getByRole('tab', { name: words['pay.detail'] }).click()
  const table = page.getByRole('tabpanel', { name: words['pay.detail'] }).getByRole('table')
  for (const method of ['alipay', 'wechat', 'unionpay', 'pickup_code', 'member_card', 'cash', 'other'] as const) {
    await expect(table.getByRole('rowheader', { name: words[`method.${method}`], exact: true })).toBeVisible()
  }
  await views.getByRole('tab', { name: words['pay.share'] }).click()
  await expect(page.getByRole('tabpanel', { name: words['pay.share'] }).getByRole('img')).toHaveAccessibleName(/%/)
})

test('the clock goes by the second, and the display edition has no way out', async ({ page }) => {
  await openBoard(page, '/databaseszd')
  const clock = page.locator('[data-part~=wall-time]')
  const first = await clock.innerText()
  await expect(clock).not.toHaveText(first)
  await expect(page.getByRole('link')).toHaveCount(0)
})

test('without a network the board says so in the words of the specification, and goes on when it is back', async ({
  page,
  context,
}) => {
  await openBoard(page)
  await context.setOffline(true)
  await page.getByRole('tab', { name: words['tab.product'], exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText(/^error:.*请检查网络连接$/)
  await context.setOffline(false)
  await page.getByRole('tab', { name: words['tab.sales'], exact: true }).click()
  const before = fenIn(await today(page).innerText())
  const { paidFen } = await sell()
  await expect.poll(async () => fenIn(await today(page).innerText())).toBe(before + paidFen)
})

test('a wall whose machine slept asks at once, not with the next minute', async ({ page }) => {
  await page.clock.install()
  await openBoard(page)
  // Twenty seconds later the minute would be over anyway.
  const isBoard = (request: Request) => new URL(request.url()).pathname === getBoard.path
  const asked = page.waitForRequest(isBoard, { timeout: 8_000 })
  await page.clock.fastForward(40_000)
  await asked
})

test('a section that can not be read is out of date, though everything else is heard', async ({ page }) => {
  await page.clock.install()
  await openBoard(page)
  await page.getByRole('tab', { name: words['tab.product'], exact: true }).click()
  await expect(page.getByRole('heading', { name: words['section.product.pieces'] })).toBeVisible()
  await page.route(`**${getBoardSection.path}*`, (route) => route.abort())
  const heard = page.waitForResponse((response) => new URL(response.url()).pathname === getBoard.path)
  await page.clock.fastForward(100_000)
  await heard
  await expect(page.locator('[data-freshness=stale]')).toBeVisible()
})
