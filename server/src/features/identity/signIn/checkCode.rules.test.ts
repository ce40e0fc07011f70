import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import '@aisle/contract/identity/session'
import { pictureOf } from './checkCode.picture'
import { CODE_SYMBOLS, newCode } from './checkCode.rules'

test('a code has four of 31 symbols that nobody mixes up, so never 0000', () => {
  expect(CODE_SYMBOLS).toHaveLength(31)
  expect(CODE_SYMBOLS).not.toMatch(/[01OIL]/)
  for (let i = 0; i < 1000; i += 1) expect(newCode(randomInt)).toMatch(/^[A-HJ-KM-NP-Z2-9]{4}$/)
  expect(newCode(() => 0)).toBe('AAAA')
  expect(newCode((below) => below - 1)).toBe('9999')
})

const bytesOf = (picture: string) => Buffer.from(picture.replace('data:image/png;base64,', ''), 'base64')

/** The names of a PNG's chunks, in their order. */
function chunksOf(png: Buffer): string[] {
  const names: string[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) names.push(png.toString('latin1', at + 4, at + 8))
  return names
}

test('the picture is pixels alone: no paths, no text beside them, and one size whatever the code is', async () => {
  const pictures = await Promise.all(['K7Q2', 'JJJJ', 'WWWW', 'M8B6'].map(pictureOf))
  for (const picture of pictures) {
    expect(picture).toMatch(/^data:image\/png;base64,/)
    const png = bytesOf(picture)
    expect(new Set(chunksOf(png))).toEqual(new Set(['IHDR', 'pHYs', 'IDAT', 'IEND']))
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([240, 80])
  }
  expect(new Set(pictures.map((picture) => picture.length)).size).toBe(1)
})

test('the same code is drawn differently each time', async () => {
  const [one, other] = await Promise.all([pictureOf('K7Q2'), pictureOf('K7Q2')])
  expect(one).not.toBe(other)
})

test('a flood of pictures is told to slow down; those that waited are drawn, and so are later ones', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 200 }, () => pictureOf('K7Q2')))
  const refused = answers.filter((answer) => answer.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(answers.length - refused.length).toBeGreaterThan(30)
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'signIn.slowDown' })
  expect(await pictureOf('K7Q2')).toMatch(/^data:image\/png/)
})
