import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, formOf, openRow, send, signedIn, told } from '../kit/desk'
import type { RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** What a merchandiser does with a campaign before it begins. */
test.describe.configure({ mode: 'serial' })

const { promotion: words } = catalogs.zh
const CAMPAIGNS = screenOf('yxch/yxjhgl').path
const CAMPAIGN = '第二件半价两周'
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

test('a scheduled campaign names the machines that stay out, is taken back, changed and scheduled again', async () => {
  const drawer = await openRow(page, CAMPAIGNS, CAMPAIGN)
  await expect(drawer).toContainText(words['campaignState.scheduled'])
  const controls = drawer.locator('section').filter({ hasText: words['campaign.controls.help'] })
  await expect(controls.getByRole('listitem').first()).toBeVisible()
  await button(drawer, words['verb.withdrawCampaign']).click()
  await send(page, words['verb.withdrawCampaign'])
  await expect(told(page, words['verb.withdrawCampaign.done'])).toBeVisible()
  await button(drawerOf(page), words['verb.editCampaign']).click()
  await field(formOf(page), words['field.goalPercent']).fill('8')
  await send(page, words['verb.editCampaign'])
  await expect(told(page, words['verb.editCampaign.done'])).toBeVisible()
  await expect(drawerOf(page)).toContainText('+8%')
  await button(drawerOf(page), words['verb.scheduleCampaign']).click()
  await send(page, words['verb.scheduleCampaign'])
  await expect(told(page, words['verb.scheduleCampaign.done'])).toBeVisible()
  await expect(drawerOf(page)).toContainText(words['campaignState.scheduled'])
})
