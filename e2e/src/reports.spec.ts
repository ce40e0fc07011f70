import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, formOf, send, signedIn, told } from './kit/desk'
import { query, type RunningServer } from './kit/harness'
import { startQuietServer } from './kit/machines'

/** Figures that say the same wherever they stand, and lead to what they were made of. */
test.describe.configure({ mode: 'serial' })

const { admin, report: words, trade } = catalogs.zh
const pathOf = (key: string): string => screenOf(key).path
let server: RunningServer
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  page = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await page.context().close()
  await server.stop()
})

const totals = (): Locator => page.getByRole('region', { name: words.figures })
/** Yuan as people read them, the first in a text. */
const amountIn = async (within: Locator): Promise<string> => /[\d,]+\.\d\d/.exec(await within.innerText())?.[0] ?? ''

test('the overview, the summary and the orders behind it come to the same amount', async () => {
  await page.goto(pathOf('jygl/gk'))
  await page.getByRole('button', { name: admin['preset.yesterday'], exact: true }).click()
  await expect(page).toHaveURL(/from=/)
  await expect(page.getByRole('heading', { level: 2, name: words['chart.trend'] })).toBeVisible()
  const paid = totals().getByRole('link', { name: words['field.paidFen'] })
  await expect(page.locator('[data-part~=overview][aria-busy=false]')).toBeVisible()
  const amount = await amountIn(paid)
  expect(Number(amount.replaceAll(',', ''))).toBeGreaterThan(0)
  await paid.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(catalogs.zh.screens['jygl/ddgl'])
  await expect(page.locator('[data-part~=list-tools] [data-part~=figures]')).toContainText(amount)
  const { search } = new URL(page.url())
  const day = new URLSearchParams(search).get('from') ?? ''
  await page.goto(`${pathOf('jygl/jyhz')}?from=${day}&to=${day}&by=machine`)
  await expect(page.locator('[data-part~=list-tools] [data-part~=figures]')).toContainText(amount)
})

test('a product opens its machines, and a machine of it its orders', async () => {
  await page.goto(pathOf('jygl/sptj'))
  const first = page.getByRole('table').getByRole('row').nth(1)
  const name = await first.getByRole('link').first().innerText()
  await first.getByRole('link', { name }).click()
  await expect(page.getByRole('button', { name: words['by.machine'] })).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/productCode=/)
  const machine = page.getByRole('table').getByRole('row').nth(1)
  const quantity = Number(await machine.getByRole('link').nth(1).innerText())
  expect(quantity).toBeGreaterThan(0)
  await machine.getByRole('link').nth(1).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(catalogs.zh.screens['jygl/ddgl'])
  await expect(page.getByLabel(trade['field.productCode'])).not.toHaveValue('')
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText(name)
})

test('how whole the figures are stands above every report, and silent machines can be looked at', async () => {
  await query(
    server,
    `update machine_state set is_connected = false, last_seen_at = now() - interval '1 day'
    where machine_id = (select min(id) from machine where retired_at is null)`,
  )
  for (const key of ['jygl/gk', 'jygl/jyhz', 'jygl/sjhz', 'jygl/ypxstj', 'jygl/ywlxtj']) {
    await page.goto(pathOf(key))
    await expect(page.getByLabel(words.whole)).toContainText(words['whole.silent'].slice(-5))
  }
  await page.getByLabel(words.whole).getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(catalogs.zh.screens['shj/ztcx'])
})

test('an export that is right is kept as a report, made again by hand, and its file is there', async () => {
  await page.goto(`${pathOf('jygl/jyhz')}?by=machine`)
  // What it all comes to stands beside the button, and moves it when it is known.
  await expect(page.locator('[data-part~=list-tools] [data-part~=figures]')).toContainText(/\d\.\d\d/)
  await button(page, admin['export.button']).click()
  await page.getByRole('menuitem', { name: admin['export.csv'] }).click()
  await page.goto(pathOf('tjfx/bbdc'))
  await page.getByRole('table').getByRole('link').first().click()
  await button(drawerOf(page), words['verb.keepReport']).click()
  await field(formOf(page), words['field.name']).fill('每周机器销售')
  await field(formOf(page), words['field.period']).selectOption('lastWeek')
  await field(formOf(page), words['field.cadence']).selectOption('weekly')
  await send(page, words['verb.keepReport'])
  await expect(told(page, words['verb.keepReport.done'])).toBeVisible()

  await page.getByRole('link', { name: words['part.kept'], exact: true }).click()
  await page.getByRole('table').getByRole('link', { name: '每周机器销售' }).click()
  await expect(drawerOf(page)).toContainText(words['cadence.weekly'])
  await button(drawerOf(page), words['verb.runKeptReport']).click()
  await expect(drawerOf(page).getByRole('listitem')).toContainText(words['state.done'], { timeout: 30_000 })
})
