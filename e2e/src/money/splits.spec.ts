import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, field, formOf, pick, send, signedIn, told } from '../kit/desk'

/** A treasurer names who shares in what machines sell, looks at what that would have given, and agrees it. */
test.describe.configure({ mode: 'serial' })

const { settlement: words } = catalogs.zh
const rules = screenOf('cfgl/yhfzsz').path
const NAME = '江南车站商业有限公司'
const OWNER = '江南云柜'
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await signedIn(browser, 'admin')
})
test.afterAll(() => page.context().close())

test('a receiver is told to the channel, which knows it by itself a moment later', async () => {
  await page.goto(`${rules}?part=receivers`)
  await button(page, words['verb.addSplitReceiver']).first().click()
  const form = formOf(page)
  await form.getByRole('textbox', { name: words['field.receiverName'], exact: true }).fill(NAME)
  const account = field(form, words['field.accountId'])
  const through = account.getByRole('option', { name: new RegExp(`${words['method.wechat']} · ${OWNER}`) }).first()
  await account.selectOption((await through.getAttribute('value')) ?? '')
  await field(form, words['field.accountType']).selectOption('merchant_no')
  await field(form, words['field.account']).fill('1900000655')
  await send(page, words['verb.addSplitReceiver'])
  await expect(told(page, words['verb.addSplitReceiver.done'])).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: NAME })
  await expect(row.getByText(words['splitReceiverState.bound'], { exact: true })).toBeVisible({ timeout: 30_000 })
})

test('a rule shows what it would have given in the last month, and stands in the list as it was agreed', async () => {
  await page.goto(rules)
  await button(page, words['verb.addSplitRule']).first().click()
  const form = formOf(page)
  await pick(page, words['field.merchantId'], OWNER)
  await form.getByLabel(words['split.addShare']).selectOption({ label: `${NAME} · ${words['method.wechat']}` })
  const rate = form.getByLabel(`${NAME} · ${words['method.wechat']} ${words['split.way.rate']}`)
  await rate.fill('45')
  const preview = form.getByRole('status', { name: words['splitPreview'] })
  await expect(preview).toContainText(words['splitPreview.overCap'].split('{{')[0] ?? '')
  await rate.fill('5')
  await expect(preview).toContainText(NAME)
  await expect(preview).not.toContainText(words['splitPreview.overCap'].split('{{')[0] ?? '')
  const tomorrow = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 10)
  await field(form, words['field.validFrom']).fill(tomorrow)
  await field(form, words['field.reason']).fill('车站场地协议')
  await send(page, words['verb.addSplitRule'])
  await expect(told(page, words['verb.addSplitRule.done'])).toBeVisible()
  await page.goto(`${rules}?state=coming`)
  await expect(page.getByRole('row').filter({ hasText: OWNER }).filter({ hasText: '5%' }).first()).toBeVisible()
})
