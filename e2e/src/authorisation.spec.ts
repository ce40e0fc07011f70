import { catalogs } from '@aisle/contract/catalogs'
import { expect, type Page, test } from '@playwright/test'
import type { RunningServer } from './kit/harness'
import { startQuietServer } from './kit/machines'
import { openVisit, signInAs } from './kit/visit'

/** A merchant's administrator hands machines out, and whoever got them sees them. */
test.describe.configure({ mode: 'serial' })

const { sight, fleet } = catalogs.zh
const PERSON = '周小满'
let server: RunningServer
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  const visit = await openVisit(browser, { language: 'zh', theme: 'light', width: 1440 }, server.url)
  page = visit.page
  await signInAs(page, 'merchant')
})
test.afterAll(async () => {
  await page.context().close()
  await server.stop()
})

const verb = (name: 'grant' | 'revoke') => page.getByRole('button', { name: sight[`verb.${name}`], exact: true })

async function forAll(name: 'grant' | 'revoke'): Promise<void> {
  await page.getByRole('button', { name: /^选择符合条件的全部/ }).click()
  await verb(name).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(PERSON)
  await dialog.getByRole('button', { name: sight[`verb.${name}`], exact: true }).click()
  await expect(dialog).toBeHidden()
}

test('all machines that a filter finds are taken from a person, and given back, each told in the history', async () => {
  await page.goto('/shgl/tdjqsq')
  await page.getByRole('searchbox', { name: sight['tree.person'] }).fill(PERSON)
  await page.getByRole('treeitem', { name: PERSON }).click()
  await forAll('revoke')
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows.filter({ hasText: sight['state.granted'] })).toHaveCount(0)
  await forAll('grant')
  await expect(rows.filter({ hasText: sight['state.free'] })).toHaveCount(0)
  await page.getByRole('tab', { name: sight['grant.history'] }).click()
  const entries = page.locator('[data-part~=grant-log] > li')
  await expect(entries.first()).toContainText(sight['history.grant'])
  await entries.first().getByRole('button').click()
  await expect(entries.first().locator('code').first()).toBeVisible()
})

test('the machine says who sees it, and why', async () => {
  await page.goto('/shj/wdshj')
  await page.getByRole('table').getByRole('link').first().click()
  await page.getByRole('tab', { name: sight['seers.tab'] }).click()
  const panel = page.getByRole('tabpanel')
  await expect(panel).toContainText(PERSON)
  await expect(panel).toContainText(sight['reason.user'])
  await expect(page.getByRole('tab', { name: fleet['tab.live'] })).toBeVisible()
})
