import { expect, test } from 'vitest'
import { dryRunOf, type PastOrder } from './dryRun.rules'
import { anyPlanOf } from './price.testing'

const order = (day: string, ...fens: number[]): PastOrder => ({
  basket: {
    machine: { id: 1, merchantId: 1, groupIds: [] },
    at: { day, weekday: 1, minute: 0 },
    buyer: null,
    items: fens.map((listFen) => ({ productId: 1, categoryIds: [], medicineClass: null, listFen, cut: null })),
  },
  costFen: fens.length * 100,
})
const orders = [order('2026-11-01', 1000), order('2026-11-02', 500, 500), order('2026-11-03', 300)]
const rate = anyPlanOf({ kind: 'rate', paidPercent: 80, startsOn: '2026-11-02' })

test('the same orders with a plan and without it', () =>
  expect(dryRunOf(rate, [rate], orders)).toEqual({
    orders: 3,
    touched: 2,
    pieces: 3,
    forgoneFen: 260,
    without: { paidFen: 2300, marginFen: 1900 },
    with: { paidFen: 2040, marginFen: 1640 },
  }))

test('what is listed beside it counts in both, and its limits are used up in the order of time', () => {
  const listed = anyPlanOf({ planId: 2, kind: 'amount', amountFen: 10, priority: 1, endsOn: '2026-11-02' })
  expect(dryRunOf({ ...rate, room: { uses: 1, fen: null } }, [listed], orders)).toMatchObject({
    touched: 1,
    forgoneFen: 60,
    without: { paidFen: 2270 },
    with: { paidFen: 2210 },
  })
})
