import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { LOGO_LONGEST_SIDE, MAX_PICTURE_BYTES } from '@aisle/contract/system/picture'
import { brandColour, brandName, phoneRule } from '@aisle/contract/system/settings'
import { button, field, filled, formOf, menuOf, openRow, send, signedIn, told } from './kit/desk'
import type { RunningServer } from './kit/harness'
import { startQuietServer } from './kit/machines'
import { phonePhoto } from './kit/photo'

/** What administrators set holds for others while they work; on a server of its own, since it holds for everybody. */
test.describe.configure({ mode: 'serial' })

const { people, system } = catalogs.zh
let server: RunningServer
let admin: Page
let boss: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  admin = await signedIn(browser, 'admin', server.url)
  boss = await signedIn(browser, 'merchant', server.url)
  await boss.evaluate(() => Object.assign(window, { isSame: true }))
})
test.afterAll(async () => {
  for (const page of [admin, boss]) await page.context().close()
  await server.stop()
})

const settingOf = (within: Page | Locator, name: string): Locator => within.getByRole('group', { name })
const wordOf = (key: string): string => Object.entries(system).find(([name]) => name === `setting.${key}`)?.[1] ?? key

async function save(row: Locator): Promise<void> {
  await button(row, system['setting.save']).click()
  await expect(button(row, system['setting.reset'])).toBeVisible()
}

async function openTool(page: Page, name: string): Promise<void> {
  await button(page, system['shell.tools']).click()
  await page.getByRole('menuitem', { name }).click()
}

test('name, logo and colour of the platform show in an open page of somebody else', async () => {
  const title = boss.locator('[data-part~=top-logo]')
  const current = menuOf(boss).locator('[aria-current=page]')
  const colour = () => current.evaluate((link) => getComputedStyle(link).color)
  const before = await colour()
  await admin.goto(screenOf('xtgl/sz').path)
  await openTool(admin, system['tool.logo'])
  const name = settingOf(formOf(admin), wordOf(brandName.key))
  await field(name, wordOf(brandName.key)).fill('云上售货')
  await save(name)
  await expect(title).toHaveText('云上售货')
  const logo = settingOf(formOf(admin), wordOf('brand.logo'))
  const photo = await phonePhoto(admin)
  expect(photo.length).toBeGreaterThan(MAX_PICTURE_BYTES)
  await logo.locator('input[type=file]').setInputFiles({ name: 'logo.jpg', mimeType: 'image/jpeg', buffer: photo })
  await save(logo)
  await expect(title.locator('img')).toHaveJSProperty('naturalWidth', 240)
  await expect(title.locator('img')).toHaveJSProperty('naturalHeight', LOGO_LONGEST_SIDE)
  await button(formOf(admin), catalogs.zh.kernel['action.close']).click()
  await openTool(admin, system['tool.theme'])
  const theme = settingOf(formOf(admin), wordOf(brandColour.key))
  await field(theme, wordOf(brandColour.key)).fill('red')
  await expect(button(theme, system['setting.save'])).toHaveAttribute('aria-disabled', 'true')
  await field(theme, wordOf(brandColour.key)).fill('#8a2be2')
  await save(theme)
  await expect.poll(colour).not.toBe(before)
  expect(await boss.evaluate(() => 'isSame' in window)).toBe(true)
})

test('a narrower rule for telephone numbers holds in a form that is open', async () => {
  await boss.goto(screenOf('shgl/xzyh').path)
  const phone = field(boss, people['field.phone'])
  await phone.fill('16600138000')
  await phone.blur()
  await expect(phone).not.toHaveAttribute('aria-invalid', 'true')
  await admin.goto(`${screenOf('xtgl/sz').path}?tab=security`)
  const row = settingOf(admin, wordOf(phoneRule.key))
  await row.getByRole('combobox').selectOption({ label: wordOf('phone.rule.narrow') })
  await save(row)
  await expect(async () => {
    await phone.fill('')
    await phone.fill('16600138000')
    await phone.blur()
    await expect(phone).toHaveAttribute('aria-invalid', 'true', { timeout: 1_000 })
  }).toPass()
})

test('a text that is said otherwise reads so in every open page, and only with its places', async () => {
  const key = 'palette.open'
  const drawer = await openRow(admin, `${screenOf('xtgl/yysz').path}?q=${key}&namespace=system`, key)
  await drawer.getByLabel('中文').fill('找 {{what}}')
  await button(drawer, system['verb.overrideText']).click()
  await expect(drawer.getByLabel('中文')).toHaveAttribute('aria-invalid', 'true')
  await drawer.getByLabel('中文').fill('找机器，找订单')
  await button(drawer, system['verb.overrideText']).click()
  await expect(told(admin, filled(system['verb.overrideText.done'], { key }))).toBeVisible()
  await expect(boss.getByRole('button', { name: '找机器，找订单' })).toBeVisible()
  await button(drawer, system['verb.resetText']).click()
  await send(admin, system['verb.resetText'])
  await expect(boss.getByRole('button', { name: system['palette.open'] })).toBeVisible()
})
