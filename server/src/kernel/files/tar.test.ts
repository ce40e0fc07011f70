import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { padding, readTar, tarEnd, tarHeader } from './tar'
import { Broken } from './zip'

const long = `exports/${'很长的名字'.repeat(12)}.csv`
const files = [
  { name: 'empty.txt', text: '' },
  { name: 'exports/block.txt', text: 'x'.repeat(512) },
  { name: long, text: 'said in a record of its own' },
  { name: 'last.txt', text: 'last' },
]

const packed = (): Buffer =>
  Buffer.concat([
    tarHeader({ name: 'exports', size: 0, isFolder: true }),
    ...files.flatMap(({ name, text }) => {
      const bytes = Buffer.from(text)
      return [tarHeader({ name, size: bytes.length, isFolder: false }), bytes, padding(bytes.length)]
    }),
    tarEnd(),
  ])

/** In pieces of any size, as a file is read. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: Buffer, size: number, isRead = true) {
  const found: { name: string; text: string; isFolder: boolean }[] = []
  for await (const { name, isFolder, content } of readTar(inPieces(bytes, size))) {
    const pieces: Buffer[] = []
    if (isRead) for await (const piece of content) pieces.push(piece)
    found.push({ name, isFolder, text: Buffer.concat(pieces).toString() })
  }
  return found
}

test('what was packed comes out again, in whatever pieces it comes, and what nobody reads is passed over', async () => {
  const all = [{ name: 'exports', text: '', isFolder: true }, ...files.map((file) => ({ ...file, isFolder: false }))]
  for (const size of [7, 512, 10_000]) expect(await read(packed(), size)).toEqual(all)
  expect((await read(packed(), 512, false)).map(({ name }) => name)).toEqual(all.map(({ name }) => name))
})

test('one that is cut off anywhere, or has another header, is broken', async () => {
  for (const at of [100, 700, 1700, packed().length - 1030]) {
    await expect(read(packed().subarray(0, at), 512)).rejects.toThrow(Broken)
  }
  const other = packed()
  other[3] = 0x41
  await expect(read(other, 512)).rejects.toThrow(Broken)
})

test('a size beyond eight gigabytes is written so that it is read again', async () => {
  const size = 20_000_000_000
  const header = tarHeader({ name: 'database.dump', size, isFolder: false })
  const first = await readTar(inPieces(Buffer.concat([header, Buffer.alloc(512)]), 512)).next()
  expect(first.value).toMatchObject({ name: 'database.dump', size })
})

test('any other tar reads it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-tar-'))
  try {
    writeFileSync(join(folder, 'made.tar'), packed())
    execFileSync('tar', ['-xf', 'made.tar'], { cwd: folder })
    const said = execFileSync('tar', ['-tf', 'made.tar'], { cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    expect(said.toString().trim().split('\n')).toHaveLength(files.length + 1)
    const last = execFileSync('tar', ['-xOf', 'made.tar', 'last.txt'], { cwd: folder })
    expect(last.toString()).toBe('last')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
