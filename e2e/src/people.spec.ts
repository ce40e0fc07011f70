import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import {
  button,
  drawerOf,
  enterFirst,
  field,
  filled,
  formOf,
  menuOf,
  openDesk,
  openUserMenu,
  passwordToldOnce,
  send,
  signedIn,
  told,
} from './kit/desk'

/** Somebody joins a merchant, works in two roles, and the units that people are in cannot be lost. */
test.describe.configure({ mode: 'serial' })

const { admin: kit, kernel, people, rights, screens } = catalogs.zh
/** Another name a run: what was made stays, and a second try makes its own. */
const run = randomUUID().slice(0, 4)
const own = { account: `gu-${run}`, name: `顾新来 ${run}`, phone: '13800138002', secret: 'Rain-on-7-roofs' }
const units = { top: `新店筹备部 ${run}`, below: `选址组 ${run}` }
const desks = { service: '客服（模板）', finance: '财务（模板）' }
let boss: Page
let given: string
let newcomer: Page

test.beforeAll(async ({ browser }) => {
  boss = await signedIn(browser, 'merchant')
  newcomer = await openDesk(browser)
})
test.afterAll(() => Promise.all([boss.context().close(), newcomer.context().close()]))

test('somebody new is added with roles; what is refused keeps what was entered', async () => {
  await boss.goto(screenOf('shgl/wdtd').path)
  await boss.getByRole('link', { name: people['user.add'] }).click()
  const save = button(boss, people['verb.addUser'])
  await field(boss, people['field.account']).fill('operator')
  await field(boss, people['field.name']).fill(own.name)
  await field(boss, people['field.phone']).fill('12800138002')
  for (const role of Object.values(desks)) await boss.getByRole('checkbox', { name: role }).check()
  await save.click()
  await expect(field(boss, people['field.phone'])).toHaveAccessibleDescription(kernel['rule.mobile.wide'])
  await field(boss, people['field.phone']).fill(own.phone)
  await save.click()
  const taken = filled(people['refusal.user.accountTaken'], { account: 'operator' })
  await expect(boss.getByRole('alert').filter({ hasText: taken })).toBeVisible()
  await expect(field(boss, people['field.name'])).toHaveValue(own.name)
  await field(boss, people['field.account']).fill(own.account)
  await save.click()
  given = await passwordToldOnce(boss, own.name)
  const drawer = drawerOf(boss)
  await expect(drawer.getByRole('heading', { level: 2 })).toContainText(own.name)
  await expect(drawer).toContainText(people['user.mustChange'])
})

test('the first sign-in ends with a password of their own, and leads nowhere else before', async () => {
  await enterFirst(newcomer, { ...own, given, own: own.secret })
  await expect(menuOf(newcomer)).toContainText(screens['group.shkf'])
  await expect(drawerOf(boss)).not.toContainText(people['user.mustChange'])
})

test('who holds two roles works in one of them or in both, and the menu follows', async () => {
  const menu = menuOf(newcomer)
  const groups = { service: menu.getByText(screens['group.shkf']), finance: menu.getByText(screens['group.tjfx']) }
  const switchTo = async (role: string) => {
    await openUserMenu(newcomer)
    await newcomer.getByRole('menuitemradio', { name: role, exact: true }).click()
  }
  await switchTo(desks.finance)
  await expect(told(newcomer, filled(rights['acting.switched'], { name: desks.finance }))).toBeVisible()
  await expect(groups.finance).toBeVisible()
  await expect(groups.service).toBeHidden()
  await switchTo(desks.service)
  await expect(groups.service).toBeVisible()
  await expect(groups.finance).toBeHidden()
  await switchTo(rights['acting.all'])
  await expect(groups.service).toBeVisible()
  await expect(groups.finance).toBeVisible()
})

test('a unit with something below it cannot be deleted, and what it is is said', async ({ browser }) => {
  const path = screenOf('xtgl/zzgl').path
  const chosen = (page: Page): Locator => page.getByRole('region', { name: people['unit.chosen'] })
  const add = async (page: Page, verb: 'addUnit' | 'addUnitBelow', name: string) => {
    await button(page, people[`verb.${verb}`]).click()
    await field(formOf(page), people['field.name']).fill(name)
    await send(page, people[`verb.${verb}`])
  }
  await boss.goto(path)
  await add(boss, 'addUnit', units.top)
  await boss.getByRole('treeitem', { name: units.top }).click()
  const admin = await signedIn(browser, 'admin')
  await admin.goto(new URL(boss.url()).pathname + new URL(boss.url()).search)
  await button(chosen(boss), people['verb.removeUnit']).click()
  // Meanwhile somebody else hangs a team below it.
  await add(admin, 'addUnitBelow', units.below)
  await expect(admin.getByRole('treeitem', { name: units.below })).toBeVisible()
  await send(boss, people['verb.removeUnit'])
  await expect(formOf(boss).getByRole('alert')).toContainText(
    filled(kernel['refusal.request.inUse'], { uses: units.below }),
  )
  await expect(formOf(boss).getByRole('alert')).toContainText(kit['failed.remove'])
  await button(formOf(boss), kernel['action.cancel']).click()
  await expect(told(boss, kit['cancelled.remove'])).toBeVisible()
  const remove = chosen(boss).getByRole('button', { name: people['verb.removeUnit'] })
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  await expect(remove).toContainText(filled(people['verb.removeUnit.not'], { children: 1, members: 0, machines: 0 }))
  for (const name of [units.below, units.top]) {
    await boss.getByRole('treeitem', { name }).click()
    await button(chosen(boss), people['verb.removeUnit']).click()
    await send(boss, people['verb.removeUnit'])
    await expect(admin.getByRole('treeitem', { name })).toBeHidden()
  }
  await admin.context().close()
})
