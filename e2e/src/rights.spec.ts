import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, filled, formOf, menuOf, openRow, send, signedIn, told } from './kit/desk'
import type { RunningServer } from './kit/harness'
import { startQuietServer } from './kit/machines'

/** What people may do is changed while they work; on a server of its own, since everybody is touched. */
test.describe.configure({ mode: 'serial' })

const { merchant, rights, screens, system } = catalogs.zh
const pathOf = (key: string): string => screenOf(key).path
let server: RunningServer
let admin: Page
let boss: Page
let finance: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  admin = await signedIn(browser, 'admin', server.url)
  boss = await signedIn(browser, 'merchant', server.url)
  finance = await signedIn(browser, 'finance', server.url)
})
test.afterAll(async () => {
  for (const page of [admin, boss, finance]) await page.context().close()
  await server.stop()
})

const groupIn = (page: Page, key: 'group.shkf' | 'group.tjfx'): Locator => button(menuOf(page), screens[key])

/** The tick of a page's action on the tree of permissions, found by the page's name. */
async function tickOf(page: Page, screen: keyof typeof screens, action: string): Promise<Locator> {
  await page.getByRole('searchbox', { name: rights['permissions.search'] }).fill(screens[screen])
  const line = page
    .locator('[data-part~=permission-page]')
    .filter({ has: page.getByLabel(screens[screen], { exact: true }) })
  return line.getByLabel(action, { exact: true })
}

async function openPermissions(page: Page, role: string): Promise<void> {
  const drawer = await openRow(page, pathOf('xtgl/jsgl'), role)
  await drawer.getByRole('link', { name: rights['role.openPermissions'] }).click()
  await expect(page.getByRole('region', { name: role, exact: true })).toBeVisible()
}

const effectOf = (page: Page): Locator => page.getByRole('complementary', { name: rights['preview.title'] })

test('what a role gains and loses is shown before it is saved, and is there for its people at once', async () => {
  await expect(groupIn(finance, 'group.tjfx')).toBeVisible()
  await expect(groupIn(finance, 'group.shkf')).toBeHidden()
  await finance.evaluate(() => Object.assign(window, { isSame: true }))
  await openPermissions(boss, '财务')
  await (await tickOf(boss, 'shkf/wtfk', rights['action.read'])).check()
  await (await tickOf(boss, 'tjfx/jqjytj', rights['action.read'])).uncheck()
  const effect = effectOf(boss)
  await expect(effect.locator('[data-effect=good]').first()).toContainText(screens['shkf/wtfk'])
  await expect(effect.locator('[data-effect=bad]').first()).toContainText(screens['tjfx/jqjytj'])
  await expect(effect).toContainText(rights['preview.menusAppear'])
  await expect(effect).toContainText(rights['preview.menusVanish'])
  await expect(groupIn(finance, 'group.tjfx')).toBeVisible()
  await button(effect, rights['permissions.save']).click()
  await expect(told(boss, filled(rights['permissions.saved'], { count: 3 }))).toBeVisible()
  await expect(groupIn(finance, 'group.shkf')).toBeVisible()
  await expect(groupIn(finance, 'group.tjfx')).toBeHidden()
  expect(await finance.evaluate(() => 'isSame' in window)).toBe(true)
})

test('nobody gives what they do not have, nor what they lost meanwhile', async () => {
  await openPermissions(boss, '值班经理')
  await expect(await tickOf(boss, 'xtgl/cdgl', rights['action.read'])).toBeDisabled()
  const member = await tickOf(boss, 'shgl/zjgl', rights['action.write'])
  await member.click()
  await openPermissions(admin, '商户管理员')
  await (await tickOf(admin, 'shgl/zjgl', rights['action.write'])).uncheck()
  await button(effectOf(admin), rights['permissions.save']).click()
  await expect(member).toBeDisabled()
  await button(effectOf(boss), rights['permissions.save']).click()
  const [before = ''] = rights['refusal.role.notYours'].split('{{')
  await expect(effectOf(boss).getByRole('alert')).toContainText(before)
  await expect(effectOf(boss).getByRole('alert')).toContainText(screens['shgl/zjgl'])
})

test('a function that is switched off is gone for everybody, and comes back', async () => {
  const drawer = await openRow(admin, `${pathOf('xtgl/gngl')}?q=order.read`, 'order.read')
  await finance.goto(pathOf('jygl/ddgl'))
  await expect(finance.getByRole('table')).toBeVisible()
  await button(drawer, rights['verb.switchOff']).click()
  await field(formOf(admin), rights['field.reason']).fill('数据核对')
  await send(admin, rights['verb.switchOff'])
  await expect(drawer).toContainText('数据核对')
  const closed = finance.getByRole('heading', { level: 1 })
  await expect(closed).toHaveText(filled(system['forbidden.title'], { title: screens['jygl/ddgl'] }))
  await expect(menuOf(finance).getByRole('link', { name: screens['jygl/ddgl'] })).toBeHidden()
  await button(drawer, rights['verb.switchOn']).click()
  await send(admin, rights['verb.switchOn'])
  await expect(finance.getByRole('table')).toBeVisible()
  await expect(menuOf(finance).getByRole('link', { name: screens['jygl/ddgl'] })).toBeVisible()
})

test('a menu that is renamed reads so for everybody, until it is as shipped again', async () => {
  await admin.goto(pathOf('xtgl/cdgl'))
  const tree = admin.getByRole('region', { name: rights['menu.tree'] })
  await button(tree, screens['jygl/ddgl']).click()
  const entry = admin.getByRole('region', { name: rights['menu.entry'] })
  await entry.getByLabel('中文').fill('订单台账')
  await button(entry, rights['menu.save']).click()
  await expect(menuOf(finance).getByRole('link', { name: '订单台账' })).toBeVisible()
  await button(entry, rights['verb.resetEntry']).click()
  await send(admin, rights['verb.resetEntry'])
  await expect(menuOf(finance).getByRole('link', { name: screens['jygl/ddgl'], exact: true })).toBeVisible()
})

test('an administrator looks with the eyes of a role, changes nothing meanwhile, and leaves', async () => {
  const drawer = await openRow(admin, pathOf('xtgl/jsgl'), '商户管理员')
  await button(drawer, rights['verb.viewAs']).click()
  await send(admin, rights['verb.viewAs'])
  const banner = told(admin, filled(rights['viewing.banner'], { name: '商户管理员' }))
  await expect(banner).toBeVisible()
  await admin.goto(pathOf('xtgl/cdgl'))
  await expect(admin.getByRole('heading', { level: 1 })).toHaveText(
    filled(system['forbidden.title'], { title: screens['xtgl/cdgl'] }),
  )
  await button(await openRow(admin, pathOf('shgl/wdsh'), 'SOUTH'), merchant['verb.editMerchant']).click()
  await field(formOf(admin), merchant['field.contact']).fill('谁也不是')
  await send(admin, merchant['verb.editMerchant'])
  await expect(formOf(admin).getByRole('alert')).toContainText(rights['refusal.viewing.readOnly'])
  await button(formOf(admin), catalogs.zh.kernel['action.cancel']).click()
  await button(admin, catalogs.zh.admin['form.leave.yes']).click()
  await button(banner, rights['viewing.stop']).click()
  await expect(banner).toBeHidden()
  await expect(drawerOf(admin)).not.toContainText('谁也不是')
  await admin.goto(pathOf('xtgl/cdgl'))
  await expect(admin.getByRole('region', { name: rights['menu.tree'] })).toBeVisible()
})
