import { setTimeout as delay } from 'node:timers/promises'
import { upTopic } from '@aisle/contract/device/topics'
import type { Envelope } from '@aisle/contract/device/messages'
import { connectDevice, type Device } from '../../../fleet/src/link/client'
import type { MachinePlan } from '../../../fleet/src/world'

/** Machines that sell all the time, and say again what nobody acknowledged, as real ones do. */
export type Tellers = {
  told: () => number
  waiting: () => number
  /** The longest that a sale waited for its acknowledgement since this was asked last. */
  longestMs: () => number
  /** No more sales; until all are acknowledged or so long. */
  settle: (withinMs: number) => Promise<void>
  close: () => Promise<void>
}

const SELLS_EVERY_MS = 250
const SAYS_AGAIN_MS = 2_000

type Waiting = { message: Envelope; firstMs: number; saidMs: number }

export async function openTellers(url: string, machines: readonly MachinePlan[]): Promise<Tellers> {
  const tellers = await Promise.all(machines.map((machine) => openTeller(url, machine)))
  return {
    told: () => tellers.reduce((sum, { told }) => sum + told(), 0),
    waiting: () => tellers.reduce((sum, { waiting }) => sum + waiting(), 0),
    longestMs: () => Math.max(...tellers.map(({ longestMs }) => longestMs())),
    settle: async (withinMs) => {
      for (const { rest } of tellers) rest()
      const untilMs = performance.now() + withinMs
      while (tellers.some(({ waiting }) => waiting() > 0) && performance.now() < untilMs) await delay(200)
    },
    close: async () => {
      for (const { close } of tellers) await close()
    },
  }
}

async function openTeller(url: string, { code, secret, slots }: MachinePlan) {
  const slot = slots.find(({ product, priceFen, stock, fault, isLocked }) => {
    return product && (priceFen ?? 0) > 0 && stock > 3 && !fault && !isLocked
  })
  if (!slot) throw new Error(`no slot of ${code} sells`)
  const waiting = new Map<string, Waiting>()
  let [told, longestMs, isResting] = [0, 0, false]
  const heard = (acks: { msgId: string; state: string }[]) => {
    for (const { msgId } of acks) {
      const found = waiting.get(msgId)
      if (found) longestMs = Math.max(longestMs, performance.now() - found.firstMs)
      waiting.delete(msgId)
    }
  }
  const device: Device = await connectDevice({ url, code, secret, onAcks: heard })
  await device.send('presence', { online: true })
  const say = (each: Waiting) => {
    each.saidMs = performance.now()
    void device.publish(upTopic(code, 'sale'), JSON.stringify(each.message)).catch(() => undefined)
  }
  const sell = () => {
    const nowMs = performance.now()
    for (const each of waiting.values()) if (nowMs - each.saidMs > SAYS_AGAIN_MS) say(each)
    if (isResting) return
    const { product, priceFen } = slot
    const items = [{ slot: slot.code, product, priceFen, ok: true }]
    told += 1
    const orderNo = `R6-${code}-${Date.now().toString(36)}-${told}`
    const message = device.compose('sale', { orderNo, method: 'cash', paidFen: priceFen, items })
    const each = { message, firstMs: nowMs, saidMs: nowMs }
    waiting.set(message.msgId, each)
    say(each)
  }
  const timer = setInterval(sell, SELLS_EVERY_MS)
  return {
    told: () => told,
    waiting: () => waiting.size,
    longestMs: () => {
      const longest = Math.max(longestMs, ...[...waiting.values()].map(({ firstMs }) => performance.now() - firstMs))
      longestMs = 0
      return longest
    },
    rest: () => {
      isResting = true
    },
    close: async () => {
      clearInterval(timer)
      await device.close()
    },
  }
}
