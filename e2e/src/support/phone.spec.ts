import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import type { Device } from '../../../fleet/src/link/client'
import { signedIn } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { type Machine, sellingSlot, shopOf, startQuietServer, switchOn } from '../kit/machines'

/** A customer on the phone has no number: so much, in that city, about then, and nothing came out. */
test.describe.configure({ mode: 'serial' })

const { trade } = catalogs.zh
let server: RunningServer
let machine: Machine
let device: Device
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  machine = shopOf(server)
  device = await switchOn(server, machine)
  page = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await page.context().close()
  await device.close()
  await server.stop()
})

async function sell(isOut: boolean): Promise<string> {
  const slot = sellingSlot(machine)
  const orderNo = `P-${randomUUID().slice(0, 8)}`
  await device.request({ orderNo, method: 'wechat', items: [{ slot: slot.code }] })
  const paid = { orderNo, method: 'wechat', amountFen: slot.priceFen, channelNo: `W${orderNo}` }
  await device.sendAndAck('pay.result', paid)
  await device.command('ship')
  const vend = { orderNo, index: 0, slot: slot.code, ok: isOut, motorCode: '100', sensorCode: isOut ? '01' : '03' }
  await device.sendAndAck('vend.result', vend)
  return `${machine.code}-${orderNo}`
}

test('the order is found by what the customer says, and the address keeps it', async () => {
  await sell(true)
  const orderNo = await sell(false)
  const [sold] = await query<{ at: string; city: string; fen: number }>(
    server,
    `select to_char(o.occurred_at at time zone m.time_zone, 'HH24:MI') as at, p.city, o.paid_fen::int as fen
      from orders o join machine m on m.id = o.machine_id join point p on p.id = o.point_id where o.order_no = $1`,
    [orderNo],
  )
  if (!sold) throw new Error('the order is not there')
  await page.goto(screenOf('jygl/ddgl').path)
  const bar = page.getByRole('search')
  await bar
    .getByLabel(trade['field.amount'], { exact: true })
    .last()
    .fill((sold.fen / 100).toFixed(2))
  await bar.getByLabel(trade['about.time']).fill(sold.at)
  await bar.getByLabel(trade['field.place'], { exact: true }).last().fill(sold.city)
  await bar.getByLabel(trade['field.paid']).selectOption({ label: trade['paid.notDispensed'] })
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText(orderNo)
  await expect(page).toHaveURL(/paid=notDispensed/)
  await page.reload()
  await expect(bar.getByLabel(trade['about.time'])).toHaveValue(sold.at)
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText(orderNo)
})
