import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, filled, signedIn, told } from './kit/desk'

/** A notice goes to chosen merchants and comes to whoever works there. */
test.describe.configure({ mode: 'serial' })

const { notice } = catalogs.zh
const title = `盘点通知 ${randomUUID().slice(0, 6)}`
const body = '请于周五前完成全部机器的盘点。'
let admin: Page
let reader: Page

test.beforeAll(async ({ browser }) => {
  admin = await signedIn(browser, 'admin')
  reader = await signedIn(browser, 'finance')
})
test.afterAll(() => Promise.all([admin.context().close(), reader.context().close()]))

/** Whatever rings there already: what others of the network do may have told this reader something. */
const bellOf = (page: Page) => page.getByRole('button', { name: new RegExp(`^${notice['bell.label']}(，|$)`) })
const messageOf = (page: Page) => page.locator('[data-part~=bell-panel]').getByRole('button', { name: title })

test('codes that end with a comma or name nobody are refused, and what was written stays', async () => {
  await admin.goto(screenOf('xtgl/xxtz').path)
  await admin.getByRole('link', { name: notice['action.write'] }).click()
  const codes = field(admin, notice['field.merchantCodes'])
  const send = button(admin, notice['notification.submit.now'])
  await field(admin, notice['field.title']).fill(title)
  await field(admin, notice['field.body']).fill(body)
  await codes.fill('EAST,')
  await send.click()
  await expect(codes).toHaveAccessibleDescription(notice['rule.codes.trailing'])
  await codes.fill('EAST，SOUTH')
  await expect(codes).toHaveAccessibleDescription(notice['rule.codes.fullWidth'])
  await codes.fill('EAST,NOBODY')
  await expect(told(admin, filled(notice['reach.codes'], { count: 1, codes: 'NOBODY' }))).toBeVisible()
  await send.click()
  const refused = filled(notice['refusal.notification.codes'], { count: 1, codes: 'NOBODY' })
  await expect(admin.getByRole('alert').filter({ hasText: refused })).toBeVisible()
  await expect(field(admin, notice['field.title'])).toHaveValue(title)
  await expect(field(admin, notice['field.body'])).toHaveValue(body)
})

test('sent, it rings at whoever works there, opens and is read, and the sender sees it', async () => {
  await reader.evaluate(() => Object.assign(window, { isSame: true }))
  await bellOf(reader).click()
  await expect(messageOf(reader)).toBeHidden()
  await field(admin, notice['field.merchantCodes']).fill('EAST')
  await expect(admin.getByText(notice['reach.unknown'])).toBeHidden()
  await button(admin, notice['notification.submit.now']).click()
  const drawer = drawerOf(admin)
  await expect(drawer.getByRole('heading', { level: 2 })).toHaveText(title)
  await expect(messageOf(reader)).toContainText(notice['read.unread'])
  await messageOf(reader).click()
  await expect(messageOf(reader)).toHaveAttribute('aria-expanded', 'true')
  await expect(messageOf(reader)).toContainText(body)
  await expect(messageOf(reader)).not.toContainText(notice['read.unread'])
  expect(await reader.evaluate(() => 'isSame' in window)).toBe(true)
  await expect(drawer.getByText(notice['notificationState.sent'], { exact: true })).toBeVisible()
  await expect(drawer).toContainText(filled(notice['progress.read'].split('/')[0] ?? '', { readCount: 1 }))
  await drawer.getByRole('tab', { name: notice['tab.receivers'] }).click()
  await drawer.getByLabel(notice['field.read']).selectOption({ label: notice['read.read'] })
  await expect(drawer.getByRole('listitem')).toHaveCount(1)
  await expect(drawer.getByRole('listitem')).toContainText('苏敏')
})

test('withdrawn, it is gone from everybody', async () => {
  await button(drawerOf(admin), notice['verb.withdraw']).click()
  await button(admin.locator('dialog[open]'), notice['verb.withdraw']).click()
  await expect(drawerOf(admin).getByText(notice['notificationState.withdrawn'], { exact: true })).toBeVisible()
  await expect(messageOf(reader)).toBeHidden()
})
