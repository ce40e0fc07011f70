import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, filled, formOf, send, signedIn, told } from '../kit/desk'
import type { RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** What a merchandiser does with what is recommended each week. */
test.describe.configure({ mode: 'serial' })

const { advice: words } = catalogs.zh
const LIST = screenOf('yxch/sptj').path
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

const firstOf = (kind: string) =>
  page.getByRole('table').getByRole('row').filter({ hasText: kind }).getByRole('link').first()

test('what is always empty gets another slot at the next service, which the slot says too', async () => {
  await page.goto(`${LIST}?state=open&kind=widen`)
  await firstOf(words['recommendationKind.widen']).click()
  const drawer = drawerOf(page)
  await expect(drawer).toContainText(words['recommendation.empty'])
  await expect(drawer).toContainText(words['field.lowFen'])
  await button(drawer, words['verb.acceptRecommendation']).click()
  await send(page, words['verb.acceptRecommendation'])
  await expect(told(page, filled(words['verb.acceptRecommendation.done'], { slot: '' }).slice(0, 3))).toBeVisible()
  await expect(drawer).toContainText(words['recommendationState.accepted'])
})

test('what costs more than it earns is ignored on a page of its own, with a reason', async () => {
  await page.goto(`${LIST}?state=open&kind=replace`)
  await firstOf(words['recommendationKind.replace']).click()
  await drawerOf(page).getByRole('link', { name: catalogs.zh.screens['yxch/sptjxq'] }).click()
  await expect(page).toHaveURL(/sptjxq\?id=\d+/)
  await button(page, words['verb.ignoreRecommendation']).click()
  await field(formOf(page), words['field.reason']).fill('试点商品')
  await send(page, words['verb.ignoreRecommendation'])
  await expect(told(page, words['verb.ignoreRecommendation.done'])).toBeVisible()
  await expect(page.locator('[data-part=tag]', { hasText: words['recommendationState.ignored'] })).toBeVisible()
  await expect(page.getByText('试点商品')).toBeVisible()
})
