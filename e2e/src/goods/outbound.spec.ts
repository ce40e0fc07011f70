import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { expect, type Page, test } from '@playwright/test'
import { button, drawerOf, field, filled, formOf, openRow, send, signedIn, told } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** Goods from the warehouse into a replenisher's bag, and what is left back again, at a desk. */
const words = catalogs.zh.stock
let server: RunningServer
let keeper: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  keeper = await signedIn(browser, 'merchant', server.url)
})
test.afterAll(async () => {
  await keeper.context().close()
  await server.stop()
})

async function choose(label: string, typed: string): Promise<void> {
  await field(formOf(keeper), label).fill(typed)
  await expect(formOf(keeper).getByRole('listbox').getByRole('option').first()).toBeVisible()
  await keeper.keyboard.press('Enter')
}

test('goods are asked for, picked by first expiry, loaded, and what is left comes back', async () => {
  const { path } = screenOf('jxcgl/chd')
  await keeper.goto(path)
  await button(keeper, words['verb.addOutboundOrder']).first().click()
  await choose(words['field.warehouseId'], '临平')
  // Who fills machines for the merchant.
  await field(formOf(keeper), words['field.replenisherId']).press('ArrowDown')
  await expect(formOf(keeper).getByRole('listbox').getByRole('option').first()).toBeVisible()
  await keeper.keyboard.press('ArrowDown')
  await keeper.keyboard.press('Enter')
  await field(formOf(keeper), words['transfer.pick']).press('ArrowDown')
  await expect(formOf(keeper).getByRole('listbox').getByRole('option').first()).toBeVisible()
  await keeper.keyboard.press('ArrowDown')
  await keeper.keyboard.press('Enter')
  const quantity = formOf(keeper).getByLabel(new RegExp(`^${words['field.quantity']} `))
  await quantity.fill('2')
  await send(keeper, words['verb.addOutboundOrder'])
  await expect(told(keeper, words['verb.addOutboundOrder.done'])).toBeVisible()
  const [made] = await query<{ no: string }>(server, 'select no from outbound_order order by id desc limit 1')
  const no = made?.no ?? ''
  await openRow(keeper, path, no)
  const step = async (verb: 'pickOutboundOrder' | 'loadOutboundOrder' | 'closeOutboundOrder') => {
    await button(drawerOf(keeper), words[`verb.${verb}`]).click()
    await send(keeper, words[`verb.${verb}`])
    await expect(told(keeper, filled(words[`verb.${verb}.done`], { no }))).toBeVisible()
  }
  await step('pickOutboundOrder')
  await expect(drawerOf(keeper).getByText(words['outboundState.picked']).first()).toBeVisible()
  await step('loadOutboundOrder')
  await expect(drawerOf(keeper).getByText(words['outboundState.loaded']).first()).toBeVisible()
  const carried = await query<{ quantity: number }>(
    server,
    `select v.quantity from outbound_order o join bag b on b.id = o.bag_id
      join stock_move v on v.to_place_id = b.place_id and v.reference = o.no where o.no = '${no}'`,
  )
  expect(carried).toEqual([{ quantity: 2 }])
  await keeper.goto(`${path}?part=carried`)
  await expect(keeper.getByRole('link', { name: words['part.carried'], exact: true })).toBeVisible()
  await expect(keeper.getByRole('row')).not.toHaveCount(0)
  await openRow(keeper, path, no)
  await step('closeOutboundOrder')
  await expect(drawerOf(keeper).getByText(filled(words['outbound.back'], { count: '2' }))).toBeVisible()
})
