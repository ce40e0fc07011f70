import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, field, formOf, openDesk, send, signedIn } from './kit/desk'
import type { RunningServer } from './kit/harness'
import { startQuietServer } from './kit/machines'
import { signInAs } from './kit/visit'

/** A version that is published is asked of everybody, in the page that they have open and at their next sign-in. */
test.describe.configure({ mode: 'serial' })

const { merchant, system } = catalogs.zh
const LIST = screenOf('shgl/wdsh').path
const title = '平台服务协议'
let server: RunningServer
let admin: Page
let worker: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  admin = await signedIn(browser, 'admin', server.url)
  worker = await signedIn(browser, 'merchant', server.url)
})
test.afterAll(async () => {
  await Promise.all([admin.context().close(), worker.context().close()])
  await server.stop()
})

async function accept(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: system['agreement.read'] }).check()
  await button(formOf(page), system['agreement.accept']).click()
  await expect(page.getByRole('dialog', { name: title })).toBeHidden()
}

test('the form that somebody is filling in stays behind the question, with what was typed', async () => {
  await worker.goto(LIST)
  await button(worker, merchant['verb.createMerchant']).click()
  await field(formOf(worker), merchant['field.name']).fill('还没写完的商户')
  await publish()
  await expect(worker.getByRole('dialog', { name: title })).toBeVisible()
  await accept(worker)
  await expect(field(formOf(worker), merchant['field.name'])).toHaveValue('还没写完的商户')
})

test('whoever publishes accepts it too, and goes on where they were', async () => {
  await accept(admin)
  await expect(admin.getByText(system['agreement.newest'])).toBeVisible()
})

test('who signs in later sees the agreement and nothing else; declining signs out', async ({ browser }) => {
  const late = await openDesk(browser, server.url)
  await signInAs(late, 'finance')
  await expect(late.getByRole('dialog', { name: title })).toContainText('请妥善保管账号')
  await expect(late.getByRole('main')).toHaveCount(0)
  await late.reload()
  await expect(late.getByRole('dialog', { name: title })).toBeVisible()
  await button(formOf(late), system['agreement.decline']).click()
  await expect(late).toHaveURL(/\/login/)
  await signInAs(late, 'finance')
  await accept(late)
  await expect(late.getByRole('main')).toBeVisible()
  await late.context().close()
})

async function publish(): Promise<void> {
  await admin.goto(`${screenOf('xtgl/sz').path}?tab=agreements`)
  await button(admin, system['agreement.begin']).click()
  for (const language of ['中文', 'English', 'Français', '한국어']) {
    await admin.getByRole('tab', { name: language }).click()
    const panel = admin.getByRole('tabpanel')
    await field(panel, system['field.title']).fill(title)
    await field(panel, system['field.body']).fill('请妥善保管账号，不得转借他人。')
  }
  await button(admin, system['agreement.save']).click()
  const version = admin.getByRole('listitem').filter({ hasText: title })
  await button(version, system['verb.publishAgreement']).click()
  await send(admin, system['verb.publishAgreement'])
}
