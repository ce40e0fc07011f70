import type { PaymentMethod } from '@aisle/contract/trade/states'
import { minuteOfDay, weekdayOf } from './machine/clock'
import { isSellable } from './machine/motor'
import { between, chance, hash32, poisson, type Random, type Span, weighted } from './random'
import { loseNetwork } from './machine/machine'
import { sell, type Wish } from './machine/sale'
import { heldNow } from './machine/tender'
import type { Machine } from './world'

/** Share of an average hour, by the hour of the machine's own day. Nights are quiet and never dead. */
const storeDay = [
  0.3, 0.22, 0.18, 0.15, 0.15, 0.25, 0.5, 1.0, 1.3, 1.1, 1.1, 1.5, 1.9, 1.5, 1.2, 1.2, 1.3, 1.6, 1.8, 1.6, 1.4, 1.2,
  0.9, 0.55,
]
/** Before the consulting hours, after them, and the night when only the emergency room is open. */
const hospitalDay = [
  0.35, 0.3, 0.25, 0.22, 0.22, 0.3, 0.7, 1.5, 1.9, 1.8, 1.7, 1.5, 1.1, 1.2, 1.6, 1.6, 1.5, 1.3, 1.1, 1.0, 0.9, 0.75,
  0.6, 0.45,
]

const methods: Partial<Record<PaymentMethod, number>> = { wechat: 45, alipay: 36, cash: 10, unionpay: 6, other: 3 }
/** Beside those, at machines whose customers hold some. */
const heldShares = { member_card: 5, pickup_code: 4 } as const
const DAY_MS = 86_400_000
/** No coin acceptor takes less. */
const SMALLEST_COIN_FEN = 50
const pieces = { one: 90, two: 8, three: 2 }
const pieceCounts = { one: 1, two: 2, three: 3 }

/** Of customers of a machine that offers sets, those who take one. */
const SET_SHARE = 0.06
/** Of those who come to a machine where one can play, this many do. */
const PLAY_SHARE = 0.3

const USUAL_A_DAY = 45
const POPULARITY: Span = [30, 170]
const MOST_TRIES = 6
/** Of those who meet a machine without a link, this many have coins and patience. */
const CASH_INSTEAD_SHARE = 0.5

const meanOf = (day: readonly number[]) => day.reduce((sum, share) => sum + share, 0) / day.length

/** How busy it is there now, 1 on average over a day. */
export function dayShare(category: string, minute: number): number {
  return shareAt(category === 'medicine' ? hospitalDay : storeDay, minute)
}

function shareAt(day: readonly number[], minute: number): number {
  const hour = Math.floor(minute / 60)
  const part = (minute % 60) / 60
  return (day[hour]! * (1 - part) + day[(hour + 1) % 24]! * part) / meanOf(day)
}

export type DemandOptions = {
  machines: readonly Machine[]
  random: Random
  /** Times what the machines usually sell. */
  rate: number
  /** Machines without a network at any time, on average, and for how long each. */
  offlineShare: number
  offlineMs: Span
}

/** Customers and network failures of one stretch of time; called once a second or so. */
export function passTime(options: DemandOptions, spanMs: number, nowMs: number): void {
  const { machines, random, rate, offlineShare, offlineMs } = options
  if (machines.length === 0) return
  const paces: number[] = []
  let pace = 0
  for (const machine of machines) paces.push((pace += paceOf(machine, nowMs)))
  const visitors = poisson(random, (pace * rate * spanMs) / DAY_MS)
  for (let i = 0; i < visitors; i += 1) {
    const wanted = machines[placeOf(paces, random() * pace)]!
    const machine = isFree(wanted) ? wanted : findFree(machines, random)
    if (machine) visit(machine, random)
  }
  const meanOfflineMs = (offlineMs[0] + offlineMs[1]) / 2
  const losses = poisson(random, (machines.length * offlineShare * spanMs) / meanOfflineMs)
  for (let i = 0; i < losses; i += 1) {
    const machine = machines[Math.floor(random() * machines.length)]!
    if (machine.isUp) loseNetwork(machine, between(random, offlineMs))
  }
}

