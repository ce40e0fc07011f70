import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, formOf, signedIn } from '../kit/desk'
import type { RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** A machine is counted by one, again by another, looked at and posted; the machine is told. */
test.describe.configure({ mode: 'serial' })

const { counting: words, admin: kit } = catalogs.zh
const SLOTS = screenOf('kcpd/jqhdkcpd').path
let server: RunningServer
let first: Page
let second: Page

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000)
  server = await startQuietServer()
  first = await signedIn(browser, 'admin', server.url)
  second = await signedIn(browser, 'deputy', server.url)
})
test.afterAll(async () => {
  await first.context().close()
  await second.context().close()
  await server.stop()
})

const openNewest = async (page: Page) => {
  await page.goto(`${server.url}${SLOTS}?part=counts`)
  await page.getByRole('table').getByRole('link', { name: /^PD/ }).first().click()
  return drawerOf(page)
}
const sheetOf = (page: Page) => page.locator('[data-part=count-sheet]')

test('slots that somebody ticks are counted blind', async () => {
  await first.goto(`${server.url}${SLOTS}`)
  const rows = first
    .getByRole('table')
    .getByRole('row')
    .filter({ has: first.getByRole('checkbox') })
  await rows.nth(1).getByRole('checkbox').check()
  await button(first.getByRole('group', { name: kit.batch }), words['verb.openSlotCounts']).click()
  await button(formOf(first), words['verb.openSlotCounts']).click()
  await expect(formOf(first).getByRole('listitem').first()).toContainText(words['outcome.done'])
  await formOf(first).getByRole('button').first().click()
  const drawer = await openNewest(first)
  await expect(drawer).toContainText(words['count.blind'])
  await expect(drawer).not.toContainText(words['count.difference'])
  await button(drawer, words['sheet.open']).click()
  await sheetOf(first).getByRole('textbox').first().fill('99')
  await sheetOf(first)
    .getByRole('button', { name: words['sheet.save'].split(' ')[0] ?? '' })
    .click()
  await expect(sheetOf(first)).toBeHidden()
  await button(drawer, words['verb.finishCount']).click()
  await button(formOf(first), words['verb.finishCount']).click()
  await expect(drawer).toContainText(words['countState.recounting'])
})

test('another person counts again, says why and posts it', async () => {
  const drawer = await openNewest(second)
  await button(drawer, words['sheet.again']).click()
  await sheetOf(second).getByRole('textbox').first().fill('98')
  await sheetOf(second)
    .getByRole('button', { name: words['sheet.save'].split(' ')[0] ?? '' })
    .click()
  await expect(sheetOf(second)).toBeHidden()
  await button(drawer, words['verb.finishCount']).click()
  await button(formOf(second), words['verb.finishCount']).click()
  await button(drawer, words['verb.explainAll']).click()
  await button(formOf(second), words['verb.explainAll']).click()
  const reviewed = await openNewest(first)
  await button(reviewed, words['verb.postCount']).click()
  await button(formOf(first), words['verb.postCount']).click()
  await expect(reviewed).toContainText(words['countState.posted'])
})
