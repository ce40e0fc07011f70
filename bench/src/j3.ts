import { estimate, type Seen } from '../../server/src/features/advice/price/price.rules'
import {
  adviseMachine,
  groupFor,
  groupsOf,
  type Held,
  type Machine,
} from '../../server/src/features/advice/product/recommend.rules'
import type { Bench, Line } from './kit/figure'

const MACHINES = 400
const PRODUCTS = 60
const HELD = 20
const DAYS = 28
const MONTH = 30
const KINDS = ['campus', 'station', 'office', 'hospital'] as const

/**
 * Both recommenders where the truth is known: worlds are drawn, machines sell in them by chance, each recommendation
 * is made from those sales alone and is worth what it would truly earn. Beside each, what somebody would do without.
 */
export async function j3({ rounds }: Bench): Promise<Line[]> {
  const worlds = Array.from({ length: rounds }, (_, seed) => seed + 1)
  const products = mean(worlds.map(productWorld))
  const prices = mean(worlds.map(priceWorld))
  return Promise.resolve([
    line('products: true gain of a recommendation a month', products, 'the network’s best seller for the weakest slot'),
    line('prices: true gain a product and month at 60 machines', prices, 'ten percent dearer everywhere'),
  ])
}

type Score = { ours: number; naive: number; hits: number }

const line = (what: string, { ours, naive, hits }: Score, beside: string): Line => ({
  id: 'J3',
  what,
  ours: `${(ours / 100).toFixed(2)} yuan, ${(hits * 100).toFixed(0)} % truly gain`,
  anchor: `${beside} ${(naive / 100).toFixed(2)} yuan`,
  value: null,
  unit: '',
  goal: null,
})

const mean = (scores: readonly Score[]): Score => ({
  ours: average(scores.map(({ ours }) => ours)),
  naive: average(scores.map(({ naive }) => naive)),
  hits: average(scores.map(({ hits }) => hits)),
})
const average = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length)

/** Mulberry32: the same world for the same seed. */
function chance(seed: number): () => number {
  let state = seed * 0x9e3779b9
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Pieces sold by chance around a rate (Knuth's method, in parts that do not underflow). */
function poisson(rate: number, random: () => number): number {
  let count = 0
  for (let left = rate; left > 0; left -= 30) {
    const limit = Math.exp(-Math.min(30, left))
    for (let product = random(); product > limit; product *= random()) count += 1
  }
  return count
}

const MARGIN_FEN = 300

function productWorld(seed: number): Score {
  const random = chance(seed)
  const pieces = (at: number) => Math.exp(3 * random() - 2) * at
  const liked = KINDS.map(() => Array.from({ length: PRODUCTS }, () => pieces(1)))
  const truth = Array.from({ length: MACHINES }, (_, id) => {
    const kind = id % KINDS.length
    const size = 0.6 + random()
    return { kind, rates: liked[kind]?.map((rate) => rate * size * (0.6 + 0.8 * random())) ?? [] }
  })
  const machines = truth.map(({ kind, rates }, id): Machine => {
    const held = chosen(random).map((productId, slot): Held => {
      const sold = poisson((rates[productId] ?? 0) * DAYS, random)
      return { ...plain, productId, slotId: id * 100 + slot, pieces: sold, marginFen: sold * MARGIN_FEN }
    })
    const salesFen = held.reduce((sum, each) => sum + each.pieces * 500, 0)
    const placeKind = KINDS[kind] ?? ''
    return { id, merchantId: 1, path: [1], placeKind, days: DAYS, salesFen, emptySlots: [], coming: new Set(), held }
  })
  const groups = groupsOf(machines)
  const totals = Array.from({ length: PRODUCTS }, (_, id) =>
    machines.reduce((sum, { held }) => sum + (held.find(({ productId }) => productId === id)?.pieces ?? 0), 0),
  )
  const best = totals.map((sold, id) => ({ sold, id })).sort((a, b) => b.sold - a.sold)
  const worth = (machine: number, productId: number | null) =>
    productId === null ? 0 : (truth[machine]?.rates[productId] ?? 0) * MONTH * MARGIN_FEN
  const ours: number[] = []
  const naive: number[] = []
  for (const machine of machines) {
    const said = adviseMachine(machine, groupFor(groups, machine), () => 500)
    const weakest = [...machine.held].sort((a, b) => a.marginFen - b.marginFen)
    const missing = best.filter(({ id }) => machine.held.every(({ productId }) => productId !== id))
    // As many changes as ours, so that both are asked the same.
    for (const [n, { incomingId, outgoingId }] of said.entries()) {
      ours.push(worth(machine.id, incomingId) - worth(machine.id, outgoingId))
      naive.push(worth(machine.id, missing[n]?.id ?? null) - worth(machine.id, weakest[n]?.productId ?? null))
    }
  }
  return { ours: average(ours), naive: average(naive), hits: average(ours.map((gain) => (gain > 0 ? 1 : 0))) }
}

const plain = {
  slots: 1,
  priceFen: 500,
  outDays: 0,
  lossFen: 0,
  expiringPieces: 0,
  costFen: 200,
  stoodSince: null,
  isSettled: true,
  isOld: true,
}

function chosen(random: () => number): number[] {
  const all = Array.from({ length: PRODUCTS }, (_, id) => ({ id, at: random() }))
  return all
    .sort((a, b) => a.at - b.at)
    .slice(0, HELD)
    .map(({ id }) => id)
}

/**
 * Products whose demand falls with their price by what nobody is told, some so much that they should be cheaper; a
 * third of the machines are a tenth dearer.
 */
function priceWorld(seed: number): Score {
  const random = chance(seed + 7_777)
  const ours: number[] = []
  const naive: number[] = []
  const hits: number[] = []
  for (let product = 0; product < 200; product += 1) {
    const elasticity = -0.3 - 3.7 * random()
    const nowFen = 300 + Math.round(random() * 70) * 10
    const costFen = Math.round((nowFen * (0.4 + 0.4 * random())) / 10) * 10
    const perDay = Math.exp(2 * random())
    const seen = Array.from({ length: 60 }, (_, n): Seen => {
      const fen = n % 3 === 0 ? Math.round(nowFen / 100) * 110 : nowFen
      const size = 0.6 + 0.8 * random()
      const rate = perDay * size * (fen / nowFen) ** elasticity * (0.85 + 0.3 * random())
      const others = poisson(40 * size * DAYS, random) / DAYS
      return { fen, pieces: poisson(rate * DAYS, random), stockedDays: DAYS, othersPerDay: others, costFen }
    })
    const gain = (fen: number) =>
      perDay * MONTH * 60 * ((fen / nowFen) ** elasticity * (fen - costFen) - (nowFen - costFen))
    const { advisedFen } = estimate(seen)
    const gained = advisedFen === null ? 0 : gain(advisedFen)
    ours.push(gained)
    if (advisedFen !== null) hits.push(gained > 0 ? 1 : 0)
    naive.push(gain(Math.round(nowFen / 100) * 110))
  }
  return { ours: average(ours), naive: average(naive), hits: average(hits) }
}
