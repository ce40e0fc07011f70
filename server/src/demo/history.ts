import type { PaymentMethod } from '@aisle/contract/trade/states'
import { type DemoDay, HOUR_MS } from './calendar'
import type { DemoMachine } from './network'
import type { DemoSlot } from './planogram'
import { drawWeighted, type Random, randomFrom, seedOf } from './random'
import { dailyOrders, dayFactor, hours, seasonFactor } from './seasons'
import { type Shelving, stockShelves } from './shelves'

export type DemoItem = { slot: number; batch: string | null; isJammed: boolean; shippedMs: number }

export type DemoSale = {
  machineOrderNo: string
  day: string
  method: PaymentMethod
  isOffline: boolean
  occurredMs: number
  receivedMs: number
  paidMs: number
  /** Null where the machine settled the sale itself. */
  shipSentMs: number | null
  shipReceivedMs: number | null
  finishedMs: number
  items: DemoItem[]
}

export type DemoFill = { slot: number; quantity: number; batch: string | null; atMs: number; day: string }

export type MachineHistory = { sales: DemoSale[]; fills: DemoFill[]; stock: number[] }

export type HistoryOptions = { days: readonly DemoDay[]; nowMs: number; scale: number; collectsPayment: boolean }

/** Jams of earlier days would have been refunded by now, so only the last days show some. */
const JAM_DAYS = 4
const JAM_SHARE = 0.008
/** A stopped machine and a broken slot have sold nothing for this long. */
const SILENT_DAYS = 2

/** What one machine sold and took in, day by day, drawn from its own seed. */
export function machineHistory(
  machine: DemoMachine,
  slots: readonly DemoSlot[],
  options: HistoryOptions,
): MachineHistory {
  const random = randomFrom(seedOf(`${machine.code}/history`))
  const shelves = stockShelves(machine, slots, random)
  const history: MachineHistory = { sales: [], fills: shelves.fills, stock: shelves.stock }
  for (const day of options.days) {
    if (day.daysAgo > machine.deployedDaysAgo) continue
    const visitMs = shelves.visitOn(day)
    const weights = slotWeights(machine, slots, day)
    let isVisited = visitMs === null
    let number = 0
    for (const occurredMs of orderTimes(machine, day, options, random)) {
      if (visitMs !== null && !isVisited && visitMs <= occurredMs) {
        shelves.fill(visitMs, day)
        isVisited = true
      }
      const sale = sell({ machine, slots, shelves, weights, options, random, day }, occurredMs)
      if (!sale) continue
      number += 1
      sale.machineOrderNo = `${day.day.replaceAll('-', '')}-${String(number).padStart(5, '0')}`
      history.sales.push(sale)
    }
    if (visitMs !== null && !isVisited && visitMs < options.nowMs) shelves.fill(visitMs, day)
  }
  return history
}

/** When the day's customers came, in order; none in the two minutes before now, so that all of it is finished. */
function orderTimes(machine: DemoMachine, day: DemoDay, options: HistoryOptions, random: Random): number[] {
  const { kind } = machine.point
  if (machine.operation === 'stopped' && day.daysAgo <= SILENT_DAYS) return []
  const weather = randomFrom(seedOf(`${machine.point.city}/${day.day}`)).factor(0.07)
  const isMedicine = machine.category === 'medicine'
  const flu = isMedicine ? seasonFactor('flu', day.month, machine.point.latitude) * 0.72 : 1
  const mean = dailyOrders[kind] * machine.pull * dayFactor(kind, day.day) * day.growth * weather * flu * options.scale
  const curve = hours[kind]
  const total = curve.reduce((sum, share) => sum + share, 0)
  const times = Array.from({ length: random.poisson(mean) }, () => {
    const hour = drawWeighted(random, curve, total)
    return day.startMs + hour * HOUR_MS + Math.floor(random.next() * HOUR_MS)
  })
  return times.filter((time) => time < options.nowMs - 120_000).sort((a, b) => a - b)
}

