import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { moveFiles } from './move'
import { type Files, filesIn } from './store'
import { filesInStore } from './store.s3'

const MEGABYTE = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'aisle-files-'))
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: join(folder, 'server'),
  configureBuckets: [{ name: 'aisle', configs: [] }],
})
let url: string

const access = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1' }

beforeAll(async () => {
  const { port } = await server.run()
  url = `http://127.0.0.1:${port}/aisle`
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const kinds: [string, () => Promise<Files>][] = [
  ['a folder', async () => filesIn(join(folder, 'own'))],
  ['a store', () => filesInStore({ url, ...access })],
]

describe.each(kinds)('%s', (_, open) => {
  let files: Files
  beforeAll(async () => {
    files = await open()
  })
  const all = async (name: string) => buffer(await files.read('pictures', name))

  test('keeps bytes under a name, and knows no other name', async () => {
    expect(await files.sizeOf('pictures', 'a.png')).toBeUndefined()
    expect(await files.list('pictures')).toEqual([])
    await files.keep('pictures', 'a.png', Buffer.from('first'))
    expect(await files.sizeOf('pictures', 'a.png')).toBe(5)
    expect(String(await all('a.png'))).toBe('first')
    await files.keep('pictures', 'a.png', Buffer.from('another'))
    expect(String(await all('a.png'))).toBe('another')
    expect(await files.sizeOf('adverts', 'a.png')).toBeUndefined()
  })

  test('reads a part as a browser asks for it, both ends with it', async () => {
    await files.keep('pictures', 'b.png', Buffer.from('0123456789'))
    expect(String(await buffer(await files.read('pictures', 'b.png', { from: 3, to: 5 })))).toBe('345')
    expect(String(await buffer(await files.read('pictures', 'b.png', { from: 9, to: 9 })))).toBe('9')
  })

  test('takes a large file over, which is not held whole', async () => {
    const bytes = randomBytes(20 * MEGABYTE)
    const path = join(folder, 'large')
    writeFileSync(path, bytes)
    await files.take('exports', 'large.xlsx', path)
    expect(existsSync(path)).toBe(false)
    expect(await files.sizeOf('exports', 'large.xlsx')).toBe(bytes.length)
    expect((await buffer(await files.read('exports', 'large.xlsx'))).equals(bytes)).toBe(true)
  })

  test('lists what begins so, and forgets what is gone twice without a word', async () => {
    for (let n = 0; n < 110; n += 1) await files.keep('adverts', `${n % 2}-${n}`, Buffer.from('x'))
    expect(await files.list('adverts')).toHaveLength(110)
    expect(new Set(await files.list('adverts', '1-'))).toHaveProperty('size', 55)
    await files.remove('adverts', '1-1')
    await files.remove('adverts', '1-1')
    expect(await files.list('adverts', '1-')).toHaveLength(54)
    for (const name of await files.list('adverts')) await files.remove('adverts', name)
  })
})

test('all files move with equal sums, once; what is spoilt on its way is said and stays', async () => {
  const [from, to] = [filesIn(join(folder, 'from')), await filesInStore({ url, ...access })]
  for (const name of ['c.png', 'd.png']) await from.keep('pictures', name, randomBytes(1_000))
  await from.keep('exports', '7-abc.csv', Buffer.alloc(0))
  const spoils: Files = { ...to, read: async () => to.read('pictures', 'a.png') }
  await expect(moveFiles(from, spoils, { isRemoved: true })).rejects.toThrow('pictures/c.png came out different')
  expect(await from.list('pictures')).toHaveLength(2)
  await to.remove('pictures', 'c.png')
  await from.keep('pictures', 'a.png', await buffer(await to.read('pictures', 'a.png')))
  expect(await moveFiles(from, to, { isRemoved: false })).toEqual({ copied: 3, there: 1 })
  expect(await moveFiles(from, to, { isRemoved: true })).toEqual({ copied: 0, there: 4 })
  expect(await from.list('pictures')).toEqual([])
  expect(await to.sizeOf('exports', '7-abc.csv')).toBe(0)
  expect(await to.sizeOf('pictures', 'd.png')).toBe(1_000)
})

test('a store that does not know the key, or has no such bucket, is an error and not an empty folder', async () => {
  for (const place of [
    { url, ...access, accessKeyId: 'unknown' },
    { url: `${url}-other`, ...access },
  ]) {
    const files = await filesInStore(place)
    await expect(files.list('pictures')).rejects.toThrow()
    await expect(files.keep('pictures', 'z.png', Buffer.from('z'))).rejects.toThrow()
  }
})
