import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJournal } from './journal'
import { newFolder } from '../testing'

async function open(path: string, compactAtBytes?: number) {
  const kept = new Map<string, unknown>()
  const apply = (line: unknown) => {
    const [key, value] = line as [string, unknown]
    kept.set(key, value)
  }
  const journal = await openJournal({ path, replay: apply, live: () => kept.entries(), compactAtBytes })
  const put = (key: string, value: unknown) => {
    apply([key, value])
    journal.append([key, value])
  }
  return { journal, kept, put }
}

const newPath = () => join(newFolder(), 'deeper', 'a.log')

test('what was appended is read again in order', async () => {
  const path = newPath()
  const first = await open(path)
  for (let i = 0; i < 100; i += 1) first.put(`k${i}`, { text: '糖\n"quoted"', i })
  await first.journal.durable()
  await first.journal.close()
  const second = await open(path)
  expect([...second.kept]).toEqual([...first.kept])
  expect(second.journal.damagedLines).toBe(0)
  await second.journal.close()
})

test('durable settles only when the file holds the line', async () => {
  const path = newPath()
  const { journal, put } = await open(path)
  for (let i = 0; i < 20; i += 1) {
    put(`k${i}`, i)
    await journal.durable()
    expect(readFileSync(path, 'utf8').split('\n').length - 1).toBe(i + 1)
  }
  await journal.close()
})

test('cut off at any byte, the whole lines before the cut survive and the file goes on behind them', async () => {
  const path = newPath()
  const { journal, put } = await open(path)
  put('first', 'stays')
  put('second', '最后一行')
  await journal.durable()
  await journal.close()
  const whole = readFileSync(path)
  const firstBytes = whole.indexOf(10) + 1
  for (let bytes = 0; bytes <= whole.length; bytes += 1) {
    writeFileSync(path, whole.subarray(0, bytes))
    const torn = await open(path)
    const expected = bytes === whole.length ? ['first', 'second'] : bytes >= firstBytes ? ['first'] : []
    expect([...torn.kept.keys()]).toEqual(expected)
    torn.put('next', bytes)
    await torn.journal.durable()
    await torn.journal.close()
    const after = await open(path)
    expect([...after.kept.keys()]).toEqual([...expected, 'next'])
    expect(after.journal.damagedLines).toBe(0)
    await after.journal.close()
  }
})

test('a damaged line is counted and passed over, those around it are kept', async () => {
  const path = newPath()
  const { journal, put } = await open(path)
  for (const key of ['a', 'b', 'c']) put(key, key)
  await journal.durable()
  await journal.close()
  writeFileSync(path, readFileSync(path, 'utf8').replace('"b","b"', '"b","x"'))
  appendFileSync(path, '\0\0\0\0\n')
  const again = await open(path)
  expect([...again.kept.keys()]).toEqual(['a', 'c'])
  expect(again.journal.damagedLines).toBe(2)
  await again.journal.close()
})

test('a file that only grows is written afresh with what still counts', async () => {
  const path = newPath()
  const { journal, kept, put } = await open(path, 10_000)
  for (let i = 0; i < 5_000; i += 1) {
    put(`k${i % 10}`, { i, text: 'x'.repeat(50) })
    if (i % 50 === 0) await journal.durable()
  }
  await journal.durable()
  expect(statSync(path).size).toBe(journal.bytes)
  expect(journal.bytes).toBeLessThan(30_000)
  await journal.close()
  const again = await open(path)
  expect(Object.fromEntries(again.kept)).toEqual(Object.fromEntries(kept))
  await again.journal.close()
})

test('a disk that fails stops the journal, and nothing is called durable any more', async () => {
  const { journal, put } = await open(newPath())
  put('a', 1)
  await journal.close()
  put('b', 2)
  await expect(journal.durable()).rejects.toThrow()
  await expect(journal.close()).rejects.toThrow()
  put('c', 3)
  await expect(journal.durable()).rejects.toThrow()
})
