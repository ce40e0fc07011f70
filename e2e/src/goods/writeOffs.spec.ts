import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, filled, formOf, openRow, send, signedIn, told } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** Goods that are lost, and back on the same day; goods that go back to who brought them, and the credit for them. */
const { stock: words, purchase } = catalogs.zh
let server: RunningServer
let keeper: Page
let admin: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  keeper = await signedIn(browser, 'merchant', server.url)
  admin = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  for (const page of [keeper, admin]) await page.context().close()
  await server.stop()
})

test('pieces in a store are written off, and taken back by another person', async () => {
  const { path } = screenOf('jxcgl/bs')
  await keeper.goto(path)
  await button(keeper, words['verb.writeOffGoods']).click()
  await field(formOf(keeper), words['writeOff.pick']).fill('临平')
  await expect(formOf(keeper).getByRole('listbox').getByRole('option').first()).toBeVisible()
  await keeper.keyboard.press('ArrowDown')
  await keeper.keyboard.press('Enter')
  await formOf(keeper)
    .getByRole('textbox', { name: new RegExp(`^${words['field.quantity']} `) })
    .fill('3')
  await field(formOf(keeper), words['field.why']).selectOption('missing')
  await field(formOf(keeper), words['field.note']).fill('货架上找不到')
  await send(keeper, words['verb.writeOffGoods'])
  await expect(told(keeper, filled(words['writeOff.told'], { done: 1, waiting: 0 }))).toBeVisible()
  const [row] = await query<{ name: string; id: number }>(
    server,
    `select p.name, w.id from write_off w join product p on p.id = w.product_id order by w.id desc limit 1`,
  )
  const { name = '', id = 0 } = row ?? {}
  await admin.goto(`${path}?open=${id}`)
  await expect(drawerOf(admin).getByText('货架上找不到').first()).toBeVisible()
  await button(drawerOf(admin), words['verb.reverseWriteOff']).click()
  await field(formOf(admin), words['field.reason']).fill('后来找到了')
  await send(admin, words['verb.reverseWriteOff'])
  await expect(told(admin, words['verb.reverseWriteOff.done'])).toBeVisible()
  await expect(drawerOf(admin).getByText(words['writeOffState.reversed']).first()).toBeVisible()
  await openRow(keeper, path, name)
})

test('goods go back to their supplier, and so much less is owed once they are credited', async () => {
  const { path } = screenOf('jxcgl/bs')
  await keeper.goto(`${path}?part=returns`)
  await button(keeper, purchase['verb.addSupplierReturn']).click()
  const choose = async (label: string, typed: string) => {
    await field(formOf(keeper), label).fill(typed)
    await expect(formOf(keeper).getByRole('listbox').getByRole('option').first()).toBeVisible()
    await keeper.keyboard.press('Enter')
  }
  await choose(purchase['field.supplierId'], '百味')
  await choose(purchase['field.fromId'], '临平')
  await field(formOf(keeper), purchase['return.pick']).press('ArrowDown')
  await expect(formOf(keeper).getByRole('listbox').getByRole('option').first()).toBeVisible()
  await keeper.keyboard.press('ArrowDown')
  await keeper.keyboard.press('Enter')
  await formOf(keeper)
    .getByRole('textbox', { name: new RegExp(`^${purchase['field.quantity']} `) })
    .fill('2')
  await field(formOf(keeper), purchase['field.why']).selectOption('wrong')
  await send(keeper, purchase['verb.addSupplierReturn'])
  await expect(told(keeper, purchase['verb.addSupplierReturn.done'])).toBeVisible()
  const [made] = await query<{ no: string }>(server, 'select no from supplier_return order by id desc limit 1')
  const no = made?.no ?? ''
  await keeper.goto(`${path}?part=returns&q=${no}`)
  await keeper.getByRole('table').getByRole('link', { name: no }).first().click()
  for (const verb of ['approveSupplierReturn', 'sendSupplierReturn', 'creditSupplierReturn'] as const) {
    await button(drawerOf(keeper), purchase[`verb.${verb}`]).click()
    if (verb === 'creditSupplierReturn') await field(formOf(keeper), purchase['field.creditNote']).fill('CN-001')
    await send(keeper, purchase[`verb.${verb}`])
    await expect(told(keeper, filled(purchase[`verb.${verb}.done`], { no }))).toBeVisible()
  }
  await keeper.goto(`${screenOf('jxcgl/sfk').path}?q=${no}`)
  await expect(keeper.getByText(purchase['payableState.open']).first()).toBeVisible()
})
