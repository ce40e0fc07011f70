import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { languages } from '@aisle/contract/kernel/text'
import { query, type RunningServer, startServer } from './kit/harness'
import { loginForm } from './kit/loginForm'
import { expectSound, openVisit, settled } from './kit/visit'

/** A first start without a demo prints an address; who opens it makes the platform and its administrator, once. */
test.describe.configure({ mode: 'serial' })

const words = catalogs.zh.identity
const chosen = 'Kiosk-Row-26!'
let server: RunningServer
let link = ''

test.beforeAll(async () => {
  server = await startServer({ DEMO: '0' })
  link = /http\S+\/first-admin#[\w-]+/.exec(server.said())?.[0] ?? ''
  expect(link).not.toBe('')
})
test.afterAll(() => server.stop())

const fieldOf = (page: Page, label: string) => page.getByLabel(label, { exact: true })

for (const [at, language] of languages.entries()) {
  test(`the page is sound in ${language}`, async ({ browser }) => {
    const theme = at % 2 === 0 ? 'light' : 'dark'
    const visit = await openVisit(browser, { language, theme, width: at < 2 ? 1440 : 360 })
    await visit.page.goto(link)
    await settled(visit.page)
    const said = catalogs[language].identity
    await expect(visit.page.getByRole('heading', { level: 1 })).toHaveText(said['firstAdmin.title'])
    await visit.page.getByRole('button', { name: said['firstAdmin.submit'] }).click()
    const name = fieldOf(visit.page, said['firstAdmin.displayName'])
    await expect(name).toHaveAccessibleDescription(said['firstAdmin.fault.displayName'])
    await expectSound(visit, `first administrator in ${language}`)
    await visit.close()
  })
}

test('an address without its token, or with a wrong one, says how to get a good one', async ({ page }) => {
  await page.goto(`${server.url}/first-admin`)
  await expect(page.getByRole('alert')).toContainText(words['firstAdmin.noToken'])
  await page.goto(`${server.url}/first-admin?again#${'A'.repeat(43)}`)
  await expect(page.getByRole('alert')).toContainText(words['refusal.firstAdmin.linkInvalid'])
  expect(words['refusal.firstAdmin.linkInvalid']).toContain('重启服务')
})

test('the first administrator is made, signs in, and the address is used up', async ({ page, browser }) => {
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto(link)
  await expect(fieldOf(page, words['login.account'])).toHaveValue('admin')
  await fieldOf(page, words['firstAdmin.displayName']).fill('王敏')
  await fieldOf(page, words['firstAdmin.platformName']).fill('穿堂智能零售')
  await fieldOf(page, words['login.password']).fill(chosen)
  await fieldOf(page, words['firstAdmin.again']).fill('Kiosk-Row-27!')
  await page.keyboard.press('Enter')
  await expect(fieldOf(page, words['firstAdmin.again'])).toHaveAccessibleDescription(words['firstAdmin.fault.mismatch'])
  await expect(fieldOf(page, words['firstAdmin.again'])).toBeFocused()
  await fieldOf(page, words['firstAdmin.again']).fill(chosen)

  const later = await browser.newPage()
  await later.goto(link)
  await expect(later.getByRole('heading', { level: 1 })).toHaveText(words['firstAdmin.title'])

  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${server.url}/login`)
  await expect(page.getByText(words['firstAdmin.done'])).toBeVisible()
  expect(sent.filter((request) => request.includes(chosen))).toEqual([])
  const form = loginForm(page)
  // The address changes first; the fields of the form before have the same names.
  await expect(form.submit).toBeVisible()
  await form.fill('admin', chosen)
  await form.submit.click()
  await expect(page).toHaveURL(`${server.url}/database`)
  await expect(page.getByRole('main')).toContainText('王敏')
  const made = await query(
    server,
    'select m.name, u.account, u.kind from app_user u join merchant m on m.id = u.merchant_id',
  )
  expect(made).toEqual([{ name: '穿堂智能零售', account: 'admin', kind: 'platform_admin' }])

  await fieldOf(later, words['firstAdmin.displayName']).fill('Eve')
  await fieldOf(later, words['firstAdmin.platformName']).fill('Eve')
  await fieldOf(later, words['login.password']).fill('evil-evil')
  await fieldOf(later, words['firstAdmin.again']).fill('evil-evil')
  await later.keyboard.press('Enter')
  await expect(later.getByRole('alert')).toContainText(words['refusal.firstAdmin.linkInvalid'])
  await later.close()
})

test('an empty platform shows empty pages, not broken ones', async ({ browser }) => {
  const visit = await openVisit(browser, { language: 'zh', theme: 'light', width: 1440 })
  const form = loginForm(visit.page)
  await visit.page.goto(`${server.url}/login`)
  await form.fill('admin', chosen)
  await form.submit.click()
  await expect(visit.page).toHaveURL(`${server.url}/database`)
  for (const path of ['/shj/wdshj', '/jygl/ddgl']) {
    await visit.page.goto(server.url + path)
    await expect(visit.page.locator('[data-part~=empty]')).not.toBeEmpty()
    await settled(visit.page)
    await expectSound(visit, path)
  }
  await visit.close()
})
