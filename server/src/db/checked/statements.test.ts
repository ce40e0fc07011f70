import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestProject } from 'vitest/node'
import { setup } from '../testing.setup'
import { databaseUrl } from '../testing'
import { offences } from './compared.rules'
import { type Declared, declaredRows } from './declared'
import { describe } from './described'
import { type Noted, readNotes } from './notes'

const { statements } = readNotes()
let client: pg.Client
let close: () => Promise<void>
let declared: Map<string, Declared[]>

beforeAll(async () => {
  let given = { url: '', template: '' }
  const provide = (_: string, database: typeof given) => {
    given = database
  }
  close = await setup({ provide } as unknown as TestProject)
  client = new pg.Client({ connectionString: databaseUrl(given.url, given.template) })
  await client.connect()
  declared = new Map()
  for (const each of declaredRows()) declared.set(each.literal, [...(declared.get(each.literal) ?? []), each])
}, 120_000)
afterAll(async () => {
  await client.end()
  await close()
})

/** Of literals that are written alike in several places, the one that agrees best is meant. */
async function offencesOf(
  places: readonly Declared[],
  { sql, nulls }: Pick<Noted, 'sql' | 'nulls'>,
): Promise<string[]> {
  if (places.length === 0) return []
  const columns = await describe(client, sql)
  const all = places.map((place) => offences(place, { columns, nulls }))
  return all.sort((a, b) => a.length - b.length)[0] ?? []
}

test('what PostgreSQL answers has the names, types and nulls that row types declare', async () => {
  const found: string[] = []
  for (const statement of statements) {
    const places = declared.get(statement.literal) ?? []
    found.push(...(await offencesOf(places, statement)))
  }
  // What consists of its text and values alone needs nobody to execute it.
  for (const place of [...declared.values()].flat()) {
    if (place.whole !== null) found.push(...(await offencesOf([place], { sql: place.whole, nulls: [] })))
  }
  expect([...new Set(found)].sort()).toEqual([])
}, 300_000)
