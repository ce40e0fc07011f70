import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, formOf, openRow, send, signedIn, told } from '../kit/desk'
import type { RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** A plan is written down, looked at before it is listed, tried on the past, and paused. */
test.describe.configure({ mode: 'serial' })

const { promotion: words } = catalogs.zh
const PLANS = screenOf('yxch/yxfagl').path
const NAME = '试用一口价'
let server: RunningServer
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  page = await signedIn(browser, 'merchant', server.url)
})
test.afterAll(async () => {
  await page.context().close()
  await server.stop()
})

test('only the values of the kind are asked for, and what is written waits to be listed', async () => {
  await page.goto(PLANS)
  await button(page, words['verb.addPlan']).click()
  const form = formOf(page)
  await field(form, words['field.name']).fill(NAME)
  await expect(form.getByLabel(words['field.amountFen'])).toHaveCount(0)
  await field(form, words['field.kind']).selectOption('fixed')
  await field(form, words['field.amountFen']).fill('3.00')
  await send(page, words['verb.addPlan'])
  await expect(told(page, words['verb.addPlan.done'])).toBeVisible()
})

test('what speaks against it is seen, the past is tried, and it is listed and paused', async () => {
  const drawer = await openRow(page, PLANS, NAME)
  await expect(drawer.getByText(words['plan.conflicts'], { exact: true })).toBeVisible()
  await button(drawer, words['dryRun.go']).click()
  await expect(drawer.getByText(words['dryRun.touched'])).toBeVisible()
  await button(drawer, words['verb.listPlan']).click()
  await send(page, words['verb.listPlan'])
  await expect(drawerOf(page)).toContainText(words['planState.listed'])
  await button(drawer, words['verb.pausePlan']).click()
  await send(page, words['verb.pausePlan'])
  await expect(drawerOf(page)).toContainText(words['planState.paused'])
  await page.goto(`${screenOf('yxch/famc').path}?id=1`)
  await expect(page.getByText(words['plan.versions'], { exact: true })).toBeVisible()
  await page.goto(screenOf('yxch/zkgl').path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
