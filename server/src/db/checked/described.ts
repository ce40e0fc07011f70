import type pg from 'pg'
import type { Kind } from './declared'

export type Column = {
  name: string
  kind: Kind
  type: string
  /** Straight from a column that takes nulls. Nothing is known of others. */
  isNullable: boolean
}

type Field = { name: string; dataTypeID: number; tableID: number; columnID: number }
type Wire = {
  parse: (asked: { text: string; name: string; types: string[] }) => void
  describe: (asked: { type: 'S'; name: string }) => void
  sync: () => void
}

/** What PostgreSQL says that a statement answers, without executing it. */
export async function describe(client: pg.Client, text: string): Promise<Column[]> {
  const fields = await fieldsOf(client, text)
  const columns: Column[] = []
  for (const field of fields) {
    const isNullable = await takesNulls(client, field, text)
    columns.push({ name: field.name, isNullable, ...(await typeOf(client, field.dataTypeID)) })
  }
  return columns
}

function fieldsOf(client: pg.Client, text: string): Promise<Field[]> {
  return new Promise((resolve, reject) => {
    let found: Field[] = []
    const asked = {
      submit: (wire: Wire) => {
        wire.parse({ text, name: '', types: [] })
        wire.describe({ type: 'S', name: '' })
        wire.sync()
      },
      handleRowDescription: (message: { fields: Field[] }) => {
        found = message.fields
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(found),
    }
    const query: (asked: object) => unknown = client.query.bind(client)
    query(asked)
  })
}

const nullable = new Map<string, Promise<string | undefined>>()

/** Of a view's columns nothing is known, nor of one whose nulls the statement leaves out, as a comparison does. */
async function takesNulls(client: pg.Client, { tableID, columnID }: Field, text: string): Promise<boolean> {
  if (tableID === 0) return false
  const key = `${tableID} ${columnID}`
  const known =
    nullable.get(key) ??
    client
      .query<{ name: string }>(
        `select a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
         where a.attrelid = $1 and a.attnum = $2 and not a.attnotnull and c.relkind in ('r', 'p')`,
        [tableID, columnID],
      )
      .then(({ rows }) => rows[0]?.name)
  nullable.set(key, known)
  const name = await known
  return name !== undefined && !new RegExp(`\\b${name} (is not null|[<>]|between )`).test(text)
}

type Type = Pick<Column, 'kind' | 'type'>
const types = new Map<number, Promise<Type>>()

function typeOf(client: pg.Client, oid: number): Promise<Type> {
  const known = types.get(oid) ?? readType(client, oid)
  types.set(oid, known)
  return known
}

async function readType(client: pg.Client, oid: number): Promise<Type> {
  const { rows } = await client.query<{ type: string; element: string | null }>(
    `select format_type(t.oid, null) as type, format_type(e.oid, null) as element
     from pg_type t left join pg_type e on e.oid = t.typelem and t.typcategory = 'A' where t.oid = $1`,
    [oid],
  )
  const { type = '', element = null } = rows[0] ?? {}
  if (element === null) return { type, kind: kindOf(type) }
  const kind = kindOf(element)
  // The driver makes dates of the days in an array.
  return { type, kind: kind === 'any' ? 'any' : element === 'date' ? 'Date[]' : `${kind}[]` }
}

/** As the parsers of db/pool.ts deliver it. */
function kindOf(type: string): Kind {
  if (/^(bigint|integer|smallint|numeric|real|double precision|oid)$/.test(type)) return 'number'
  if (type.startsWith('timestamp')) return 'Date'
  if (type === 'boolean') return 'boolean'
  if (type === 'bytea') return 'Buffer'
  return /^(jsonb?|record|interval|point)$/.test(type) ? 'any' : 'string'
}
