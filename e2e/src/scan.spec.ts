import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import type { Device } from '../../fleet/src/link/client'
import { type StandIn, startStandIn } from '../../fleet/src/provider/standIn'
import { signedIn } from './kit/desk'
import { query, type RunningServer } from './kit/harness'
import { type Machine, sellingSlot, shopOf, startQuietServer, switchOn } from './kit/machines'

/** A customer scans what the machine shows, pays in the wallet, and gets the goods; a desk looks on. */
test.describe.configure({ mode: 'serial' })

const { trade } = catalogs.zh
let server: RunningServer
let provider: StandIn
let machine: Machine
let device: Device
let page: Page

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  const file = JSON.parse(readFileSync(join(server.place.dataDir, 'demo/provider.json'), 'utf8'))
  provider = await startStandIn({ file, nowMs: Date.now })
  const gateway = `case when provider = 'alipay' then $1 || '/gateway.do' else $1 end`
  await query(server, `update provider_account set gateway = ${gateway}`, [provider.url])
  await query(server, `update setting set value = to_jsonb($1::text) where key = 'site.address'`, [server.url])
  machine = shopOf(server)
  device = await switchOn(server, machine)
  page = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await page.context().close()
  await device.close()
  await provider.stop()
  await server.stop()
})

for (const method of ['wechat', 'alipay', 'unionpay'] as const) {
  test(`${method}: what is scanned and paid ships, and the desk sees it`, async () => {
    const slot = sellingSlot(machine)
    const orderNo = `Q-${randomUUID().slice(0, 8)}`
    const price = await device.request({ orderNo, method, items: [{ slot: slot.code }] })
    expect(price).toMatchObject({ amountFen: slot.priceFen, isOffered: true })
    const offered = await device.answerAfter(orderNo)
    const payUrl = 'payUrl' in offered ? (offered.payUrl ?? '') : ''
    await page.goto(payUrl)
    await expect(page.getByRole('heading')).toContainText(`¥ ${(slot.priceFen / 100).toFixed(2)}`)
    await page.getByRole('button', { name: 'Pay' }).click()
    await expect(page.getByRole('heading')).toContainText('Paid')
    const ship = await device.command('ship')
    expect(ship.data).toEqual({ orderNo, items: [{ index: 0, slot: slot.code }] })
    await device.sendAndAck('cmd.ack', { cmdId: ship.cmdId, state: 'received' })
    const vend = { orderNo, index: 0, slot: slot.code, ok: true, motorCode: '100', sensorCode: '01' }
    expect((await device.sendAndAck('vend.result', vend)).state).toBe('processed')
    await page.goto(`/jygl/ddgl?orderNo=${machine.code}-${orderNo}`)
    const row = page.getByRole('table').getByRole('row').nth(1)
    await expect(row).toContainText(trade[`method.${method}`])
    await expect(row).toContainText(trade['shipState.completed'])
  })
}
