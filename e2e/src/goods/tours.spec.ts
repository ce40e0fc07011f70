import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import { expect, type Page, test } from '@playwright/test'
import { button, drawerOf, filled, openRow, pick, pickOneOf, send, signedIn, told } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { machinesOf, startQuietServer, switchOn } from '../kit/machines'

/** A tour from the need of a machine to what is left of it back in the warehouse. */
const { field: words, stock } = catalogs.zh
const tours = screenOf('jxcgl/bhd').path
const outbound = screenOf('jxcgl/chd').path
let server: RunningServer
let planner: Page

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000)
  server = await startQuietServer()
  planner = await signedIn(browser, 'merchant', server.url)
})
test.afterAll(async () => {
  await planner.context().close()
  await server.stop()
})

type Wanted = { code: string; slot: string; product: string }

/** A machine that no tour goes to, with a slot for goods that lie in the warehouse. */
async function wantedOne(): Promise<Wanted> {
  const [wanted] = await query<Wanted>(
    server,
    `select m.code, s.code as slot, p.code as product from warehouse w
      join stock_value v on v.place_id = w.place_id and v.pieces > 20
      join machine m on m.merchant_id = w.merchant_id join slot s on s.machine_id = m.id and s.product_id = v.product_id
      join product p on p.id = v.product_id
      where w.name = '临平中心仓' and s.choice = 'none' and s.capacity >= 4
        and not exists (select from replenishment_stop t where t.machine_id = m.id) order by m.id limit 1`,
  )
  if (!wanted) throw new Error('no machine of the demo wants anything')
  return wanted
}

async function step(page: string, no: string, verb: string, catalog: Record<string, string>): Promise<void> {
  await openRow(planner, page, no)
  await button(drawerOf(planner), catalog[`verb.${verb}`] ?? '').click()
  if (catalog[`verb.${verb}.ask`] || verb.endsWith('OutboundOrder')) await send(planner, catalog[`verb.${verb}`] ?? '')
  await expect(told(planner, filled(catalog[`verb.${verb}.done`] ?? '', { no }))).toBeVisible()
}

test('a tour is drafted by need, loaded, driven, filled from the bag, and what is left comes back', async () => {
  const { code, slot, product } = await wantedOne()
  const machine = machinesOf(server).find((each) => each.code === code)
  if (!machine) throw new Error('the machine has no secret')
  const device = await switchOn(server, machine)
  const before = machine.slots.find((each) => each.code === slot)?.stock ?? 0
  const taken = { slot, product, before, change: -before, after: 0, cause: 'remove', user: 'filler' }
  if (before > 0) await device.sendAndAck('stock.delta', taken)
  await planner.goto(tours)
  await button(planner, words['verb.addReplenishmentOrder']).first().click()
  await pickOneOf(planner, words['field.machineIds'], code)
  await pick(planner, words['field.replenisherId'], '周小满')
  await pick(planner, words['field.warehouseId'], '临平')
  await send(planner, words['verb.addReplenishmentOrder'])
  await expect(told(planner, words['verb.addReplenishmentOrder.done'])).toBeVisible()
  const [made] = await query<{ no: string }>(server, 'select no from replenishment_order order by id desc limit 1')
  const no = made?.no ?? ''
  const drawer = await openRow(planner, tours, no)
  await expect(
    drawer
      .getByRole('listitem')
      .filter({ hasText: `${slot} ` })
      .first(),
  ).toContainText(words['needReason.empty'])
  await step(tours, no, 'releaseReplenishmentOrder', words)
  await step(tours, no, 'loadReplenishmentOrder', words)
  const [out] = await query<{ no: string }>(
    server,
    `select b.no from replenishment_order o join outbound_order b on b.id = o.outbound_id where o.no = '${no}'`,
  )
  const outNo = out?.no ?? ''
  await step(outbound, outNo, 'pickOutboundOrder', stock)
  await step(outbound, outNo, 'loadOutboundOrder', stock)
  await step(tours, no, 'departReplenishmentOrder', words)
  await device.sendAndAck('stock.delta', {
    slot,
    product,
    before: 0,
    change: 2,
    after: 2,
    cause: 'fill',
    user: 'operator',
  })
  await device.close()
  await openRow(planner, tours, no)
  const line = drawerOf(planner)
    .getByRole('listitem')
    .filter({ hasText: `${slot} ` })
    .first()
  await expect(line).toContainText('2 / ')
  await expect(line).not.toContainText(words['order.notFromBag'].split('}} ')[1] ?? '')
  await step(tours, no, 'finishReplenishmentOrder', words)
  await step(outbound, outNo, 'closeOutboundOrder', stock)
  const left = await query<{ pieces: number }>(
    server,
    `select coalesce(sum(l.quantity), 0)::int as pieces from outbound_order o join bag b on b.id = o.bag_id
      join product p on p.code = '${product}'
      join stock_level l on l.place_id = b.place_id and l.product_id = p.id where o.no = '${outNo}'`,
  )
  expect(left).toEqual([{ pieces: 0 }])
})
