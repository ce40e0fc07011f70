import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import {
  button,
  drawerOf,
  enterFirst,
  field,
  filled,
  formOf,
  openDesk,
  openRow,
  passwordToldOnce,
  send,
  signedIn,
  told,
} from './kit/desk'
import { loginForm } from './kit/loginForm'

/** A merchant begins below another one, is edited by two people at once, and is stopped while its people work. */
test.describe.configure({ mode: 'serial' })

const { admin: kit, kernel, merchant } = catalogs.zh
const LIST = screenOf('shgl/wdsh').path
const PARENT = '江南云柜智能科技有限公司'
/** Another name a run: what was made stays, and a second try makes its own. */
const run = randomUUID().slice(0, 4).toUpperCase()
const own = {
  code: `EAST${run}`,
  name: `书香角零售 ${run}`,
  account: `east-${run.toLowerCase()}`,
  admin: `高云书 ${run}`,
  secret: 'Rain-on-7-roofs',
}
let admin: Page
let given: string
let parent: Page

test.beforeAll(async ({ browser }) => {
  admin = await signedIn(browser, 'admin')
  parent = await signedIn(browser, 'merchant')
})
test.afterAll(() => Promise.all([admin.context().close(), parent.context().close()]))

test('bad input is refused beside its fields and stays; once right, the parent sees the new merchant', async () => {
  await parent.goto(LIST)
  await expect(parent.getByRole('table')).toContainText(PARENT)
  await admin.goto(LIST)
  await button(admin, merchant['verb.createMerchant']).click()
  const form = formOf(admin)
  await field(form, merchant['field.parentId']).fill('江南云柜')
  await form.getByRole('option', { name: PARENT }).click()
  await field(form, merchant['field.code']).fill('east book')
  await field(form, merchant['field.name']).fill(own.name)
  await field(form, merchant['field.loginName']).fill(own.account)
  await field(form, merchant['field.adminName']).fill(own.admin)
  await field(form, merchant['field.adminPhone']).fill('12800138001')
  await send(admin, merchant['verb.createMerchant'])
  const rules = { code: merchant['rule.code'], adminPhone: kernel['rule.mobile.wide'] } as const
  for (const name of ['code', 'adminPhone'] as const) {
    await expect(field(form, merchant[`field.${name}`])).toHaveAttribute('aria-invalid', 'true')
    await expect(field(form, merchant[`field.${name}`])).toHaveAccessibleDescription(rules[name])
  }
  await field(form, merchant['field.code']).fill('EAST')
  await field(form, merchant['field.adminPhone']).fill('13800138001')
  await send(admin, merchant['verb.createMerchant'])
  await expect(form.getByRole('alert')).toContainText(filled(merchant['refusal.merchant.codeTaken'], { code: 'EAST' }))
  await expect(form.getByRole('alert')).toContainText(kit['failed.add'])
  await expect(field(form, merchant['field.name'])).toHaveValue(own.name)
  await expect(field(form, merchant['field.adminPhone'])).toHaveValue('13800138001')
  await field(form, merchant['field.code']).fill(own.code)
  await send(admin, merchant['verb.createMerchant'])
  given = await passwordToldOnce(admin, own.admin)
  await expect(form).toBeHidden()
  await expect(parent.getByRole('row').filter({ hasText: own.code })).toContainText(own.name)
})

test('of two who edit it at once, the second is told what changed, and what they typed stays', async () => {
  for (const [page, contact] of [
    [admin, '林一'],
    [parent, '林二'],
  ] as const) {
    const drawer = await openRow(page, LIST, own.code)
    await button(drawer, merchant['verb.editMerchant']).click()
    await field(formOf(page), merchant['field.contact']).fill(contact)
  }
  // There is one platform, and no merchant becomes one.
  const types = field(formOf(admin), merchant['field.type']).getByRole('option')
  await expect(types).toHaveText([
    merchant['merchantType.ordinary'],
    merchant['merchantType.product'],
    merchant['merchantType.pharmaceutical'],
  ])
  await field(formOf(admin), merchant['field.address']).fill('文汇路 7 号')
  await send(admin, merchant['verb.editMerchant'])
  await expect(told(admin, filled(merchant['verb.editMerchant.done'], { name: own.name }))).toBeVisible()
  await send(parent, merchant['verb.editMerchant'])
  const form = formOf(parent)
  await expect(form.getByRole('alert')).toHaveText(kernel['refusal.edit.stale'])
  await expect(form).toContainText(filled(kernel['field.changed'], { now: '林一' }))
  await expect(field(form, merchant['field.contact'])).toHaveValue('林二')
  // What the second left alone is the first's: saving again does not put the old one back.
  await expect(field(form, merchant['field.address'])).toHaveValue('文汇路 7 号')
  await expect(form).toContainText(kit['form.taken'])
  await send(parent, merchant['verb.editMerchant'])
  await expect(form).toBeHidden()
  await expect(drawerOf(admin)).toContainText('林二')
  await drawerOf(admin).getByRole('tab', { name: merchant['tab.history'] }).click()
  await expect(drawerOf(admin)).toContainText('林一 → 林二')
  await expect(drawerOf(admin)).not.toContainText('文汇路 7 号 →')
})

test('a merchant that is stopped is out at once; whether its machines sell on is asked', async ({ browser }) => {
  const worker = await openDesk(browser)
  await enterFirst(worker, { account: own.account, given, own: own.secret })
  await worker.goto(LIST)
  await expect(worker.getByRole('table')).toContainText(own.name)
  const drawer = await openRow(admin, LIST, own.code)
  await button(drawer, merchant['verb.stopMerchant']).click()
  const form = formOf(admin)
  await send(admin, merchant['verb.stopMerchant'])
  await expect(field(form, merchant['field.machines'])).toHaveAttribute('aria-invalid', 'true')
  await field(form, merchant['field.machines']).selectOption({ label: merchant['machines.stop'] })
  await field(form, merchant['field.reason']).fill('合同到期')
  await send(admin, merchant['verb.stopMerchant'])
  await expect(drawer.getByText(merchant['merchantState.stopped'], { exact: true })).toBeVisible()
  await expect(drawer).toContainText(merchant['merchant.sellsNot'])
  const end = worker.getByRole('alertdialog', { name: kernel['session.expired.title'] })
  await end.getByRole('button', { name: kernel['session.signInAgain'] }).click()
  await expect(worker).toHaveURL('/login')
  await button(drawer, merchant['verb.resumeMerchant']).click()
  await send(admin, merchant['verb.resumeMerchant'])
  await expect(drawer.getByText(merchant['merchantState.active'], { exact: true })).toBeVisible()
  await loginForm(worker).fill(own.account, own.secret)
  await loginForm(worker).password.press('Enter')
  await expect(worker).not.toHaveURL(/login/)
  await worker.context().close()
})

test('a merchant that is moved vanishes at once from the list of whom it leaves', async () => {
  await parent.goto(LIST)
  const row = parent.getByRole('row').filter({ hasText: own.code })
  await expect(row).toBeVisible()
  await button(await openRow(admin, LIST, own.code), merchant['verb.moveMerchant']).click()
  await field(formOf(admin), merchant['field.parentId']).fill('岭海智柜')
  await formOf(admin).getByRole('option', { name: '岭海智柜' }).click()
  await send(admin, merchant['verb.moveMerchant'])
  await expect(told(admin, filled(merchant['verb.moveMerchant.done'], { name: own.name }))).toBeVisible()
  await expect(row).toBeHidden()
})
