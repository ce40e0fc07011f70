import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestProject } from 'vitest/node'
import { setup } from '../testing.setup'
import { databaseUrl } from '../testing'
import { offences } from './compared.rules'
import { type Declared, declaredRows } from './declared'
import { describe } from './described'
import { type Noted, readNotes } from './notes'

const { statements, files } = readNotes()
const met = new Set(statements.map(({ literal }) => literal))
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

const isSound = (sql: string): Promise<boolean> =>
  describe(client, sql).then(
    () => true,
    () => false,
  )

test('what PostgreSQL answers has the names, types and nulls that row types declare', async () => {
  const found: string[] = []
  for (const { isPart, ...statement } of statements) {
    const places = declared.get(statement.literal) ?? []
    const typed = places.filter(({ properties }) => properties.size > 0)
    if (typed.length === 0) continue
    // The rows of a list also have the columns by which it is filtered and ordered.
    const meant = isPart ? typed.map((place) => ({ ...place, isOpen: true })) : places
    found.push(...(await offencesOf(meant, statement)))
  }
  // What consists of its text and values alone needs nobody to execute it.
  for (const place of [...declared.values()].flat()) {
    if (place.whole === null || place.properties.size === 0) continue
    found.push(...(await offencesOf([place], { sql: place.whole, nulls: [] })))
  }
  expect([...new Set(found)].sort()).toEqual([])
}, 300_000)

/** Only after all tests of the database can be said what none of them met. */
test.skipIf(testFiles().some((file) => !files.has(file)))('each statement was met by a test, or is whole', async () => {
  const unmet: string[] = []
  const asked = [...declared.values()].flat().filter(({ isExecuted, properties }) => isExecuted || properties.size > 0)
  for (const { place, literal, whole } of asked) {
    if (!met.has(literal) && (whole === null || !(await isSound(whole)))) unmet.push(place)
  }
  expect(unmet.sort()).toEqual([])
})

function testFiles(): string[] {
  const source = fileURLToPath(new URL('../..', import.meta.url))
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !/\.rules\.test\.ts$|checked.statements\.test\.ts$/.test(name))
    .map((name) => source + name)
}
