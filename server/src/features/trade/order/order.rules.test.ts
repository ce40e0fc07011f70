import { describe, expect, test } from 'vitest'
import {
  askedFen,
  businessTypeOf,
  finishOf,
  isMethodOpen,
  isSecond,
  itemOutcome,
  keptCode,
  orderRefusal,
  saleTotals,
} from './order.rules'

describe('an item', () => {
  test.each([
    [{ ok: true, motorCode: '100' }, 'dispensed'],
    [{ ok: true, motorCode: '102' }, 'dispensed'],
    [{ ok: false, motorCode: '100' }, 'jammed'],
    [{ ok: false, motorCode: '103' }, 'jammed'],
    [{ ok: false, motorCode: '101' }, 'failed'],
    [{ ok: false, motorCode: '104' }, 'failed'],
  ] as const)('%o ends as %s', (result, state) => expect(itemOutcome(result)).toBe(state))
})

test.each([
  ['came out after another was handed over for it', 'dispensed', true, 'dispensed', true],
  ['came out, as is known', 'dispensed', false, 'dispensed', false],
  ['jammed, and another was handed over for it', 'dispensed', true, 'jammed', false],
  ['came out late, and none was handed over', 'no_answer', false, 'dispensed', false],
  ['came out though nothing that was handed over is known of', 'no_answer', true, 'dispensed', false],
] as const)('a piece that %s is a second one (%s, %s, %s): %s', (_, state, isRedelivered, told, isOne) => {
  const item = { state, redelivered_at: isRedelivered ? new Date(0) : null }
  expect(isSecond(item, told)).toBe(isOne)
})

describe('an order', () => {
  const running = { ship_state: 'in_transit', problem: null, is_lottery: false } as const
  const late = { ship_state: 'timeout', problem: 'no_answer', is_lottery: false } as const
  const play = { ...running, is_lottery: true } as const
  test.each([
    [running, ['dispensed', 'waiting'], null],
    [running, ['dispensed'], { shipState: 'completed', problem: null }],
    [running, ['dispensed', 'jammed'], { shipState: 'completed', problem: 'undelivered' }],
    [running, ['jammed', 'failed'], { shipState: 'invalid', problem: 'undelivered' }],
    [late, ['dispensed', 'no_answer'], { shipState: 'timeout', problem: 'late_result' }],
    [late, ['jammed'], { shipState: 'timeout', problem: 'no_answer' }],
    [play, ['waiting'], null],
    [play, ['dispensed'], { shipState: 'lottery_won', problem: null }],
    [play, ['jammed'], { shipState: 'lottery_won', problem: null }],
    [{ ...play, ship_state: 'lottery_lost' }, ['dispensed'], { shipState: 'lottery_lost', problem: 'late_result' }],
    [{ ...play, ...late, is_lottery: true }, ['dispensed'], { shipState: 'timeout', problem: 'late_result' }],
  ] as const)('%o with %o ends as %o', (order, items, finish) => expect(finishOf(order, items)).toEqual(finish))
})

