import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { getCheckCode, getLoginParam, onLogin } from '@aisle/contract/identity/session'
import { languages } from '@aisle/contract/kernel/text'
import { password, query, type RunningServer } from './kit/harness'
import { callsOf, loginForm, nextCheckCode } from './kit/loginForm'
import { startQuietServer } from './kit/machines'

/**
 * Failed sign-ins, and sessions that end (specification 5, 8), on a server of their own: an address that failed types
 * its codes for a quarter of an hour.
 */
test.describe.configure({ mode: 'serial' })

const { kernel: kernelWords, identity: words, trade: orderWords } = catalogs.zh
let server: RunningServer

test.beforeAll(async () => {
  server = await startQuietServer()
})
test.afterAll(() => server.stop())

test('a code that takes longer than 15 seconds is given up; 0000 is refused, and the second attempt is typed', async ({
  page,
}) => {
  test.slow()
  const calls = callsOf(page)
  let isSlow = true
  await page.route(`**${getCheckCode.path}*`, async (route) => {
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, 20_000))
    await route.continue().catch(() => undefined)
  })
  await page.goto(`${server.url}/login`)
  const startedMs = performance.now()
  const form = loginForm(page)
  await form.account.press('A')
  await form.fill('merchant', password)
  const asked = page.waitForRequest((request) => request.url().endsWith(getLoginParam.path))
  await form.submit.click()
  expect((await asked).postDataJSON()).toMatchObject({ cid: '' })
  const waitedMs = performance.now() - startedMs
  expect(waitedMs).toBeGreaterThan(13_000)
  expect(waitedMs).toBeLessThan(19_000)
  isSlow = false
  await expect(page.getByRole('alert')).toContainText(words['refusal.signIn.codeInvalid'])
  await expect(form.code).toBeVisible()
  expect(calls).not.toContain(onLogin.path)
})

for (const [at, language] of languages.entries()) {
  const account = (['merchant', 'operator', 'finance', 'doctor'] as const)[at] ?? 'merchant'
  test(`a wrong password is told as such, and the second attempt reads a picture, in ${language}`, async ({ page }) => {
    await page.addInitScript((wanted) => localStorage.setItem('aisle.language', wanted), language)
    const first = nextCheckCode(page)
    await page.goto(`${server.url}/login`)
    const form = loginForm(page, language)
    const { data } = await (await first).json()
    // Only the very first attempt of this address is automatic; each failure after it counts for all.
    expect(data.mode).toBe(at === 0 ? 'auto' : 'typed')
    await form.fill(account, 'not-the-password')
    if (at > 0) await form.code.fill(await codeOf(data.cid))
    await form.submit.click()
    const fresh = nextCheckCode(page)
    await expect(page.getByRole('alert')).toContainText(form.words['refusal.signIn.wrong'])
    const { data: next } = await (await fresh).json()
    expect(next.mode).toBe('typed')
    expect(next.checkCode).toBeUndefined()
    await expect(form.picture).toHaveAttribute('src', next.image)
    await expect(form.password).toBeFocused()
    expect(await page.evaluate(() => sessionStorage.getItem('aisle.authorization'))).toBeNull()

    await form.password.fill(password)
    await form.submit.click()
    await expect(form.code).toHaveAccessibleDescription(form.words['login.fault.code'])
    await form.code.fill((await codeOf(next.cid)).toLowerCase())
    await form.submit.click()
    await expect(page).toHaveURL(`${server.url}/dashboard`)
  })
}

test('an account that does not exist is told nothing else; a wrong code neither; each gets a new picture', async ({
  page,
}) => {
  const first = nextCheckCode(page)
  await page.goto(`${server.url}/login`)
  const form = loginForm(page)
  await form.fill('nobody-of-that-name', password)
  await form.code.fill(await codeIn(await first))
  const second = nextCheckCode(page)
  await form.submit.click()
  await expect(page.getByRole('alert')).toContainText(words['refusal.signIn.wrong'])
  const picture = await form.picture.getAttribute('src')
  expect(new URL((await second).url()).searchParams.get('account')).toBe('nobody-of-that-name')
  await form.account.fill('maintainer')
  const third = nextCheckCode(page)
  await form.otherCode.click()
  expect(new URL((await third).url()).searchParams.get('account')).toBe('maintainer')
  await expect(form.picture).not.toHaveAttribute('src', picture ?? '')
  await form.password.fill(password)
  await form.code.fill('0000')
  await form.submit.click()
  await expect(page.getByRole('alert').last()).toContainText(words['refusal.signIn.codeInvalid'])
})

