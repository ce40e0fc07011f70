import { expect, test } from 'vitest'
import { connectDevice } from './client'
import { openTestServer } from '../testing'

test('a device by hand: send, acknowledge, ask, be commanded, send the same again', async () => {
  const server = await openTestServer()
  const device = await connectDevice({ url: server.url, code: 'M2001', secret: 'secret' })
  const items = [{ slot: 'A1', product: 'P1', priceFen: 350, ok: true }]
  const sale = { orderNo: 'S-1', method: 'cash', paidFen: 350, items }
  const sent = await device.send('sale', sale)
  expect(await device.acked(sent.msgId)).toEqual({ msgId: sent.msgId, state: 'processed' })
  expect(await device.sendAndAck('sale', sale, { msgId: sent.msgId })).toMatchObject({ msgId: sent.msgId })
  const asked = await device.request({ orderNo: 'S-2', method: 'wechat', items: [{ slot: 'A1' }] })
  expect(asked).toMatchObject({ orderNo: 'S-2', amountFen: 350 })
  const { cmdId } = server.command('M2001', 'ship', { orderNo: 'S-2', items: [{ index: 0, slot: 'A1' }] })
  expect((await device.command('ship')).cmdId).toBe(cmdId)
  await expect(device.command('ship', 20)).rejects.toThrow('did not come')
  await device.close()
  await server.stop()
})

test('a wrong secret is refused, and a cut connection lets the last will speak', async () => {
  const server = await openTestServer()
  await expect(connectDevice({ url: server.url, code: 'M2001', secret: 'guessed' })).rejects.toThrow()
  const device = await connectDevice({ url: server.url, code: 'M2001', secret: 'secret', hasWill: true })
  device.cut()
  await device.closed
  const will = await server.next('presence')
  expect(will).toMatchObject({ machineId: 'M2001', seq: 0, data: { online: false } })
  await expect(device.send('heartbeat', { uptime: 1 })).rejects.toThrow()
  await server.stop()
})
