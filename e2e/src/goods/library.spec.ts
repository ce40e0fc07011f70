import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, formOf, openRow, send, signedIn, told } from '../kit/desk'
import type { RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'
import { query } from '../kit/harness'

/** What the platform knows is copied, added to, judged, and bettered without anything being overwritten. */
test.describe.configure({ mode: 'serial' })

const { catalog: words, admin: kit } = catalogs.zh
const LIBRARY = screenOf('spgl/ptspk').path
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

test('three are copied at once with codes and prices of one’s own, each with its outcome', async () => {
  await page.goto(`${LIBRARY}?copied=no`)
  const boxes = page.getByRole('table').getByRole('checkbox')
  await expect(boxes.nth(3)).toBeVisible()
  for (const at of [1, 2, 3]) await boxes.nth(at).check()
  await page
    .getByRole('group', { name: kit.batch })
    .getByRole('button', { name: words['verb.copyLibraryItems'] })
    .click()
  const form = formOf(page)
  await field(form, words['field.merchantId']).fill('平台')
  await expect(formOf(page).getByRole('listbox').getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await field(form, words['field.codePrefix']).fill('E2E')
  await field(form, words['field.costFen']).fill('1.80')
  await field(form, words['field.priceFen']).fill('3.60')
  await send(page, words['verb.copyLibraryItems'])
  await expect(form.getByText(words['outcome.done'])).toHaveCount(3)
  const made = await query<{ price: number }>(
    server,
    `select price_fen as price from product where code like 'E2E%'`,
    [],
  )
  expect(made.map(({ price }) => Number(price))).toEqual([360, 360, 360])
})

test('what a merchant added waits in the bar, is judged, and is then everybody’s', async () => {
  const [waiting] = await query<{ name: string }>(
    server,
    `select name from library_item where state = 'pending_with_picture' order by id limit 1`,
    [],
  )
  const drawer = await openRow(page, `${LIBRARY}?part=additions`, waiting?.name ?? '')
  await button(drawer, words['verb.checkAddition']).click()
  await send(page, words['verb.checkAddition'])
  await expect(told(page, words['verb.checkAddition.done'])).toBeVisible()
  await expect(drawerOf(page)).toContainText(words['libraryState.checked'])
  await page.goto(`${LIBRARY}?q=${encodeURIComponent(waiting?.name ?? '')}`)
  await expect(page.getByRole('cell', { name: waiting?.name ?? '', exact: true }).first()).toBeVisible()
})

test('a change of the library is decided field by field', async () => {
  await page.goto(`${LIBRARY}?part=changes`)
  const card = page.getByRole('region').filter({ hasText: '（新包装）' }).first()
  await button(card, words['verb.takeLibraryChange']).click()
  await expect(formOf(page).getByRole('checkbox', { name: words['field.specification'] })).toBeChecked()
  await send(page, words['verb.takeLibraryChange'])
  await expect(page.getByText(words['library.noChanges'], { exact: true })).toBeVisible()
  const taken = await query(server, `select 1 from product where specification like '%（新包装）'`, [])
  expect(taken).toHaveLength(1)
})
