import { expect, test } from 'vitest'
import zh from '../../../../contract/src/trade/text/zh.json'
import type { Text } from '../../ui/text'
import { eventDetail } from './order.story.rules'

const words: Record<string, string> = zh
const said = (key: string, vars: Record<string, string | number> = {}) =>
  (words[key] ?? key).replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(vars[name]))
const t: Text<'trade'> = Object.assign(said, {
  any: said,
  has: (key: string) => key in words,
  or: (key: string, code: string) => words[key] ?? code,
})

test('a payment names its method and the number of the channel', () => {
  expect(eventDetail({ method: 'wechat', number: '4200002671' }, t)).toBe('微信 · 4200002671')
  expect(eventDetail({ method: 'cash', number: '' }, t)).toBe('现金')
})

test('a jam tells motor and sensor apart, and a code without a word stays a code', () => {
  const jam = { product: '布洛芬缓释胶囊', slot: 'C7', motor: '100', sensor: '03' }
  expect(eventDetail(jam, t)).toBe('布洛芬缓释胶囊 · 货道 C7 · 电机正常 · 光幕未检出')
  expect(eventDetail({ ...jam, motor: '199', sensor: '' }, t)).toBe('布洛芬缓释胶囊 · 货道 C7 · 199')
})

test('what a person did names them and their reason', () => {
  const detail = { refund: 'R2026112000000000101', who: '李会计', reason: '顾客来电' }
  expect(eventDetail(detail, t)).toBe('R2026112000000000101 · 李会计 · 顾客来电')
})

test('an event without facts needs no second line', () => {
  expect(eventDetail({}, t)).toBe('')
})
