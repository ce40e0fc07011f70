import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { getCheckCode, getLoginParam, getUserResource, onLogin } from '@aisle/contract/identity/session'
import { getEntrance, listOtherSystems } from '@aisle/contract/identity/sso'
import { languageNames, languages, locales } from '@aisle/contract/kernel/text'
import { getEntranceSettings } from '@aisle/contract/system/setting'
import { password } from './kit/harness'
import { callsOf, loginForm, nextCheckCode } from './kit/loginForm'
import { signIn } from './kit/signInClient'

/** Specification 2.1, 2.2, 2.3, 4 and 5 on a server where nobody fails; what fails is in signInFailures.spec.ts. */
const zh = catalogs.zh
const url = process.env.AISLE_E2E_URL ?? ''

async function enter(page: Page, account: string): Promise<void> {
  const form = loginForm(page)
  await form.fill(account, password)
  await form.password.press('Enter')
  await page.waitForURL((at) => !at.pathname.startsWith('/login'))
}

for (const path of ['/', '/dashboard', '/database', '/jygl/ddgl?orderNo=1', '/xtgl/zfsz/rjs', '/no/such/page']) {
  test(`without a session ${path} leads to the sign-in`, async ({ page }) => {
    await page.goto(path)
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(zh.identity['login.welcome'])
  })
}

test('the entrance that was used is remembered for this tab, and only for this tab', async ({ page, context }) => {
  await page.goto('/loginSrx')
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/loginSrx')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(zh.identity['login.partner.title'])
  const other = await context.newPage()
  await other.goto('/dashboard')
  await expect(other).toHaveURL('/login')
})

test('the first attempt fills in the code by itself; Enter submits; others than admin come to the home page', async ({
  page,
}) => {
  const code = nextCheckCode(page)
  await page.goto('/login')
  const { data } = await (await code).json()
  expect(data).toMatchObject({ mode: 'auto', exp: 120 })
  expect(data.checkCode).toMatch(/^\w{4}$/)
  const form = loginForm(page)
  await expect(form.account).toBeFocused()
  await expect(form.code).toBeHidden()
  await enter(page, 'merchant')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText(zh.identity['login.success'])).toBeVisible()
  // A session lives in this tab's session storage and nowhere else (specification 4).
  const stored = await page.evaluate(() => [
    sessionStorage.getItem('aisle.authorization'),
    JSON.stringify(localStorage),
  ])
  expect(stored[0]).toMatch(/^[\w-]{43}$/)
  expect(stored[1]).not.toContain(stored[0])
  expect((await page.context().cookies()).map(({ value }) => value)).not.toContain(stored[0])
})

test('admin comes to the landing page; its tile fetches the resources again and opens the home page', async ({
  page,
}) => {
  await page.goto('/login')
  await enter(page, 'admin')
  await expect(page).toHaveURL('/database')
  const tiles = ['shop', 'bigData', 'lease', 'inspection', 'factory', 'afterSales', 'announcement', 'configuration']
  for (const tile of tiles) {
    const name = (zh.system as Record<string, string>)[`landing.${tile}`] ?? ''
    await expect(page.getByRole('main').getByText(name, { exact: true })).toBeVisible()
  }
  // It is greyed with the reason, and says it again to who presses it all the same.
  await page.getByRole('button', { name: zh.system['landing.lease'] }).click({ force: true })
  await expect(page.getByText(zh.system['landing.othersReason']).last()).toBeVisible()
  const fetched = page.waitForResponse((response) => response.url().endsWith(getUserResource.path))
  await page.getByRole('button', { name: zh.system['landing.shop'] }).click()
  expect((await fetched).status()).toBe(200)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/database')
  await page.getByRole('link', { name: zh.system['landing.bigData'] }).click()
  await expect(page).toHaveURL('/databases')
})

test('where other systems can not be asked for, no tile says that it is not configured', async ({ page }) => {
  await page.goto('/login')
  await enter(page, 'admin')
  await expect(page.getByText(zh.system['landing.othersReason']).first()).toBeVisible()
  await page.route(`**${listOtherSystems.path}*`, (route) => route.abort())
  const failed = page.waitForEvent('requestfailed')
  await page.reload()
  await failed
  await expect(page.getByRole('button', { name: zh.system['landing.lease'] })).toBeVisible()
  await expect(page.getByText(zh.system['landing.othersReason'])).toHaveCount(0)
})

test('who opens the sign-in while signed in is signed out, here and at the server', async ({ page }) => {
  await page.goto('/login')
  await enter(page, 'operator')
  const token = await page.evaluate(() => sessionStorage.getItem('aisle.authorization'))
  await page.goto('/login')
  await expect(loginForm(page).submit).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('aisle.authorization'))).toBeNull()
  const answer = await fetch(`${url}/user/info`, { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(401)
  expect((await answer.json()).code).toBe('S9999')
})

test('a link that was opened without a session is offered after the sign-in', async ({ page }) => {
  await page.goto('/jygl/ddgl?method=cash')
  await enter(page, 'finance')
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('button', { name: zh.system['shell.resumeGo'], exact: true }).click()
  await expect(page).toHaveURL('/jygl/ddgl?method=cash')
})

