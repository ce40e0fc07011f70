import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { dumpTo, isEmptyDatabase } from './dump'
import { bareDatabase, freshDatabase } from './testing'

const { PATH } = process.env
afterEach(() => {
  process.env.PATH = PATH
})

test('where pg_dump is missing it is said what to install', async () => {
  process.env.PATH = join(tmpdir(), 'nothing-here')
  const dumped = dumpTo(join(tmpdir(), 'never.dump'), inject('testDatabase').url)
  await expect(dumped).rejects.toThrow(
    /needs pg_dump, which is not here\. Install the client programs of PostgreSQL 18/,
  )
})

test('a database in which somebody made something is not empty', async () => {
  const [bare, used] = [await bareDatabase(), await freshDatabase()]
  expect(await isEmptyDatabase(bare.url)).toBe(true)
  expect(await isEmptyDatabase(used.url)).toBe(false)
  await Promise.all([bare.drop(), used.drop()])
})
