import { expect, test } from 'vitest'
import { type Candidate, type Claim, judged, likely } from './match.rules'

const NOON = Date.parse('2026-11-20T04:00:00Z')
const MINUTE = 60_000
const claim = (part: Partial<Claim> = {}): Claim => ({
  kind: 'nothing',
  amountFen: 500,
  atMs: NOON,
  goods: '',
  ...part,
})
let ids = 0
function order(minutes: number, part: Partial<Candidate> = {}): Candidate {
  ids += 1
  return {
    orderId: ids,
    paidAtMs: NOON + minutes * MINUTE,
    paidFen: 500,
    failedFen: 0,
    isUntold: false,
    isBack: false,
    claimedBy: null,
    goods: [{ name: '可口可乐 330ml', slot: 'A1' }],
    ...part,
  }
}
const failed = { failedFen: 500 }

test.each<[string, Claim, Candidate[], number | null]>([
  ['nothing was paid', claim(), [], null],
  ['the one that failed', claim(), [order(-2, failed)], 0],
  ['the failed one of two that cost as much', claim(), [order(-1), order(-4, failed)], 1],
  ['two failed alike a minute apart', claim(), [order(-2, failed), order(-3, failed)], null],
  ['two failed, and the slot is said', claim({ goods: 'b 2' }), [order(-2, failed), slotted('B2')], 1],
  ['two failed, and the goods are said in part', claim({ goods: '可乐' }), [order(-2, failed), slotted('B2')], 0],
  ['a quarter of an hour and more is too far', claim(), [order(-16, failed)], null],
  ['another amount altogether', claim({ amountFen: 1200 }), [order(-2)], null],
  ['the failed part of a larger order', claim({ amountFen: 300 }), [order(-2, { paidFen: 800, failedFen: 300 })], 0],
  ['all came out, so nobody is sure', claim(), [order(-1), order(-2), order(-3)], null],
  ['another case has it', claim(), [order(-2, { ...failed, claimedBy: 7 })], null],
  ['another case has the nearer one', claim(), [order(-1, { ...failed, claimedBy: 7 }), order(-3, failed)], 1],
  ['wrong goods: what came out, not what failed', claim({ kind: 'wrong' }), [order(-2), order(-2, failed)], 0],
  ['charged twice: one of the twins is not told from the other', claim({ kind: 'twice' }), twins(), null],
])('%s', (_, said, orders, right) => {
  expect(likely(judged(said, orders))?.orderId ?? null).toBe(right === null ? null : orders[right]?.orderId)
})

function slotted(slot: string): Candidate {
  return order(-3, { ...failed, goods: [{ name: '雪碧 330ml', slot }] })
}
function twins(): Candidate[] {
  return [order(-2), order(-3)]
}

test('what speaks for it is said, and the sums of how sure never pass a hundred', () => {
  const all = judged(claim({ goods: 'A1' }), [order(-1, failed), order(-9), order(-4, { paidFen: 900 })])
  expect(all[0]?.evidence).toEqual(['undelivered', 'amount', 'time', 'goods'])
  expect(all.reduce((sum, { sureness }) => sum + sureness, 0)).toBeLessThanOrEqual(100)
})

/** The same numbers for the same seed (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const prices = [300, 350, 400, 500, 500, 600, 800]

/** A busy machine, one customer, who errs about time, amount and goods as people do. @returns also who it was */
function situation(random: () => number): { said: Claim; orders: Candidate[]; right: number | null } {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const orders = Array.from({ length: 1 + Math.floor(random() * 7) }, () => {
    const [paidFen, slot] = [pick(prices), `A${1 + Math.floor(random() * 8)}`]
    const failedFen = random() < 0.08 ? paidFen : 0
    const goods = [{ name: `Drink ${slot}`, slot }]
    return order(random() * 40 - 20, { paidFen, failedFen, goods, isUntold: failedFen === 0 && random() < 0.03 })
  })
  // One in ten complains about what is not among them.
  const isElsewhere = random() < 0.1
  const victim = pick(orders)
  if (!isElsewhere) Object.assign(victim, random() < 0.9 ? { failedFen: victim.paidFen, isUntold: false } : {})
  const off = (random() + random() + random() - 1.5) * 8 * MINUTE
  const amountFen = random() < 0.9 ? victim.paidFen : pick(prices)
  const goods = random() < 0.5 ? (random() < 0.9 ? (victim.goods[0]?.slot ?? '') : 'A8') : ''
  const kind = random() < 0.8 ? 'nothing' : 'stuck'
  const said = { kind, amountFen, atMs: victim.paidAtMs + off, goods } as const
  const all = isElsewhere ? orders.filter((each) => each !== victim) : orders
  return { said, orders: all, right: isElsewhere ? null : victim.orderId }
}

test('of ten thousand complaints at busy machines 95 in a hundred answers are right, and most have one', () => {
  const seed = 20261120
  const random = chance(seed)
  const tallied = { answered: 0, right: 0 }
  for (let round = 0; round < 10_000; round += 1) {
    const { said, orders, right } = situation(random)
    const answer = likely(judged(said, orders))
    if (answer) tallied.answered += 1
    if (answer && answer.orderId === right) tallied.right += 1
  }
  expect(tallied.right / tallied.answered, `seed ${seed}: ${JSON.stringify(tallied)}`).toBeGreaterThanOrEqual(0.95)
  expect(tallied.answered, `seed ${seed}`).toBeGreaterThan(6_000)
})

test('the order in which payments are listed changes nothing', () => {
  const seed = 7
  const random = chance(seed)
  for (let round = 0; round < 500; round += 1) {
    const { said, orders } = situation(random)
    const shuffled = orders.toSorted((a, b) => Math.sin(a.orderId * 999) - Math.sin(b.orderId * 999))
    const ids = (all: readonly Candidate[]) => judged(said, all).map(({ orderId, sureness }) => [orderId, sureness])
    expect(ids(shuffled), `seed ${seed}, round ${round}`).toEqual(ids(orders))
  }
})