describe('an order request', () => {
  const machine = { operation: 'in_operation', licenceMode: 'retail' } as const
  const hospital = { operation: 'in_operation', licenceMode: 'hospital' } as const
  const slot = { state: 'normal', medicineClass: null } as const
  const rx = { ...slot, medicineClass: 'rx' } as const
  const reserved = { ...slot, state: 'reserved_only' } as const
  const wechat = { method: 'wechat' } as const
  const code = { method: 'pickup_code', code: '8K2M' } as const
  test.each([
    [machine, wechat, [slot], null],
    [{ ...machine, operation: 'stopped' as const }, wechat, [slot], 'machineStopped'],
    [machine, { method: 'member_card' }, [slot], 'codeUnknown'],
    [machine, { method: 'member_card', code: '0a1b2c3d' }, [slot], null],
    [machine, code, [slot, reserved], null],
    [machine, wechat, [reserved], 'slotNotForSale'],
    [machine, wechat, [slot, { ...slot, state: 'out_of_stock' as const }], 'slotNotForSale'],
    [machine, code, [{ ...slot, state: 'price_abnormal' as const }], 'slotNotForSale'],
    [machine, wechat, [slot, { ...slot, state: 'offline' as const }], 'productOffline'],
    [machine, code, [{ ...slot, state: 'offline' as const }], null],
    [machine, wechat, [{ ...slot, medicineClass: 'otc_b' as const }], null],
    [machine, wechat, [{ ...slot, medicineClass: 'otc_a' as const }], 'notLawful'],
    [machine, wechat, [slot, { ...slot, medicineClass: 'otc_a' as const }], 'notLawful'],
    [hospital, wechat, [rx, slot], 'prescriptionMissing'],
    [hospital, { ...wechat, isPlay: true }, [slot, { ...slot, medicineClass: 'otc_b' as const }], 'notLawful'],
    [hospital, { ...wechat, isPlay: true }, [slot], null],
    [hospital, wechat, [rx], 'prescriptionMissing'],
    [hospital, { ...wechat, prescription: 'RX1' }, [rx, slot], null],
    [machine, { ...wechat, prescription: 'RX1' }, [rx], 'notLawful'],
    [hospital, { ...wechat, isPlay: true }, [{ ...slot, medicineClass: 'otc_b' as const }], 'notLawful'],
    [
      { ...machine, licenceMode: 'none' as const },
      { method: 'cash' },
      [{ ...slot, medicineClass: 'otc_b' as const }],
      'notLawful',
    ],
  ] as const)('%o %o %o: %s', (from, asked, slots, reason) => expect(orderRefusal(from, asked, slots)).toBe(reason))
})

test.each([
  [{ method: 'wechat', code: '0a1b2c3d' }, null],
  [{ method: 'member_card' }, null],
  [{ method: 'member_card', code: '0a1b2c3d' }, '0a1b2c3d'],
] as const)('of %o the order keeps %s', (asked, kept) => expect(keptCode(asked)).toBe(kept))

test('of a pick-up code an order keeps less than opens it', () => {
  const kept = keptCode({ method: 'pickup_code', code: '8K2M9XDP' })
  expect(kept).toBe('••••••9XDP')
})

test.each([
  ['wechat', true],
  ['cash', true],
  ['pickup_code', false],
  ['member_card', false],
] as const)('a machine alone may take %s: %s', (method, isOpen) => expect(isMethodOpen(method)).toBe(isOpen))

test.each([
  [{ method: 'wechat' }, [null], 'sale'],
  [{ method: 'member_card' }, [null, 'otc_b'], 'member'],
  [{ method: 'alipay', prescription: 'RX1' }, ['rx', null], 'prescription'],
  [{ method: 'alipay', prescription: 'RX1' }, [null], 'sale'],
  [{ method: 'member_card', prescription: 'RX1' }, ['rx'], 'prescription'],
  [{ method: 'pickup_code' }, ['rx'], 'pickup'],
  [{ method: 'wechat', isPlay: true }, [null], 'lottery'],
] as const)('the business type of %o on %o is %s', (asked, classes, type) =>
  expect(businessTypeOf(asked, classes)).toBe(type),
)

test.each([
  [{ method: 'wechat' }, 500],
  [{ method: 'pickup_code' }, 0],
  [{ method: 'wechat', isLottery: true }, 115],
])('%o on a slot at 500 fen is asked %i', (order, asked) =>
  expect(askedFen(order, { price_fen: 500 }, { lotteryPermille: 200, upliftPermille: 150 })).toBe(asked),
)

test('a sale whose money does not fit its prices is taken and flagged', () => {
  expect(saleTotals({ paidFen: 500, items: [{ priceFen: 500 }] }).problem).toBeNull()
  expect(saleTotals({ paidFen: 400, items: [{ priceFen: 500 }] }).problem).toBe('amount_mismatch')
})
