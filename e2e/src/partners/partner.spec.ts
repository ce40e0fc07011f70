import { createHash, createHmac, randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { catalogs } from '@aisle/contract/catalogs'
import { screenOf } from '@aisle/contract/screens'
import type { Device } from '../../../fleet/src/link/client'
import { button, drawerOf, formOf, openRow, send, signedIn } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { type Machine, machinesOf, sellingSlot, type Slot, startQuietServer, switchOn } from '../kit/machines'

/** A shop elsewhere asks a machine to hand something out, with the secret that the merchant's administrator gave it. */
test.describe.configure({ mode: 'serial' })

const { merchant: interfaces, partner: words } = catalogs.zh
let server: RunningServer
let machine: Machine
let slot: Slot
let device: Device
let admin: Page
let configId: number
let secret: string

test.beforeAll(async ({ browser }) => {
  server = await startQuietServer()
  const [config] = await query<{ id: number; code: string }>(
    server,
    `select c.id, m.code from integration_config c join machine m on m.id = c.machine_id
      where c.child_class = 'ship_request'`,
  )
  const asked = machinesOf(server).find(({ code }) => code === config?.code)
  if (!config || !asked) throw new Error('the demo has no interface that asks for shipments')
  configId = Number(config.id)
  machine = asked
  slot = sellingSlot(machine)
  device = await switchOn(server, machine)
  admin = await signedIn(browser, 'admin', server.url)
})
test.afterAll(async () => {
  await admin.context().close()
  await device.close()
  await server.stop()
})

async function call(method: string, path: string, data?: unknown) {
  const body = data === undefined ? '' : JSON.stringify(data)
  const [timestamp, nonce] = [String(Date.now()), randomUUID()]
  const hash = createHash('sha256').update(body).digest('hex')
  const text = [method, path, timestamp, nonce, hash].join('\n')
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-aisle-key': String(configId),
      'x-aisle-timestamp': timestamp,
      'x-aisle-nonce': nonce,
      'x-aisle-signature': createHmac('sha256', secret).update(text).digest('hex'),
    },
    ...(body ? { body } : {}),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('the secret is made anew and read once; the old one opens nothing', async () => {
  secret = 'demo-secret-of-nobody'
  expect((await call('GET', `/open/v1/machines/${machine.code}/slots`)).status).toBe(401)
  await admin.goto(`${screenOf('xtgl/dsfdjpz').path}?open=${configId}`)
  await button(drawerOf(admin), interfaces['verb.rotateIntegrationSecret']).click()
  await send(admin, interfaces['verb.rotateIntegrationSecret'])
  const once = formOf(admin).locator('code')
  await expect(once).toBeVisible()
  secret = (await once.textContent()) ?? ''
  const slots = await call('GET', `/open/v1/machines/${machine.code}/slots?pageSize=2`)
  expect(slots).toMatchObject({ status: 200, body: { machine: machine.code } })
})

test('what the shop asks for comes out of the machine, and the page says so while it happens', async () => {
  const requestNo = `E2E-${randomUUID().slice(0, 8)}`
  const asked = { requestNo, machine: machine.code, items: [{ slot: slot.code }] }
  const accepted = await call('POST', '/open/v1/shipments', asked)
  expect(accepted).toMatchObject({ status: 200, body: { requestNo } })
  expect(await call('POST', '/open/v1/shipments', asked)).toEqual(accepted)
  const drawer = await openRow(admin, `${screenOf('jygl/dsfchcx').path}?requestNo=${requestNo}`, requestNo)
  await expect(drawer.locator('header')).toContainText(words['shipmentResult.shipping'])
  const ship = await device.command('ship')
  await device.sendAndAck('cmd.ack', { cmdId: ship.cmdId, state: 'received' })
  const codes = { ok: true, motorCode: '100', sensorCode: '01' }
  const { orderNo } = ship.data as { orderNo: string }
  await device.sendAndAck('vend.result', { orderNo, index: 0, slot: slot.code, ...codes })
  await expect(drawer.locator('header')).toContainText(words['shipmentResult.dispensed'])
  await expect(drawer).toContainText(words['event.shipment.ended'])
  expect((await call('GET', `/open/v1/shipments/${requestNo}`)).body).toMatchObject({ state: 'dispensed' })
})
