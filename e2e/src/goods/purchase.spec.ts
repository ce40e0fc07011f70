import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { holdUp } from '../kit/camera'
import { button, drawerOf, field, filled, formOf, openRow, send, signedIn, told } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** An order from its draft to its goods in the store and what is owed for them, at a desk. */
const { purchase: words, admin: kit } = catalogs.zh
let server: RunningServer
let buyer: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  buyer = await signedIn(browser, 'merchant', server.url)
})
test.afterAll(async () => {
  await buyer.context().close()
  await server.stop()
})

async function choose(label: string, typed: string): Promise<void> {
  await field(formOf(buyer), label).fill(typed)
  await expect(formOf(buyer).getByRole('listbox').getByRole('option').first()).toBeVisible()
  await buyer.keyboard.press('Enter')
}

async function newest(table: 'purchase_order' | 'goods_receipt'): Promise<string> {
  const [found] = await query<{ no: string }>(server, `select no from ${table} order by id desc limit 1`)
  return found?.no ?? ''
}

test('goods are ordered, sent for, received as they were ordered, and owed for', async () => {
  const { path } = screenOf('jxcgl/cgd')
  await buyer.goto(path)
  await button(buyer, words['verb.addPurchaseOrder']).click()
  await choose(words['field.supplierId'], '百味')
  await choose(words['field.warehouseId'], '临平')
  // What there is stands there before anything is typed.
  await field(formOf(buyer), words['order.pick']).press('ArrowDown')
  await expect(formOf(buyer).getByRole('listbox').getByRole('option').first()).toBeVisible()
  await buyer.keyboard.press('ArrowDown')
  await buyer.keyboard.press('Enter')
  await send(buyer, words['verb.addPurchaseOrder'])
  await expect(told(buyer, words['verb.addPurchaseOrder.done'])).toBeVisible()
  const no = await newest('purchase_order')
  await openRow(buyer, path, no)
  const step = async (verb: 'submitPurchaseOrder' | 'sendPurchaseOrder' | 'receiveOrder') => {
    await button(drawerOf(buyer), words[`verb.${verb}`]).click()
    if (verb === 'sendPurchaseOrder') await field(formOf(buyer), words['field.how']).selectOption('print')
    await send(buyer, words[`verb.${verb}`])
    await expect(told(buyer, filled(words[`verb.${verb}.done`], { no }))).toBeVisible()
  }
  await step('submitPurchaseOrder')
  await step('sendPurchaseOrder')
  await step('receiveOrder')
  await expect(drawerOf(buyer).getByText(words['purchaseOrderState.received']).first()).toBeVisible()
  const receipt = await newest('goods_receipt')
  await openRow(buyer, screenOf('jxcgl/rkdj').path, receipt)
  await expect(drawerOf(buyer).getByText(words['goodsReceiptState.putAway']).first()).toBeVisible()
  await buyer.goto(`${screenOf('jxcgl/sfk').path}?q=${receipt}`)
  await expect(buyer.getByText(receipt).first()).toBeVisible()
  for (const part of ['balances', 'invoices', 'payments'] as const) {
    await buyer.goto(`${screenOf('jxcgl/sfk').path}?part=${part}`)
    await expect(buyer.getByRole('link', { name: words[`part.${part}`], exact: true })).toBeVisible()
  }
})

test('packs of a medicine are scanned as they come, not taken past their day, and put away by another person', async ({
  browser,
}) => {
  const [{ name, prefix } = { name: '', prefix: '' }] = await query<{ name: string; prefix: string }>(
    server,
    `select p.name, left(u.code, 7) as prefix from supplier_product o join supplier s on s.id = o.supplier_id
      join product p on p.id = o.product_id join trace_code u on u.product_id = p.id
      where s.name like '%康源%' and p.kind = 'medicine' order by p.id limit 1`,
  )
  const codeOf = (n: number) => `${prefix}${String(n).padStart(13, '7')}`
  const { path } = screenOf('jxcgl/rkdj')
  await buyer.goto(path)
  await button(buyer, words['verb.addGoodsReceipt']).click()
  await choose(words['field.supplierId'], '康源')
  await choose(words['field.warehouseId'], '药品常温')
  const form = formOf(buyer)
  await field(form, words['receipt.pick']).fill(name)
  await form.getByRole('option', { name }).first().click()
  const line = (of: 'batch' | 'expiresOn' | 'announced' | 'counted' | 'temperatureC') =>
    form.getByLabel(new RegExp(`: ${words[`field.${of}`].replace(/[()]/g, '\\$&')}$`))
  await line('batch').fill('E2E01')
  await line('expiresOn').fill('2020-01-31')
  await line('announced').fill('2')
  await line('counted').fill('2')
  await line('temperatureC').fill('21')
  const camera = () => button(form, kit['scan.start'])
  await holdUp(buyer, codeOf(1))
  await camera().click()
  const scanned = form.getByLabel(new RegExp(`: ${words['field.codes']}$`))
  await expect(scanned).toHaveValue(codeOf(1))
  await holdUp(buyer, codeOf(2))
  await button(form, kit['scan.stop']).click()
  await camera().click()
  await expect(scanned).toHaveValue(`${codeOf(1)}\n${codeOf(2)}`)
  await send(buyer, words['verb.addGoodsReceipt'])
  await expect(form.getByText(filled(words['refusal.receipt.expired'], { name, batch: 'E2E01' }))).toBeVisible()
  await line('expiresOn').fill('2035-01-31')
  await send(buyer, words['verb.addGoodsReceipt'])
  await expect(told(buyer, words['verb.addGoodsReceipt.done'])).toBeVisible()
  const no = await newest('goods_receipt')
  await openRow(buyer, path, no)
  await expect(drawerOf(buyer)).toContainText(words['receiptSecond.medicine'])
  await expect(drawerOf(buyer).getByText(words['verb.acceptGoodsReceipt.not'])).toBeVisible()
  const second = await signedIn(browser, 'admin', server.url)
  await openRow(second, path, no)
  await button(drawerOf(second), words['verb.acceptGoodsReceipt']).click()
  await send(second, words['verb.acceptGoodsReceipt'])
  await expect(drawerOf(second).getByText(words['goodsReceiptState.putAway']).first()).toBeVisible()
  await expect(drawerOf(second).getByRole('link', { name: codeOf(2) })).toBeVisible()
  await second.context().close()
})
