import type { PaymentMethod } from '@aisle/contract/trade/states'
import { type DemoDay, HOUR_MS } from '../calendar'
import type { DemoProduct } from '../network/catalogue'
import type { DemoMachine } from '../network/network'
import type { DemoSlot } from '../network/planogram'
import { drawWeighted, type Random, randomFrom, seedOf } from '../random'
import { hours, methodShares } from '../data/demand'
import { limitOf } from '../medicine/medicines'
import { dayFactor, seasonFactor, sellsADay } from '../network/seasons'
import type { Held } from './held'

export type DemoSale = {
  orderNo: string
  method: PaymentMethod
  occurredMs: number
  /** Later than it happened where the machine had no link. */
  receivedMs: number
  /** `nth` of the pieces that the day's visit put into the slot; those before were there already. */
  items: { slot: number; isJammed: boolean; nth?: number }[]
  /** What it is paid with, and what it is sold on. */
  code?: string
  prescription?: string
  person?: { idNumber: string; age: number }
  isPlay?: true
  /** The machine lost its link over it: what came out is told hours later, or never. */
  isSilent?: 'late' | 'never'
}
/** `lot` names the packs of which so many were scanned (`coded`), as they are named again when they are sold. */
export type DemoFill = { slot: number; before: number; quantity: number; atMs: number; lot: string; coded: number }
export type MachineDay = { sales: DemoSale[]; fills: DemoFill[] }

export type Selling = {
  machine: DemoMachine
  slots: readonly DemoSlot[]
  held: Held
  isPlaying: boolean
  collectsPayment: boolean
}

const JAM_SHARE = 0.006
const SILENT_SHARE = 0.0015
const PLAY_SHARE = 0.3
const DAY_MS = 24 * HOUR_MS
/** Nobody comes so late that money moves on the next day, whose bills may have been written already. */
const LAST_MS = 5 * 60_000

/** What stands in each slot before the day's visit: as much on each day, since what was sold is filled in. */
export function openingStock({ machine, slots }: Selling): number[] {
  const random = randomFrom(seedOf(`${machine.code}/opening`))
  return slots.map(({ capacity, product }) =>
    product && !random.chance(0.015) ? Math.ceil(capacity * (0.2 + random.next() * 0.4)) : 0,
  )
}

/**
 * One day of one machine, drawn from its own seed: customers by the curve of its place, and a visit in the morning that
 * fills in what the day sells, so that days stand beside each other and may be told in any order.
 */
export function machineDay(selling: Selling, opening: readonly number[], day: DemoDay): MachineDay {
  const { machine, slots } = selling
  const lot = day.day.replaceAll('-', '')
  const random = randomFrom(seedOf(`${machine.code}/${day.day}`))
  const visitMs = day.startMs + 5 * HOUR_MS + Math.floor((seedOf(`${machine.code}/visit`) % 240) * 60_000)
  const weights = slotWeights(machine, slots, day)
  const out = slots.map(() => 0)
  let before: number[] | null = null
  const used = new Set<string>()
  const sales: DemoSale[] = []
  for (const occurredMs of customers(selling, day, random)) {
    if (occurredMs >= visitMs) before ??= [...out]
    const early = before
    const room = (slot: number) =>
      early
        ? (slots[slot]?.capacity ?? 0) - (opening[slot] ?? 0) + (early[slot] ?? 0) - (out[slot] ?? 0)
        : (opening[slot] ?? 0) - (out[slot] ?? 0)
    const sale = sell(selling, { random, weights, room, used, occurredMs })
    if (!sale) continue
    sale.orderNo = `${lot}-${String(sales.length + 1).padStart(4, '0')}`
    if (!sale.isPlay && random.chance(SILENT_SHARE)) sale.isSilent = random.pick(['late', 'never'])
    sales.push(sale)
    // A play that wins hands out one piece; whether it does is not drawn here.
    const isOut = !sale.isPlay && (sale.isSilent !== 'never' || sale.method === 'cash')
    for (const item of isOut ? sale.items : []) {
      if (item.isJammed) continue
      const isFilled = before !== null
      if (isFilled) item.nth = (out[item.slot] ?? 0) - (before?.[item.slot] ?? 0)
      out[item.slot] = (out[item.slot] ?? 0) + 1
    }
  }
  const fills = out.flatMap((quantity, slot) => {
    const sold = (before ?? out)[slot] ?? 0
    const stood = (opening[slot] ?? 0) - sold
    return quantity > 0 ? [{ slot, before: stood, quantity, atMs: visitMs, lot, coded: quantity - sold }] : []
  })
  return { sales, fills }
}

/** When the day's customers came, in order. */
function customers({ machine }: Selling, day: DemoDay, random: Random): number[] {
  const { kind, city } = machine.point
  if (machine.operation === 'stopped' || day.daysAgo > machine.deployedDaysAgo || machine.deployedDaysAgo === 0)
    return []
  const weather = randomFrom(seedOf(`${city}/${day.day}`)).factor(0.05)
  const mean = sellsADay(machine) * dayFactor(kind, day.day) * day.growth * weather
  const count =
    random.poisson(mean / 4) + random.poisson(mean / 4) + random.poisson(mean / 4) + random.poisson(mean / 4)
  const times = Array.from({ length: count }, () => {
    const hour = drawWeighted(random, hours[kind])
    return day.startMs + hour * HOUR_MS + Math.floor(random.next() * HOUR_MS)
  })
  return times.filter((ms) => ms < day.startMs + DAY_MS - LAST_MS).sort((a, b) => a - b)
}

/** What somebody may buy of it. */
const soldIn = ({ product, priceFen, choice, fault }: DemoSlot) =>
  priceFen && fault === null && choice === 'none' ? product : null

