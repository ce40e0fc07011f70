import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, filled, formOf, signedIn, told } from '../kit/desk'
import { type RunningServer, startSeeded } from '../kit/harness'

/** A range of five thousand comes as a sheet, of which thirty-seven lines are wrong. */
test.describe.configure({ mode: 'serial' })
test.setTimeout(240_000)
/** Reading and judging five thousand lines takes its time on a machine that has other work. */
const judged = expect.configure({ timeout: 60_000 })

const { admin: kit, catalog: words } = catalogs.zh
const LINES = 5_000
const wrong = (n: number) => n % 137 === 5
const WRONG = Array.from({ length: LINES }, (_, n) => n).filter(wrong).length
let server: RunningServer
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startSeeded()
  page = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await page.context().close()
  await server.stop()
})

const columns = ['code', 'name', 'costFen', 'priceFen', 'specification'] as const
const lineOf = (n: number) => `BULK-${n},批量饮料 ${n},1.50,${wrong(n) ? '三块' : '3.00'},330 ml`
const sheet = {
  name: 'range.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      columns.map((each) => words[`field.${each}`]).join(','),
      ...Array.from({ length: LINES }, (_, n) => lineOf(n)),
    ].join('\r\n'),
  ),
}

test('the wrong lines are named, the good ones come in, and mended lines come in later', async () => {
  expect(WRONG).toBe(37)
  await page.goto(screenOf('spgl/wdsp').path)
  await button(page, words.import).click()
  const form = formOf(page)
  const file = form.getByLabel(kit['sheet.choose'])
  await file.setInputFiles(sheet)
  const counts = { rows: '5,000', good: '4,963', faults: WRONG }
  await judged(form.getByRole('status')).toHaveText(filled(kit['sheet.judged'], counts))
  const faults = form.getByRole('list', { name: kit['sheet.faults'] }).getByRole('listitem')
  await expect(faults).toHaveCount(WRONG)
  await expect(faults.first()).toContainText(filled(kit['sheet.row'], { row: 7 }))
  await expect(faults.first()).toContainText('BULK-5')
  await expect(faults.first()).toContainText(words['field.priceFen'])
  await expect(faults.first()).toContainText(words['import.money'])
  await button(form, filled(words['import.take'], { count: 4963 })).click()
  await expect(told(page, filled(words['import.doneBut'], { count: 4963, left: WRONG }))).toBeVisible({
    timeout: 60_000,
  })

  await button(page, words.import).click()
  await file.setInputFiles(sheet)
  await judged(form.getByRole('status')).toHaveText(
    filled(kit['sheet.judged'], { rows: '5,000', good: 0, faults: '5,000' }),
  )
  await expect(button(form, filled(words['import.take'], { count: 0 }))).toHaveAttribute('aria-disabled', 'true')
})

test('what came in is found, is offline without a picture, and says who brought it', async () => {
  await page.goto(`${screenOf('spgl/wdsp').path}?code=BULK-6`)
  await page.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  await expect(drawerOf(page)).toContainText('BULK-6')
  await expect(drawerOf(page).getByText(words['productState.offline'], { exact: true })).toBeVisible()
  await drawerOf(page).getByRole('tab', { name: words['product.tab.history'] }).click()
  await expect(drawerOf(page)).toContainText(catalogs.zh.audit['action.catalog.importProducts'])
  await expect(field(page, words['field.q'])).toBeVisible()
})
