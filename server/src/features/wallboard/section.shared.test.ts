import { expect, test } from 'vitest'
import type { Reader } from '../../kernel/context'
import type { Parts } from './section.parts'
import { readOnce } from './section.shared'

const trend = { name: 'soldByDay', unit: 'fen', from: '2026-11-01', step: 'day', values: [] } as const
const parts: Parts = { figures: [], trend: { ...trend, values: [] }, rankings: [] }

test('boards that ask while it is read share the reading, the next one reads again', async () => {
  const db = {} as Reader
  let read = 0
  const ask = (what: string) =>
    readOnce(db, what, async () => {
      read += 1
      return parts
    })
  await Promise.all([ask('product 1'), ask('product 1'), ask('product 2')])
  expect(read).toBe(2)
  await ask('product 1')
  expect(read).toBe(3)
})

test('a reading that fails is not kept', async () => {
  const db = {} as Reader
  await expect(readOnce(db, 'a', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  expect(await readOnce(db, 'a', async () => parts)).toBe(parts)
})