/** Sales a day at the pace of this minute: as its file says, or as its kind usually sells. */
export function paceOf({ sells, category, code, timeZone }: Machine, nowMs: number): number {
  const minute = minuteOfDay(nowMs, timeZone)
  if (sells) return sells.aDay * sells.weekdays[weekdayOf(nowMs, timeZone)]! * shareAt(sells.hours, minute)
  const [least, most] = POPULARITY
  return (USUAL_A_DAY * dayShare(category, minute) * (least + (hash32(code) % (most - least + 1)))) / 100
}

/** The first whose sum with those before it reaches the number. */
function placeOf(sums: readonly number[], wanted: number): number {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sums[middle]! > wanted) high = middle
    else low = middle + 1
  }
  return low
}

const isFree = (machine: Machine): boolean => machine.isOn && !machine.isBusy && !machine.isSaleStopped

function findFree(machines: readonly Machine[], random: Random): Machine | null {
  for (let i = 0; i < MOST_TRIES; i += 1) {
    const machine = machines[Math.floor(random() * machines.length)]!
    if (isFree(machine)) return machine
  }
  return null
}

function visit(machine: Machine, random: Random): void {
  const wish = chooseWish(machine, random)
  if (wish) void sell(machine, wish)
}

export function chooseWish(machine: Machine, random: Random): Wish | null {
  const set = machine.sets.length > 0 && machine.isUp && chance(random, SET_SHARE) ? chooseSet(machine, random) : []
  const slots = set.length > 0 ? set : chooseSlots(machine, random)
  if (slots.length === 0) return null
  if (machine.isHighGo && machine.isUp && chance(random, PLAY_SHARE)) {
    return { slots: slots.slice(0, 1), method: weighted(random, { ...methods, cash: 0 }), isPlay: true }
  }
  const canPayCash = machine.takesCash && totalFen(machine, slots) % SMALLEST_COIN_FEN === 0
  if (machine.isUp) {
    const offered = { ...methods, ...heldSharesOf(machine) }
    return { slots, method: weighted(random, canPayCash ? offered : { ...offered, cash: 0 }) }
  }
  return canPayCash && chance(random, CASH_INSTEAD_SHARE) ? { slots, method: 'cash' } : null
}

const heldSharesOf = (machine: Machine): Partial<Record<PaymentMethod, number>> =>
  Object.fromEntries(
    Object.entries(heldShares).filter(([method]) => heldNow(machine, method as keyof typeof heldShares)),
  )

const totalFen = (machine: Machine, codes: readonly string[]): number =>
  machine.slots.reduce((sum, slot) => sum + (codes.includes(slot.code) ? (slot.priceFen ?? 0) : 0), 0)

/** Slots of all that one of its sets holds; none where a piece is sold out. */
function chooseSet(machine: Machine, random: Random): string[] {
  const set = machine.sets[Math.floor(random() * machine.sets.length)] ?? []
  const slots = set.flatMap((product) => {
    const pieces = set.filter((each) => each === product).length
    return machine.slots.find((s) => s.product === product && s.stock >= pieces && isSellable(machine, s)) ?? []
  })
  return slots.length === set.length ? slots.map(({ code }) => code) : []
}

/** Some products sell four times as often as others; a basket holds different slots. */
function chooseSlots(machine: Machine, random: Random): string[] {
  const sellable = machine.slots.filter((slot) => isSellable(machine, slot))
  const wanted = pieceCounts[weighted<keyof typeof pieceCounts>(random, pieces)]
  const chosen: string[] = []
  while (chosen.length < wanted && sellable.length > 0) {
    const at = Math.floor(random() * sellable.length)
    const slot = sellable[at]!
    const isLiked = random() < 0.25 + 0.75 * ((hash32(slot.product!) % 100) / 100)
    if (!isLiked && sellable.length > 1) continue
    chosen.push(slot.code)
    sellable.splice(at, 1)
  }
  return chosen
}
