import { createHash, createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { drawnNumber, faultOf, isWon, seedHashOf } from './draw'

const seed = '9b'.repeat(32)

test('a draw is what any other program makes of the same seed and order', () => {
  const orderNo = 'HZ0101-261120-7'
  const mac = createHmac('sha256', Buffer.from(seed, 'hex')).update(orderNo).digest()
  expect(drawnNumber(seed, orderNo)).toBe(Math.floor((mac.readUIntBE(0, 6) / 2 ** 48) * 1000))
  expect(seedHashOf(seed)).toBe(createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex'))
})

test('numbers fall evenly: each tenth has its share within five standard deviations', () => {
  const own = randomBytes(32).toString('hex')
  const tenths = Array.from({ length: 10 }, () => 0)
  const draws = 20_000
  for (let i = 0; i < draws; i += 1) tenths[Math.floor(drawnNumber(own, `M-${i}`) / 100)]! += 1
  const most = 5 * Math.sqrt(draws * 0.1 * 0.9)
  for (const count of tenths) expect(Math.abs(count - draws / 10), `seed ${own}`).toBeLessThan(most)
})

test('a proof says what does not hold', () => {
  const orderNo = 'M1-1'
  const number = drawnNumber(seed, orderNo)
  const proof = { orderNo, seed, seedHash: seedHashOf(seed), number, oddsPermille: 500, isWon: isWon(number, 500) }
  expect(faultOf(proof)).toBeNull()
  expect(faultOf({ ...proof, seed: null })).toBe('hidden')
  expect(faultOf({ ...proof, seed: '9c'.repeat(32) })).toBe('seed')
  expect(faultOf({ ...proof, orderNo: 'M1-2' })).toBe('number')
  expect(faultOf({ ...proof, isWon: !proof.isWon })).toBe('result')
})
