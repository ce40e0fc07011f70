import { describe, expect, test } from 'vitest'
import { dueBackFen, finishOf, itemOutcome, orderRefusal, saleTotals } from './order.rules'

describe('an item', () => {
  test.each([
    [{ ok: true, motorCode: '100' }, 'dispensed'],
    [{ ok: true, motorCode: '102' }, 'dispensed'],
    [{ ok: false, motorCode: '100' }, 'jammed'],
    [{ ok: false, motorCode: '103' }, 'jammed'],
    [{ ok: false, motorCode: '101' }, 'failed'],
  ] as const)('%o ends as %s', (result, state) => expect(itemOutcome(result)).toBe(state))
})

describe('an order', () => {
  const running = { ship_state: 'in_transit', problem: null } as const
  const late = { ship_state: 'timeout', problem: 'no_answer' } as const
  test.each([
    [running, ['dispensed', 'waiting'], null],
    [running, ['dispensed'], { shipState: 'completed', problem: null }],
    [running, ['dispensed', 'jammed'], { shipState: 'completed', problem: 'undelivered' }],
    [running, ['jammed', 'failed'], { shipState: 'invalid', problem: 'undelivered' }],
    [late, ['dispensed', 'no_answer'], { shipState: 'timeout', problem: 'late_result' }],
    [late, ['jammed'], { shipState: 'timeout', problem: 'no_answer' }],
  ] as const)('%o with %o ends as %o', (order, items, finish) => expect(finishOf(order, items)).toEqual(finish))
})

describe('what is due back', () => {
  const paid = { is_lottery: false, paid_fen: 1000, total_fen: 1000, refunded_fen: 0 }
  const item = (state: 'dispensed' | 'jammed' | 'waiting', price_fen: number) => ({ state, price_fen })
  test.each([
    [paid, [item('dispensed', 1000)], 0],
    [paid, [item('jammed', 400), item('dispensed', 600)], 400],
    [{ ...paid, paid_fen: 500 }, [item('jammed', 333), item('dispensed', 667)], 166],
    [{ ...paid, refunded_fen: 400 }, [item('jammed', 400), item('dispensed', 600)], 0],
    [{ ...paid, is_lottery: true }, [item('jammed', 1000)], 0],
    [paid, [item('waiting', 1000)], 0],
  ])('%o %o: %i fen', (order, items, due) => expect(dueBackFen(order, items)).toBe(due))
})

describe('an order request', () => {
  const machine = { operation: 'in_operation', licenceMode: 'retail' } as const
  const slot = { state: 'normal', medicineClass: null } as const
  test.each([
    [machine, 'wechat', [slot], null],
    [{ ...machine, operation: 'stopped' as const }, 'wechat', [slot], 'machineStopped'],
    [machine, 'member_card', [slot], 'methodNotOpen'],
    [machine, 'wechat', [slot, { ...slot, state: 'out_of_stock' as const }], 'slotNotForSale'],
    [machine, 'wechat', [{ ...slot, medicineClass: 'otc_b' as const }], null],
    [machine, 'wechat', [{ ...slot, medicineClass: 'otc_a' as const }], 'notLawful'],
    [
      { ...machine, licenceMode: 'hospital' as const },
      'wechat',
      [{ ...slot, medicineClass: 'rx' as const }],
      'notLawful',
    ],
    [{ ...machine, licenceMode: 'none' as const }, 'cash', [{ ...slot, medicineClass: 'otc_b' as const }], 'notLawful'],
  ] as const)('%o %s %o: %s', (from, method, slots, reason) => expect(orderRefusal(from, method, slots)).toBe(reason))
})

test('a sale whose money does not fit its prices is taken and flagged', () => {
  expect(saleTotals({ paidFen: 500, items: [{ priceFen: 500 }] }).problem).toBeNull()
  expect(saleTotals({ paidFen: 400, items: [{ priceFen: 500 }] }).problem).toBe('amount_mismatch')
})
