import type { Client } from 'pg'

/** Types of PostgreSQL, by the values that the driver hands out and takes (pool.ts sets its parsers). */
const typeNames: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  float4: 'number',
  float8: 'number',
  text: 'string',
  varchar: 'string',
  uuid: 'string',
  inet: 'string',
  tstzrange: 'string',
  daterange: 'string',
  interval: 'string',
  date: 'string',
  time: 'string',
  tsvector: 'string',
  bool: 'boolean',
  timestamptz: 'Date',
  bytea: 'Buffer',
  json: 'Json',
  jsonb: 'Json',
}

type Column = {
  table: string
  column: string
  type: string
  isArray: boolean
  isNullable: boolean
  isGiven: boolean
  isComputed: boolean
}

const COLUMNS = `
  select c.relname as table, a.attname as column, coalesce(e.typname, t.typname) as type,
    e.oid is not null as "isArray", not a.attnotnull as "isNullable", a.atthasdef or a.attidentity <> '' as "isGiven",
    a.attgenerated <> '' or a.attidentity = 'a' as "isComputed"
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
  where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname collate "C", a.attnum`

const CHECKS = `
  select c.relname as table, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and k.contype = 'c' and not c.relispartition order by k.oid`

/** The words that a check allows: `state = any (array['a', 'b'])`, or `roles <@ array['a', 'b']` for an array. */
const WORDS = /^CHECK \(\((\w+) (?:= ANY|<@) \(?ARRAY\[('[^']*'::text(?:, '[^']*'::text)*)\]\)?\)\)$/

const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** What `tables.ts` has to say of the migrated database. */
export async function writeTables(client: Client): Promise<string> {
  const { rows: columns } = await client.query<Column>(COLUMNS)
  const { rows: checks } = await client.query<{ table: string; definition: string }>(CHECKS)
  const words = new Map<string, string>()
  for (const { table, definition } of checks) {
    const [, column, list] = WORDS.exec(definition) ?? []
    if (column && list) words.set(`${table}.${column}`, list.replaceAll('::text', '').split(', ').join(' | '))
  }
  const unknown = new Set(columns.map(({ type }) => type).filter((type) => !(type in typeNames)))
  if (unknown.size > 0) throw new Error(`types without a name in testing.tables.ts: ${[...unknown].join(', ')}`)
  const tables = [...new Set(columns.map(({ table }) => table))]
  const bodies = tables.map((table) => {
    const its = columns.filter((column) => column.table === table)
    const lines = its.map((column) => `    ${camel(column.column)}: ${typeOf(column, words)}`)
    return `  ${camel(table)}: {\n${lines.join('\n')}\n  }`
  })
  return `${HEAD}export type Tables = {\n${bodies.join('\n')}\n}\n`
}

function typeOf({ table, column, ...is }: Column, words: ReadonlyMap<string, string>): string {
  const union = words.get(`${table}.${column}`)
  const one = union ?? typeNames[is.type] ?? 'never'
  const many = is.isArray ? (union?.includes(' | ') ? `(${one})[]` : `${one}[]`) : one
  const whole = is.isNullable ? `${many} | null` : many
  if (is.isComputed) return `Computed<${whole}>`
  if (is.isGiven && whole === 'Json') return 'GivenJson'
  return is.isGiven ? `Generated<${whole}>` : whole
}

const HEAD = `import type { ColumnType, Generated } from 'kysely'

/**
 * Written by tables.test.ts from the migrated database, which is the truth: run it with \`-u\` after a migration.
 * Names stand as the query builder spells them (names.ts); a column that a check holds to some words has their type.
 */
type Json = ColumnType<unknown, string, string>
type GivenJson = ColumnType<unknown, string | undefined, string>
type Computed<T> = ColumnType<T, never, never>

`
