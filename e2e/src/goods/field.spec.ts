import { catalogs } from '@aisle/contract/catalogs'
import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { holdUp } from '../kit/camera'
import { filled, signedIn } from '../kit/desk'
import { query, type RunningServer } from '../kit/harness'
import { startQuietServer } from '../kit/machines'

/** A visit that is done where there is no network, and told when there is one again. */
const { field: words, admin: kit } = catalogs.zh
let server: RunningServer
let phone: Page

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000)
  server = await startQuietServer()
  phone = await signedIn(browser, 'operator', server.url)
})
test.afterAll(async () => {
  await phone.context().close()
  await server.stop()
})

async function post<T>(path: string, body: object): Promise<T> {
  const token = await phone.evaluate(() => sessionStorage.getItem('aisle.authorization') ?? '')
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  const answer = await fetch(new URL(path, server.url), { method: 'POST', headers, body: JSON.stringify(body) })
  const { data, msg } = (await answer.json()) as { data: T; msg: string }
  if (!answer.ok) throw new Error(`${path}: ${msg}`)
  return data
}

type Place = { warehouseId: number; machineId: number; slotCode: string; userId: number; stopped: number }

/** Under way to one machine whose goods its warehouse has. */
async function setOut(): Promise<Place & { orderId: number }> {
  const [place] = await query<Place>(
    server,
    `select w.id as "warehouseId", m.id as "machineId", s.code as "slotCode", u.id as "userId"
      from app_user u join warehouse w on w.merchant_id = u.merchant_id
      join stock_level l on l.place_id = w.place_id and l.quantity >= 5
      join product p on p.id = l.product_id and p.kind = 'goods'
      join slot s on s.product_id = p.id and not s.is_locked and s.fault is null and s.choice <> 'stopped_sale'
      join machine m on m.id = s.machine_id and m.merchant_id = w.merchant_id and m.retired_at is null
      where u.account = 'operator' order by m.id, s.id limit 1`,
  )
  if (!place) throw new Error('no warehouse of the operator has goods of its machines')
  await query(
    server,
    `update slot set capacity = 60, alarm_threshold = 60
    where machine_id = ${place.machineId} and code = '${place.slotCode}'`,
  )
  const { id: orderId } = await post<{ id: number }>('/api/replenishment-orders', {
    warehouseId: place.warehouseId,
    replenisherId: place.userId,
    machineIds: [place.machineId],
  })
  await post(`/api/replenishment-orders/${orderId}/release`, {})
  await post(`/api/replenishment-orders/${orderId}/load`, {})
  const picks = await query<{ id: number; productId: number }>(
    server,
    `select b.id, s.product_id as "productId" from replenishment_order o join outbound_order b on b.id = o.outbound_id
      join slot s on s.machine_id = ${place.machineId} and s.code = '${place.slotCode}' where o.id = ${orderId}`,
  )
  const [{ id, productId } = { id: 0, productId: 0 }] = picks
  await post(`/api/outbound-orders/${id}/pick`, { picks: [{ productId, batch: '', quantity: 5 }] })
  await post(`/api/outbound-orders/${id}/load`, {})
  await post(`/api/replenishment-orders/${orderId}/depart`, {})
  return { ...place, orderId }
}

test('a visit without a network is kept on the phone, and booked once when there is one', async () => {
  test.setTimeout(120_000)
  const { orderId, machineId, slotCode } = await setOut()
  await phone.setViewportSize({ width: 390, height: 844 })
  await phone.goto(`${server.url}/field`)
  const visit = phone.locator(`a[href="#${orderId}/${machineId}"]`)
  await expect(visit).toBeVisible()
  await phone.waitForFunction(async () => {
    const cache = await caches.open('aisle-field-1')
    const loaded = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
    const kept = await Promise.all([cache.match('/field'), ...loaded.map(({ name }) => cache.match(name))])
    return loaded.length > 3 && kept.every(Boolean)
  })
  await phone.context().setOffline(true)
  // As after the phone was put away: the page comes from the phone too.
  await phone.reload()
  await visit.click()
  await phone.getByRole('button', { name: words['phone.open'] }).click()
  await holdUp(phone, slotCode)
  await phone.getByRole('button', { name: kit['scan.start'] }).click()
  await expect(phone.getByLabel(words['phone.code'])).toHaveValue(slotCode)
  await phone.getByLabel(words['phone.count'], { exact: true }).fill('7')
  await phone.getByLabel(words['phone.fill'], { exact: true }).fill('3')
  await phone.getByRole('button', { name: words['phone.save'], exact: true }).click()
  await phone.getByRole('button', { name: words['phone.done'] }).click()
  await expect(phone.getByText(filled(words['phone.unsent'], { count: 4 }))).toBeVisible()
  await expect(phone.getByText(words['phone.trouble.offline'])).toBeVisible()
  await expect(phone.getByRole('button', { name: words['phone.signOut'] })).toBeDisabled()
  await phone.context().setOffline(false)
  await expect(phone.getByText(words['phone.allSent'])).toBeVisible({ timeout: 40_000 })
  await phone.reload()
  await expect(phone.getByText(words['phone.allSent'])).toBeVisible()
  const booked = await query(
    server,
    `select v.state, (select count(*)::int from visit_step t where t.visit_id = v.id) as steps,
        (select array_agg(w.quantity) from stock_move w join slot s on s.place_id = w.to_place_id
          where s.machine_id = v.machine_id and w.reference like 'visit/%') as filled,
        (select array_agg(l.counted) from stock_count_line l where l.count_id = v.count_id) as counted
      from visit v where v.order_id = ${orderId}`,
  )
  expect(booked).toEqual([{ state: 'done', steps: 4, filled: [3], counted: [7] }])
})