for (const language of languages) {
  test(`what is missing is said beside the field and nothing is sent, in ${language}`, async ({ page }) => {
    await page.addInitScript((wanted) => localStorage.setItem('aisle.language', wanted), language)
    await page.goto('/login')
    const form = loginForm(page, language)
    const calls = callsOf(page)
    await form.submit.click()
    await expect(form.account).toHaveAccessibleDescription(form.words['login.fault.account'])
    await expect(form.password).toHaveAccessibleDescription(form.words['login.fault.password'])
    await expect(form.account).toBeFocused()
    await form.fill('merchant', '12345')
    await form.password.press('Enter')
    await expect(form.password).toHaveAccessibleDescription(form.words['login.fault.passwordShort'])
    await expect(form.account).not.toHaveAttribute('aria-invalid', 'true')
    await expect(form.password).toBeFocused()
    const fetched = [getCheckCode.path, getEntrance.path, getEntranceSettings.path]
    expect(calls.filter((path) => !fetched.includes(path))).toEqual([])
  })
}

test('the forgot-password hint names who can help', async ({ page }) => {
  await page.goto('/login')
  const hint = page.getByText(zh.identity['login.forgotHint'])
  await expect(hint).toBeHidden()
  await page.getByRole('button', { name: zh.identity['login.forgot'] }).click()
  await expect(hint).toBeVisible()
  expect(zh.identity['login.forgotHint']).toContain('系统管理员')
})

test('display=0 hides the QR pictures; the links stay', async ({ page }) => {
  await page.goto('/login')
  const pictures = page.getByRole('contentinfo').getByRole('img')
  const links = page.getByRole('contentinfo').getByRole('link')
  await expect(pictures).toHaveCount(2)
  await expect(links).toHaveCount(2)
  await page.goto('/login?display=0')
  await expect(links).toHaveCount(2)
  await expect(pictures).toHaveCount(0)
})

test('the language changes without a reload, keeps what was typed, and goes with every call', async ({ page }) => {
  await page.goto('/login')
  await loginForm(page).account.fill('merchant')
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  for (const [at, language] of languages.entries()) {
    const before = languages.at(at - 1) ?? 'zh'
    const { 'language.label': label } = catalogs[at === 0 ? 'zh' : before].kernel
    const shown = languageNames[at === 0 ? 'zh' : before]
    await page.getByRole('button', { name: label.replace('{{name}}', shown) }).click()
    await page.getByRole('menuitemradio', { name: languageNames[language] }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(catalogs[language].identity['login.welcome'])
    await expect(page.locator('html')).toHaveAttribute('lang', locales[language])
    await expect(loginForm(page, language).account).toHaveValue('merchant')
  }
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
  const param = page.waitForRequest((request) => request.url().endsWith(getLoginParam.path))
  const form = loginForm(page, 'ko')
  await form.password.fill(password)
  await form.submit.click()
  expect((await param).postDataJSON()).toMatchObject({ language: 'ko' })
  await expect(page).toHaveURL('/dashboard')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ko-KR')
})

test('only the account is remembered, and only when asked for; the password leaves the page in no form', async ({
  page,
}) => {
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto('/login')
  await loginForm(page).remember.check()
  await enter(page, 'pharmacist')
  await expect(page).toHaveURL('/dashboard')
  expect(sent.some((request) => request.includes(onLogin.path))).toBe(true)
  expect(sent.filter((request) => request.includes(password))).toEqual([])
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept).not.toContain(password)
  await page.goto('/login')
  await expect(loginForm(page).account).toHaveValue('pharmacist')
  await expect(loginForm(page).password).toHaveValue('')
  await loginForm(page).remember.uncheck()
  await enter(page, 'pharmacist')
  await page.goto('/login')
  await expect(loginForm(page).account).toHaveValue('')
})

test('impatient clicks send one sign-in', async ({ page }) => {
  await page.goto('/login')
  const calls = callsOf(page)
  await page.route(`**${getLoginParam.path}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await route.continue()
  })
  const form = loginForm(page)
  await form.fill('doctor', password)
  await form.password.press('Enter')
  await page.getByRole('button', { name: form.words['login.busy'] }).click({ force: true })
  await form.password.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  expect(calls.filter((path) => path === getLoginParam.path)).toHaveLength(1)
  expect(calls.filter((path) => path === onLogin.path)).toHaveLength(1)
})

test('without a network the page says so, and the same attempt succeeds when it is back', async ({ page, context }) => {
  await page.goto('/login')
  const form = loginForm(page)
  await form.fill('maintainer', password)
  await context.setOffline(true)
  await form.submit.click()
  await expect(page.getByRole('alert')).toContainText(zh.kernel['error.network'])
  await context.setOffline(false)
  await expect(form.code).toBeHidden()
  await form.submit.click()
  await expect(page).toHaveURL('/dashboard')
})

test('a session that ended elsewhere asks: stay, or sign in again', async ({ page }) => {
  await page.goto('/loginSrx')
  await enter(page, 'merchant')
  await expect(page).toHaveURL('/dashboard')
  const token = await page.evaluate(() => sessionStorage.getItem('aisle.authorization'))
  await page.goto('/jygl/ddgl')
  await expect(page.getByRole('table')).toBeVisible()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  await fetch(`${url}/api/session/sign-out`, { method: 'POST', headers, body: '{}' })
  const dialog = page.getByRole('alertdialog', { name: zh.kernel['session.expired.title'] })
  await page.getByRole('searchbox').first().fill('A')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: zh.kernel['action.cancel'] }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/^[^?]*\/jygl\/ddgl/)
  await page.getByRole('searchbox').first().fill('AB')
  await dialog.getByRole('button', { name: zh.kernel['session.signInAgain'] }).click()
  await expect(page).toHaveURL('/loginSrx')
})

test('a program signs in by the interface alone', async () => {
  const { token, answer } = await signIn(url, 'finance', password, { language: 'en' })
  expect(token).toHaveLength(43)
  expect(answer.userInfo?.menuJsonTree[0]?.children.length).toBeGreaterThan(0)
})
