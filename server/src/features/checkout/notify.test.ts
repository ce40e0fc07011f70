import type { Provider } from '@aisle/contract/payment/states'
import { expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { openHttp } from '../../testing/http'
import { openProviders } from '../../testing/provider'
import { routesWith } from '../../testing/stubs'
import { openWorld } from '../../testing/world'
import { serveRaw } from '../../transport/http/raw'
import { rawRoutes } from './notify.commands'

test('an address that was never given out, and what is no notification, are answered and change nothing', async () => {
  const world = await openWorld(new Date('2026-11-22T04:00:00Z'))
  const http = await openHttp(world, routesWith(), (app) => serveRaw(app, rawRoutes, world.services))
  const providers = await openProviders(world, async () => ({ status: 200, body: 'success' }))
  const merchantId = await addMerchant(world.services.db)
  const pathOf = async (provider: Provider) => (await providers.add({ merchantId, provider })).notifyPath
  const post = async (url: string, payload: string, type = 'text/plain') =>
    (await http.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })).statusCode
  expect(await post('/api/pay/notify/wechat/nobody', '{}', 'application/json')).toBe(404)
  expect(await post('/api/pay/notify/paypal/nobody', '{}')).toBe(404)
  expect(await post(await pathOf('wechat'), 'not json', 'application/json')).toBe(401)
  expect(await post(await pathOf('unionpay'), '')).toBe(401)
  const alipay = await pathOf('alipay')
  expect(await post(alipay, 'a=1&b', 'application/x-www-form-urlencoded')).toBe(200)
  expect(await post(alipay, 'x'.repeat(300_000))).toBe(413)
  await providers.standIn.stop()
  await http.close()
  await world.close()
})
