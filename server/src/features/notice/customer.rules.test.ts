import { expect, test } from 'vitest'
import { dueOf, fillTemplate } from './customer.rules'

test.each([
  ['unpaid', 'in_transit', []],
  ['closed', 'invalid', []],
  ['paid', 'in_transit', ['paid']],
  ['paid', 'completed', ['paid', 'shipped']],
  ['refunding', 'timeout', ['paid']],
  ['refunded', 'timeout', ['paid', 'refunded']],
  ['partly_refunded', 'completed', ['paid', 'shipped', 'refunded']],
  ['paid', 'lottery_lost', ['paid']],
] as const)('of an order that is %s and %s the customer is told %j', (paymentState, shipState, expected) => {
  expect(dueOf({ paymentState, shipState })).toEqual(expected)
})

const facts = {
  title: '支付成功',
  orderNo: '100023-A-7',
  product: '一种名字特别特别特别特别特别长的商品',
  machine: '三号楼大厅',
  amount: '12.50元',
  time: '2026-11-20 12:00',
}
const values = (content: string) => {
  const filled = fillTemplate(content, facts)
  return 'data' in filled
    ? Object.fromEntries(Object.entries(filled.data).map(([name, { value }]) => [name, value]))
    : filled
}

test('fields are filled by their kind, and what is too long is cut', () => {
  const content =
    '单号:{{character_string2.DATA}}\n商品:{{thing4.DATA}}\n地点:{{thing9.DATA}}\n金额:{{amount3.DATA}}\n{{time5.DATA}}'
  const long = fillTemplate(content, { ...facts, product: '长'.repeat(30) })
  expect(values(content)).toEqual({
    character_string2: facts.orderNo,
    thing4: facts.product,
    thing9: facts.machine,
    amount3: facts.amount,
    time5: facts.time,
  })
  expect(long).toMatchObject({ data: { thing4: { value: `${'长'.repeat(19)}…` } } })
})

test('older templates have an order instead of kinds', () => {
  expect(values('{{first.DATA}}\n{{keyword1.DATA}} {{keyword2.DATA}} {{keyword3.DATA}}\n{{remark.DATA}}')).toEqual({
    first: facts.title,
    keyword1: facts.orderNo,
    keyword2: facts.product,
    keyword3: facts.amount,
    remark: facts.machine,
  })
})

test('a field for which there is nothing is named', () => {
  expect(values('{{thing1.DATA}} {{car_number2.DATA}}')).toEqual({ unknown: 'car_number2' })
  expect(values('{{amount1.DATA}} {{amount2.DATA}}')).toEqual({ unknown: 'amount2' })
})