const slotWeights = (machine: DemoMachine, slots: readonly DemoSlot[], day: DemoDay): number[] =>
  slots.map((slot) => {
    const product = soldIn(slot)
    return product ? product.appeal ** 1.3 * seasonFactor(product.season, day.month, machine.point.latitude) : 0
  })

/** Places of the slots that something may be had of at any time. */
export function wellFilled(selling: Selling): number[] {
  const opening = openingStock(selling)
  return selling.slots.flatMap((slot, at) => (soldIn(slot) && (opening[at] ?? 0) > 2 ? [at] : []))
}

type Visit = {
  random: Random
  weights: readonly number[]
  room: (slot: number) => number
  /** What customers have shown today: papers are had one pack a day. */
  used: Set<string>
  occurredMs: number
}

/** One customer; null when what they wanted was sold out. */
function sell(selling: Selling, visit: Visit): DemoSale | null {
  const { slots, isPlaying } = selling
  const { random, occurredMs } = visit
  const wanted = chooseSlots(slots, visit)
  const [first] = wanted
  if (first === undefined) return null
  const isPlay = isPlaying && random.chance(PLAY_SHARE)
  const chosen = isPlay ? [first] : wanted
  const product = slots[first]?.product
  const paper =
    product?.medicineClass === 'rx'
      ? selling.held.prescriptions.find(({ code, product: named }) => named === product.code && !visit.used.has(code))
      : undefined
  if (product?.medicineClass === 'rx' && !paper) return null
  if (paper) visit.used.add(paper.code)
  const items = chosen.map((slot) => ({ slot, isJammed: random.chance(JAM_SHARE) }))
  const about = { orderNo: '', occurredMs, receivedMs: occurredMs + random.between(300, 2_500), items }
  if (isPlay) {
    // Winners that get nothing come to the counter.
    const prize = items.map(({ slot }) => ({ slot, isJammed: random.chance(0.12) }))
    return { ...about, items: prize, method: random.chance(0.55) ? 'wechat' : 'alipay', isPlay }
  }
  if (paper) return { ...about, method: random.pick(['wechat', 'alipay']), prescription: paper.code }
  if (isLimited(product)) {
    const person = { idNumber: `DEMO-${seedOf(`${selling.machine.code}/${occurredMs}`)}`, age: random.between(19, 70) }
    return { ...about, method: random.pick(['wechat', 'alipay']), person }
  }
  const method = drawMethod(selling, chosen, random)
  if (method === 'pickup_code') return pickUp(selling, about, visit) ?? { ...about, method: 'wechat' }
  if (method === 'member_card') return { ...about, method, code: random.pick(selling.held.cards) }
  const isOffline = method === 'cash' && random.chance(0.11) && occurredMs % DAY_MS < 8 * HOUR_MS
  const lateMs = isOffline ? random.between(20, 120) * 60_000 : 0
  return { ...about, method, receivedMs: about.receivedMs + lateMs }
}

const isLimited = (product: DemoProduct | null | undefined) => limitOf(product?.name ?? '') !== null

/** One thing, often; two or three, sometimes; a pack that is asked about by itself. Who finds a slot empty looks on. */
function chooseSlots(slots: readonly DemoSlot[], { weights, room, random }: Visit): number[] {
  if (!weights.some((weight) => weight > 0)) return []
  const draw = random.next()
  const count = draw < 0.74 ? 1 : draw < 0.94 ? 2 : 3
  const chosen: number[] = []
  for (let look = 0; look < count + 6 && chosen.length < count; look += 1) {
    const slot = drawWeighted(random, weights)
    const alreadyTaken = chosen.filter((each) => each === slot).length
    const product = slots[slot]?.product
    const isAlone = product?.medicineClass === 'rx' || isLimited(product)
    if (room(slot) <= alreadyTaken || (isAlone && chosen.length > 0)) continue
    chosen.push(slot)
    if (isAlone) break
  }
  return chosen
}

/** A code is for one kind of goods, which the machine hands out where it has it. */
function pickUp(
  { slots, held }: Selling,
  about: Omit<DemoSale, 'method'>,
  { random, room, weights }: Visit,
): DemoSale | null {
  const { code, product } = random.pick(held.codes)
  const slot = slots.findIndex((each, at) => each.product?.code === product && room(at) > 0 && (weights[at] ?? 0) > 0)
  return slot < 0 ? null : { ...about, items: [{ slot, isJammed: false }], method: 'pickup_code', code }
}

const methodWeights = methodShares.map(([, share]) => share)

/** Cash only where it is taken and the price is in whole 50 fen; cards and codes where customers have some. */
function drawMethod({ machine, slots, held, collectsPayment }: Selling, chosen: readonly number[], random: Random) {
  const totalFen = chosen.reduce((sum, slot) => sum + (slots[slot]?.priceFen ?? 0), 0)
  const [method] = methodShares[drawWeighted(random, methodWeights)] ?? ['wechat' as const]
  if (method === 'cash' && (!machine.takesCash || totalFen % 50 !== 0)) return 'wechat'
  if (method === 'member_card' && (collectsPayment || held.cards.length === 0)) return 'alipay'
  return method === 'pickup_code' && held.codes.length === 0 ? 'wechat' : method
}

/** Of medicines: made some months ago, on a day of the product's own. */
export function batchOf(product: DemoProduct | null | undefined, now: Date): string | undefined {
  if (!product || product.medicineClass === null) return undefined
  const line = seedOf(product.code)
  const made = new Date(now.getTime() - (100 + (line % 160)) * DAY_MS).toISOString().slice(0, 10)
  return `${made.slice(2).replaceAll('-', '')}${String((line % 8) + 1).padStart(2, '0')}`
}
