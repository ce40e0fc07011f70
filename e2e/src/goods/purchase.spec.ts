import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { button, drawerOf, field, filled, formOf, openRow, send, signedIn, told } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** An order from its draft to its goods in the store and what is owed for them, at a desk. */
const words = catalogs.zh.purchase
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
