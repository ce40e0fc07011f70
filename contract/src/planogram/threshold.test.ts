import { expect, test } from 'vitest'
import { saveSlots } from './slot'

const slot = { code: 'A01', version: 1, productId: null, priceFen: null, choice: 'none', isLocked: false }
const savedWith = (alarmThreshold: number) =>
  saveSlots.input.safeParse({ id: 1, when: 'now', isSure: false, slots: [{ ...slot, capacity: 5, alarmThreshold }] })

test('a slot alarms at no more pieces than it can hold', () => {
  expect([savedWith(5).success, savedWith(6).success]).toEqual([true, false])
  expect(savedWith(6).error?.issues[0]?.path).toEqual(['slots', 0, 'alarmThreshold'])
})
