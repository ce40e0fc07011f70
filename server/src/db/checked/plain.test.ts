import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Entity } from '@aisle/contract/kernel/entity'
import type { ListEndpoint } from '@aisle/contract/kernel/endpoint'
import type { KyselyPlugin, QueryId, RootOperationNode } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { QueryContext } from '../../kernel/context'
import { routes } from '../../main/features'
import { openWorld, type World } from '../../testing/world'
import { offences } from './compared.rules'
import type { Property } from './declared'
import { describe } from './described'

/** What `kernel/kept.reads.ts` selects is written nowhere: it follows from the shape of each thing. */
let world: World
let client: pg.Client
const contract = fileURLToPath(new URL('../../../../contract/src/', import.meta.url))

beforeAll(async () => {
  world = await openWorld(new Date('2026-11-02T04:00:00Z'))
  client = new pg.Client({ connectionString: world.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await world.close()
})

test('what is shown of plain things has the names, types and nulls of their shape', async () => {
  const found: string[] = []
  const seen: string[] = []
  for (const entity of await entities()) {
    for (const { place, sql, isWhole } of await selectsOf(entity)) {
      const columns = await describe(client, sql)
      const declared = { place, literal: '', isExecuted: true, whole: null, isOpen: true }
      found.push(...offences({ ...declared, properties: propertiesOf(entity, isWhole) }, { columns, nulls: [] }))
      seen.push(place)
    }
  }
  expect(found).toEqual([])
  expect(seen.length).toBeGreaterThan(20)
})

async function entities(): Promise<Entity[]> {
  const names = readdirSync(contract, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const files = names.filter((name) => /= entity\(\{/.test(readFileSync(contract + name, 'utf8')))
  const modules = await Promise.all(files.map((name): Promise<object> => import(contract + name)))
  return modules.flatMap((module) => Object.values(module).filter(isEntity))
}

const isEntity = (value: unknown): value is Entity =>
  typeof value === 'object' && value !== null && 'item' in value && 'editable' in value && 'kind' in value

/** What its list and its drawer send: nothing is found in an empty database, but all of it is asked for. */
async function selectsOf({ domain, kind }: Entity): Promise<{ place: string; sql: string; isWhole: boolean }[]> {
  const noun = kind.charAt(0).toUpperCase() + kind.slice(1)
  const asked = [`list${noun}s`, `get${noun}`].map((verb) => `${domain}.${verb}`)
  const sent: { node: RootOperationNode; queryId: QueryId }[] = []
  const ctx = contextOf({
    transformQuery: (args) => {
      sent.push(args)
      return args.node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  const selects: { place: string; sql: string; isWhole: boolean }[] = []
  for (const { kind: way, endpoint, run } of routes) {
    if (way !== 'query' || !asked.includes(endpoint.name)) continue
    const { sorts } = endpoint as Partial<ListEndpoint>
    sent.length = 0
    await run(ctx, sorts ? { sort: sorts[0], pageSize: 1 } : { id: 1 }).catch(() => undefined)
    const [first] = sent
    if (!first) continue
    const { sql } = world.services.db.getExecutor().compileQuery(first.node, first.queryId)
    if (/^\s*select (seen\.)?\*/.test(sql)) selects.push({ place: endpoint.name, sql, isWhole: !sorts })
  }
  return selects
}

function contextOf(plugin: KyselyPlugin): QueryContext {
  const actor = { kind: 'platform_admin', userId: 1, merchantId: 1 }
  const db = world.services.db.withPlugin(plugin)
  return {
    services: world.services,
    db,
    now: world.services.clock.now,
    language: 'en',
    actor,
  } as unknown as QueryContext
}

function propertiesOf({ item, editable }: Entity, isWhole: boolean): Map<string, Property> {
  const shape = isWhole ? { ...editable, ...item.shape } : item.shape
  const { properties = {} } = z.toJSONSchema(z.object(shape), { io: 'output', unrepresentable: 'any' })
  return new Map(Object.entries(properties).map(([name, schema]) => [name, propertyOf(schema)]))
}

function propertyOf(schema: z.core.JSONSchema._JSONSchema): Property {
  const all = typeof schema === 'boolean' ? [] : (schema.anyOf ?? [schema])
  const kinds = all.flatMap((each) => (typeof each === 'boolean' ? [] : each.type))
  const [kind] = kinds.filter((each) => each !== 'null')
  const words: Record<string, string> = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' }
  return {
    kind: words[String(kind)] ?? 'any',
    isNullable: kinds.includes('null') || kinds.length === 0,
    isOptional: false,
  }
}