test('an error toast goes after five seconds, and stays while it is read', async ({ page }) => {
  await page.clock.install()
  const first = nextCheckCode(page)
  await page.goto(`${server.url}/login`)
  const form = loginForm(page)
  await form.fill('pharmacist', 'not-the-password')
  await form.code.fill(await codeIn(await first))
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
  await form.submit.click()
  const toast = page.getByRole('alert').filter({ hasText: words['refusal.signIn.wrong'] })
  await expect(toast).toBeVisible()
  await page.clock.runFor(4_900)
  await expect(toast).toBeVisible()
  await toast.hover()
  await page.clock.runFor(20_000)
  await expect(toast).toBeVisible()
  await form.account.hover()
  await page.clock.runFor(4_900)
  await expect(toast).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast).toBeHidden()
})

test('where the merchant allows one session, the older one is told at once', async ({ browser }) => {
  await query(server, `update merchant set single_session = true`)
  const [older, newer] = [await browser.newContext(), await browser.newContext()]
  const [here, there] = [await older.newPage(), await newer.newPage()]
  await enterTyped(here, 'finance')
  await here.goto(`${server.url}/jygl/ddgl`)
  await expect(here.getByRole('heading', { level: 1 })).toBeVisible()
  await here.waitForLoadState('networkidle')
  await enterTyped(there, 'finance')
  const dialog = here.getByRole('alertdialog', { name: kernelWords['session.elsewhere.title'] })
  await expect(dialog).toBeVisible()
  await expect(dialog).toHaveAccessibleDescription(kernelWords['session.elsewhere.body'])
  await dialog.getByRole('button', { name: kernelWords['action.cancel'] }).click()
  await expect(dialog).toBeHidden()
  await expect(here).toHaveURL(`${server.url}/jygl/ddgl`)
  // What the page does by itself does not ask again; what its reader does, does.
  const asked = here.waitForEvent('websocket')
  await here.evaluate(() => dispatchEvent(new Event('online')))
  await (await asked).waitForEvent('close')
  await expect(dialog).toBeHidden()
  await here.getByLabel(orderWords['field.orderNo'], { exact: true }).fill('1')
  await dialog.getByRole('button', { name: kernelWords['session.signInAgain'] }).click()
  await expect(here).toHaveURL(`${server.url}/login`)
  await expect(loginForm(here).submit).toBeVisible()
  await expect(there).toHaveURL(`${server.url}/dashboard`)
  await there.reload()
  await expect(there.getByRole('heading', { level: 1 })).toBeVisible()
  await query(server, `update merchant set single_session = false`)
  await older.close()
  await newer.close()
})

test('after half an hour without a call the session has expired', async ({ page }) => {
  await enterTyped(page, 'operator')
  await query(server, `update session set last_seen_at = now() - interval '31 minutes'`)
  await page.goto(`${server.url}/jygl/ddgl`)
  await expect(page).toHaveURL(`${server.url}/login`)
})

/** A person reads the picture; the test reads what the server wrote into it. */
async function codeOf(cid: string): Promise<string> {
  const [row] = await query<{ code: string }>(server, 'select code from sign_in_challenge where cid = $1', [cid])
  return row?.code ?? ''
}

const codeIn = async (response: { json: () => Promise<unknown> }): Promise<string> => {
  const { data } = (await response.json()) as { data: { cid: string } }
  return codeOf(data.cid)
}

async function enterTyped(page: Page, account: string): Promise<void> {
  const first = nextCheckCode(page)
  await page.goto(`${server.url}/login`)
  const form = loginForm(page)
  await form.fill(account, password)
  await form.code.fill(await codeIn(await first))
  await form.submit.click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)
}
