import { expect, test } from 'vitest'
import { changeText } from './format'

const changes: [change: number, text: string][] = [
  [-1, '-100%'],
  [0, '0%'],
  [0.062, '+6.2%'],
  [9.99, '+999%'],
  [9.9901, '>999%'],
  [812.4, '>999%'],
]
test.each(changes)('a change of %d reads %s', (change, text) => expect(changeText(change, 'zh')).toBe(text))

test('the limit is written as the language writes percentages', () => {
  expect(changeText(12, 'fr').replaceAll(/\s/g, ' ')).toBe('>999 %')
})
