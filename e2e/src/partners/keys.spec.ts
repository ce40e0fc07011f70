import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { expect, type Page, test } from '@playwright/test'
import { button, drawerOf, field, filled, formOf, openRow, pick, send, signedIn, told } from '../kit/desk'

/** An administrator lets another company's program in, and out again. */
test.describe.configure({ mode: 'serial' })

const { events: words, rights } = catalogs.zh
const NAME = '仓储系统'
const machines = `${catalogs.zh.screens['shj/wdshj']} · ${rights['action.read']}`
const url = process.env.AISLE_E2E_URL ?? ''
let admin: Page
let key: string

test.beforeAll(async ({ browser }) => {
  admin = await signedIn(browser, 'admin')
})
test.afterAll(() => admin.context().close())

async function call(path: string): Promise<{ status: number; code: string }> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  return { status: answer.status, code: String(((await answer.json()) as { code: unknown }).code) }
}

test('a key is made with what its maker chose, and shown once', async () => {
  await admin.goto(screenOf('xtgl/kfmy').path)
  await button(admin, words['verb.addApiKey']).click()
  const form = formOf(admin)
  await field(form, words['field.name']).fill(NAME)
  await pick(admin, words['field.merchantId'], '江南禾康')
  await field(form, words['field.expiresOn']).fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10))
  await form.getByRole('searchbox', { name: words['scopes.search'] }).fill('machine.read')
  await form.getByRole('checkbox', { name: machines }).check()
  await expect(form).toContainText(filled(words['scopes.count'], { count: 1 }))
  await send(admin, words['verb.addApiKey'])
  const once = formOf(admin).locator('code')
  await expect(once).toContainText('aisle_live_')
  key = await once.innerText()
  await button(formOf(admin), words['apiKey.saved']).click()
  expect(await call('/api/machines?pageSize=5')).toEqual({ status: 200, code: 'H0000' })
  expect(await call('/api/orders?pageSize=5')).toEqual({ status: 403, code: 'request.notPermitted' })
})

test('revoked, it opens nothing any more', async () => {
  const drawer = await openRow(admin, screenOf('xtgl/kfmy').path, NAME)
  await expect(drawer).toContainText(words['section.scopes'])
  await button(drawerOf(admin), words['verb.revokeApiKey']).click()
  await send(admin, words['verb.revokeApiKey'])
  await expect(told(admin, words['verb.revokeApiKey.done'])).toBeVisible()
  expect(await call('/api/machines?pageSize=5')).toEqual({ status: 401, code: 'apiKey.revoked' })
})
