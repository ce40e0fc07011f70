import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { pictureOf } from './checkCode.picture'
import { CODE_SYMBOLS, newCode } from './checkCode.rules'

test('a code has four of 31 symbols that nobody mixes up, so never 0000', () => {
  expect(CODE_SYMBOLS).toHaveLength(31)
  expect(CODE_SYMBOLS).not.toMatch(/[01OIL]/)
  for (let i = 0; i < 1000; i += 1) expect(newCode(randomInt)).toMatch(/^[A-HJ-KM-NP-Z2-9]{4}$/)
  expect(newCode(() => 0)).toBe('AAAA')
  expect(newCode((below) => below - 1)).toBe('9999')
})

test('the picture shows the code in strokes only', async () => {
  const svg = Buffer.from((await pictureOf('K7Q2')).replace('data:image/svg+xml;base64,', ''), 'base64').toString()
  expect(svg).toMatch(/^<svg /)
  expect(svg).not.toMatch(/K7Q2|<text|script/)
})
