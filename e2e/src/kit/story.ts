import { createHash, createHmac, randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { upTopic } from '@aisle/contract/device/topics'
import { connectDevice, type Device } from '../../../fleet/src/link/client'
import type { StandIn } from '../../../fleet/src/provider/standIn'
import type { RunningServer } from './harness'
import { cashSale, type Machine, type Slot } from './machines'

/** Who plays a story, and with what; the server may die under it and come back at the same place. */
export type Stage = {
  server: RunningServer
  provider: StandIn
  machine: Machine
  slot: Slot
  cardNo: string
  partner: { configId: number; secret: string }
  device: Device | null
}

/** The numbers of what one playing sells, by how it is paid for. */
export const numbersOf = (round: string) => ({
  cash: `${round}-S`,
  channel: `${round}-W`,
  code: `${round}-C`,
  card: `${round}-K`,
  request: `${round}-R`,
})

/**
 * Everything that moves money or goods, one after the other. Machine, provider and partner say what was not
 * acknowledged again, as real ones do; nobody says anything else twice.
 */
export async function play(stage: Stage, round: string, code: string): Promise<void> {
  const { slot, cardNo } = stage
  const { cash, channel, code: byCode, card } = numbersOf(round)
  const filled = { slot: slot.code, product: slot.product, before: slot.stock, change: 6, after: slot.stock + 6 }
  await told(stage, 'stock.delta', { ...filled, cause: 'fill' })
  await told(stage, 'sale', cashSale(slot, cash))
  await scanned(stage, channel)
  await handedOut(stage, channel, [true, false])
  for (const [orderNo, method, tender] of [
    [byCode, 'pickup_code', code] as const,
    [card, 'member_card', cardNo] as const,
  ]) {
    await tendered(stage, orderNo, method, tender)
    await handedOut(stage, orderNo, [true])
  }
  await handedOut(stage, await askedFor(stage, numbersOf(round).request), [true])
}

const PATIENCE_MS = 3_000
const LONGEST_MS = 90_000

/** Until it has gone well over a connection that lasted that long; each time on what is connected then. */
async function insist<T>(stage: Stage, attempt: (device: Device) => Promise<T>): Promise<T> {
  const outcomes: T[] = []
  await expect(async () => {
    const device = await connected(stage)
    const cut = device.closed.then(() => Promise.reject(new Error('cut off')))
    outcomes.push(await Promise.race([attempt(device), cut]))
  }).toPass({ timeout: LONGEST_MS, intervals: [100] })
  return outcomes[0] as T
}

async function connected(stage: Stage): Promise<Device> {
  if (stage.device) return stage.device
  const { code, secret } = stage.machine
  const device = await connectDevice({ url: stage.server.mqttUrl, code, secret })
  stage.device = device
  void device.closed.then(() => {
    if (stage.device === device) stage.device = null
  })
  await device.send('presence', { online: true })
  return device
}

/** One message, said until it is acknowledged. */
async function told(stage: Stage, type: string, data: Record<string, unknown>): Promise<void> {
  const message = (await insist(stage, async (device) => device)).compose(type, data)
  const ack = await insist(stage, async (device) => {
    await device.publish(upTopic(device.code, type), JSON.stringify(message))
    return device.acked(message.msgId, PATIENCE_MS)
  })
  expect(['processed', 'duplicate']).toContain(ack.state)
}

/** A customer chooses two pieces, scans what the machine shows, and pays. */
async function scanned(stage: Stage, orderNo: string): Promise<void> {
  const items = [{ slot: stage.slot.code }, { slot: stage.slot.code }]
  const payUrl = await insist(stage, async (device) => {
    const first = await device.request({ orderNo, method: 'wechat', items }, PATIENCE_MS)
    const offer = 'payUrl' in first ? first : await device.answerAfter(orderNo)
    if (!('payUrl' in offer) || !offer.payUrl) throw new Error(`nothing to scan: ${JSON.stringify(offer)}`)
    return offer.payUrl
  })
  expect(stage.provider.pay(payUrl)).toBe(null)
}

async function tendered(
  stage: Stage,
  orderNo: string,
  method: 'pickup_code' | 'member_card',
  code: string,
): Promise<void> {
  const items = [{ slot: stage.slot.code }]
  const answer = await insist(stage, (device) => device.request({ orderNo, method, code, items }, PATIENCE_MS))
  expect(answer).toMatchObject({ isPaid: true })
}

/** The motor turns once for the order; what it came to is told until it was heard. */
async function handedOut(stage: Stage, orderNo: string, isOut: readonly boolean[]): Promise<void> {
  const ship = await insist(stage, async (device) => {
    for (;;) {
      const command = await device.command('ship', PATIENCE_MS)
      if (command.data.orderNo === orderNo) return command
    }
  })
  const items = ship.data.items as { index: number; slot: string }[]
  expect(items).toHaveLength(isOut.length)
  await told(stage, 'cmd.ack', { cmdId: ship.cmdId, state: 'received' })
  await told(stage, 'vend.received', { orderNo })
  for (const [at, { index, slot }] of items.entries()) {
    const codes = isOut[at]
      ? { ok: true, motorCode: '100', sensorCode: '01' }
      : { ok: false, motorCode: '103', sensorCode: '03' }
    await told(stage, 'vend.result', { orderNo, index, slot, ...codes })
  }
  await told(stage, 'cmd.ack', { cmdId: ship.cmdId, state: 'done' })
}

/** A shop elsewhere asks for a piece until it is answered. @returns the order's number at the machine */
async function askedFor(stage: Stage, requestNo: string): Promise<string> {
  const { machine, slot } = stage
  const body = JSON.stringify({ requestNo, machine: machine.code, items: [{ slot: slot.code }] })
  return insist(stage, async () => {
    const answer = await fetch(`${stage.server.url}${SHIPMENTS}`, {
      method: 'POST',
      headers: signed(stage, body),
      body,
    })
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
    const { orderNo } = (await answer.json()) as { orderNo: string }
    return orderNo.slice(machine.code.length + 1)
  })
}

const SHIPMENTS = '/open/v1/shipments'

function signed({ partner }: Stage, body: string): Record<string, string> {
  const [timestamp, nonce] = [String(Date.now()), randomUUID()]
  const hash = createHash('sha256').update(body).digest('hex')
  const text = ['POST', SHIPMENTS, timestamp, nonce, hash].join('\n')
  return {
    'content-type': 'application/json',
    'x-aisle-key': String(partner.configId),
    'x-aisle-timestamp': timestamp,
    'x-aisle-nonce': nonce,
    'x-aisle-signature': createHmac('sha256', partner.secret).update(text).digest('hex'),
  }
}
