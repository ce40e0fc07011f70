import { createHmac } from 'node:crypto'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { readMessage } from '../../server/src/testing/running'
import { password, query, type RunningServer } from './kit/harness'
import { loginForm } from './kit/loginForm'
import { startQuietServer } from './kit/machines'
import { openVisit, signInAs } from './kit/visit'

/** One's own account, on a server of its own: passwords are changed here. */
test.describe.configure({ mode: 'serial' })

const words = catalogs.zh.identity
let server: RunningServer

test.beforeAll(async () => {
  server = await startQuietServer()
})
test.afterAll(() => server.stop())

async function visitorOf(browser: Browser): Promise<Page> {
  return (await openVisit(browser, { language: 'zh', theme: 'light', width: 1440 }, server.url)).page
}

async function enter(page: Page, account: string, secret: string): Promise<void> {
  const form = loginForm(page)
  await form.fill(account, secret)
  await form.password.press('Enter')
}

/** Six digits of RFC 6238, as the app on a telephone shows them. */
function totp(secret: string, at: number): string {
  const symbols = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((sign) => symbols.indexOf(sign).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

test('whoever changes the own password signs in again, with the new one', async ({ browser }) => {
  const page = await visitorOf(browser)
  await signInAs(page, 'operator')
  await page.goto('/xtgl/setpwd')
  const old = page.getByLabel(words['password.old'], { exact: true })
  await old.fill('a wrong guess')
  await page.getByLabel(words['password.new'], { exact: true }).fill('my-own-1')
  await page.getByLabel(words['password.again'], { exact: true }).fill('my-own-2')
  const send = page.getByRole('button', { name: words['password.submit'] })
  await send.click()
  await expect(page.getByText(words['firstAdmin.fault.mismatch'])).toBeVisible()
  for (const [weak, why] of [
    ['operator-77', 'password.weak.own'],
    ['1qaz2wsx', 'password.weak.run'],
    ['P@ssw0rd!', 'password.weak.common'],
  ] as const) {
    await page.getByLabel(words['password.new'], { exact: true }).fill(weak)
    await send.click()
    await expect(page.getByText(words[why])).toBeVisible()
  }
  await page.getByLabel(words['password.new'], { exact: true }).fill('my-own-1')
  await page.getByLabel(words['password.again'], { exact: true }).fill('my-own-1')
  await send.click()
  await expect(page.getByText(words['refusal.password.wrong'])).toBeVisible()
  await old.fill(password)
  await send.click()
  await expect(page.getByText(words['password.done'])).toBeVisible()
  await expect(page).toHaveURL('/login')
  await enter(page, 'operator', 'my-own-1')
  await expect(page).toHaveURL('/dashboard')
  await page.context().close()
})

test('a second factor is set up with a first code, and asked for from then on', async ({ browser }) => {
  const page = await visitorOf(browser)
  await signInAs(page, 'maintainer')
  await page.goto('/xtgl/setpwd?tab=factor')
  await page.getByLabel(words['password.old'], { exact: true }).fill(password)
  await page.getByRole('button', { name: words['factor.start'] }).click()
  await expect(page.getByRole('img', { name: words['factor.setup.qr'] })).toBeVisible()
  const secret = (await page.locator('code').innerText()).replaceAll(/\s/g, '')
  await page.getByLabel(words['factor.code'], { exact: true }).fill(totp(secret, Date.now()))
  await page.getByRole('button', { name: words['factor.confirm'] }).click()
  await expect(page.getByRole('heading', { name: words['recovery.title'] })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ has: page.locator('code') })).toHaveCount(10)
  await page.getByRole('button', { name: words['recovery.kept'] }).click()
  await expect(page.getByText(words['factor.on'], { exact: true })).toBeVisible()

  await page.goto('/login')
  await enter(page, 'maintainer', password)
  await expect(page.getByRole('heading', { name: words['factor.title'] })).toBeVisible()
  await page.getByLabel(words['factor.code'], { exact: true }).fill('AAAAA-AAAAA')
  await page.getByRole('button', { name: words['factor.submit'] }).click()
  await expect(page.getByText(words['refusal.secondFactor.wrong'])).toBeVisible()
  // The next step is taken too, so that nobody need wait for it; one before would be over soon.
  await page.getByLabel(words['factor.code'], { exact: true }).fill(totp(secret, Date.now() + 30_000))
  await page.getByRole('button', { name: words['factor.submit'] }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.context().close()
})

test('a forgotten password is set anew with the code that was sent to the telephone', async ({ browser }) => {
  const phone = '13800138000'
  await query(server, `update app_user set phone = $1 where account = 'pharmacist'`, [phone])
  const page = await visitorOf(browser)
  await page.goto('/login')
  await page.getByRole('button', { name: words['login.forgot'] }).click()
  await page.getByRole('link', { name: words['login.forgotByPhone'] }).click()
  await page.getByLabel(words['forgotten.phone']).fill(phone)
  await page.getByRole('button', { name: words['forgotten.send'] }).click()
  const code = page.getByLabel(words['forgotten.code'])
  await expect(code).toBeFocused()
  await code.fill(await codeSentTo(phone))
  await page.getByRole('button', { name: words['forgotten.next'] }).click()
  await expect(page.getByText('pharmacist', { exact: true })).toBeVisible()
  await page.getByLabel(words['password.new'], { exact: true }).fill('remembered-1')
  await page.getByLabel(words['password.again'], { exact: true }).fill('remembered-1')
  await page.getByRole('button', { name: words['password.submit'] }).click()
  await expect(page.getByText(words['password.done'])).toBeVisible()
  await enter(page, 'pharmacist', 'remembered-1')
  await expect(page).toHaveURL('/dashboard')
  await page.context().close()
})

/** Nobody reads a code but its receiver: here it is opened with the keys that lie in the server's own folder. */
async function codeSentTo(phone: string): Promise<string> {
  const [sent] = await query<{ sealed: Buffer }>(
    server,
    `select sealed_body as sealed from outbox_message where receiver = $1 and type = 'password.code' order by id desc`,
    [phone],
  )
  if (!sent) throw new Error(`no code for ${phone}`)
  return /\d{6}/.exec(readMessage(server.place.dataDir, phone, sent.sealed))?.[0] ?? ''
}