function slotWeights(machine: DemoMachine, slots: readonly DemoSlot[], day: DemoDay): number[] {
  return slots.map(({ product, priceFen, choice, fault }) => {
    if (!product || !priceFen) return 0
    if ((fault !== null || choice === 'stopped_sale') && day.daysAgo <= SILENT_DAYS) return 0
    if (choice === 'reserved_only') return 0
    return product.appeal ** 1.6 * seasonFactor(product.season, day.month, machine.point.latitude)
  })
}

type Visit = {
  machine: DemoMachine
  slots: readonly DemoSlot[]
  shelves: Shelving
  weights: readonly number[]
  options: HistoryOptions
  random: Random
  day: DemoDay
}

/** One customer; null when what they wanted was sold out. */
function sell(visit: Visit, occurredMs: number): DemoSale | null {
  const { machine, slots, random, day, options } = visit
  const wanted = chooseSlots(visit)
  if (wanted.length === 0) return null
  const totalFen = wanted.reduce((sum, slot) => sum + (slots[slot]?.priceFen ?? 0), 0)
  const method = drawMethod(machine, totalFen, options.collectsPayment, random)
  const isSettledByMachine = method === 'cash'
  const isOffline = isSettledByMachine && random.chance(0.11)
  const paidMs = isSettledByMachine ? occurredMs : occurredMs + random.between(5_000, 32_000)
  const shipSentMs = isSettledByMachine ? null : paidMs + random.between(90, 420)
  const shipReceivedMs = shipSentMs === null ? null : shipSentMs + random.between(240, 1_400)
  let lastMs = shipReceivedMs ?? occurredMs
  const items = wanted.map((slot): DemoItem => {
    if (!isSettledByMachine) lastMs += random.between(4_200, 9_800)
    const isJammed = day.daysAgo < JAM_DAYS && random.chance(JAM_SHARE)
    return { slot, isJammed, batch: visit.shelves.take(slot, isJammed), shippedMs: lastMs }
  })
  const lateMs = isOffline ? random.between(20, 300) * 60_000 : random.between(300, 2_500)
  return {
    machineOrderNo: '',
    day: day.day,
    method,
    isOffline,
    occurredMs,
    receivedMs: Math.min(occurredMs + lateMs, options.nowMs - 1_000),
    paidMs,
    shipSentMs,
    shipReceivedMs,
    finishedMs: lastMs,
    items,
  }
}

/** One thing, often; two or three, sometimes. Who finds a slot empty looks again a few times. */
function chooseSlots({ weights, shelves, random }: Visit): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total <= 0) return []
  const draw = random.next()
  const count = draw < 0.74 ? 1 : draw < 0.94 ? 2 : 3
  const chosen: number[] = []
  for (let look = 0; look < count + 5 && chosen.length < count; look += 1) {
    const slot = drawWeighted(random, weights, total)
    const alreadyTaken = chosen.filter((each) => each === slot).length
    if ((shelves.stock[slot] ?? 0) > alreadyTaken) chosen.push(slot)
  }
  return chosen
}

const methodShares: readonly (readonly [PaymentMethod, number])[] = [
  ['wechat', 44],
  ['alipay', 38],
  ['cash', 6.5],
  ['unionpay', 4.5],
  ['member_card', 4],
  ['pickup_code', 3],
  ['other', 1.5],
]
const methodWeights = methodShares.map(([, share]) => share)

/** Cash only where it is taken and the price is in whole 50 fen; cards only where the platform keeps their money. */
function drawMethod(machine: DemoMachine, totalFen: number, collectsPayment: boolean, random: Random): PaymentMethod {
  const [method] = methodShares[drawWeighted(random, methodWeights, 101.5)] ?? ['wechat']
  if (method === 'cash' && (!machine.takesCash || totalFen % 50 !== 0)) return 'wechat'
  if (method === 'member_card' && collectsPayment) return 'alipay'
  return method
}
