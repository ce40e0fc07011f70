import type { Client } from 'pg'

/**
 * Everything that the migrated database is, as text in one order: what a change of the schema is read from. Partitions
 * come and go with time and are left out; of rows that the schema itself brings there is a sum for each table.
 * Comments and the breaking of lines say nothing here.
 */
export async function describeSchema(client: Client): Promise<string> {
  await client.query(`set time zone 'UTC'`)
  const tables = await lines(client, TABLES)
  const parts = await Promise.all([FUNCTIONS, SEQUENCES].map((sql) => lines(client, sql)))
  return [...tables, ...parts.flat(), ...(await rowSums(client))].join('\n')
}

const lines = async (client: Client, sql: string): Promise<string[]> =>
  (await client.query<{ line: string }>(sql)).rows.map(({ line }) => line)

async function rowSums(client: Client): Promise<string[]> {
  const names = await lines(
    client,
    `select relname as line from pg_class where ${OURS} and relkind in ('r', 'p') order by relname collate "C"`,
  )
  const sums: string[] = []
  // An empty table has no sum; when a row was made is the moment of the migration.
  for (const name of names) {
    const [sum] = await lines(
      client,
      `select count(*) || ' ' || md5(string_agg(kept.text, e'\\n' order by kept.text)) as line
      from "${name}" t, lateral (select (to_jsonb(t) - 'created_at' - 'changed_at')::text) kept`,
    )
    if (sum) sums.push(`rows ${name} ${sum}`)
  }
  return sums
}

/** Relations of the product: neither partitions nor the list of what was applied. */
const OURS = `relnamespace = 'public'::regnamespace and not relispartition and relname <> 'schema_migration'`

const TABLES = `
  with ours as (
    select c.oid, relname, relkind,
      concat_ws(' ', case when relpersistence = 'u' then 'unlogged' end,
        case relkind when 'v' then 'view' else 'table' end, relname,
        'partition by ' || pg_get_partkeydef(c.oid), 'with ' || array_to_string(reloptions, ', '),
        case relkind when 'v' then regexp_replace(pg_get_viewdef(c.oid), '\\s+', ' ', 'g') end) as head
    from pg_class c where ${OURS} and relkind in ('r', 'p', 'v')
  )
  select line from (
    select relname, 0 as part, 0 as place, head as line from ours
    union all
    select relname, 1, attnum, concat_ws(' ', '  column', attname, format_type(atttypid, atttypmod),
      case when attnotnull then 'not null' end,
      case attgenerated when 's' then 'stored ' else 'default ' end || pg_get_expr(adbin, adrelid),
      case attidentity when 'a' then 'identity always' when 'd' then 'identity by default' end)
    from ours join pg_attribute a on a.attrelid = ours.oid and attnum > 0 and not attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    union all
    select relname, 2, 0, concat_ws(' ', '  constraint', conname, pg_get_constraintdef(o.oid))
    from ours join pg_constraint o on o.conrelid = ours.oid and contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select relname, 3, 0, '  ' || pg_get_indexdef(indexrelid)
    from ours join pg_index on indrelid = ours.oid
    union all
    select relname, 4, 0, '  ' || pg_get_triggerdef(t.oid)
    from ours join pg_trigger t on t.tgrelid = ours.oid and not tgisinternal
  ) parts
  order by relname collate "C", part, place, line collate "C"`

const FUNCTIONS = `
  select regexp_replace(regexp_replace(pg_get_functiondef(oid), '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g') as line
  from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
  order by oid::regprocedure::text collate "C"`

const SEQUENCES = `
  select concat_ws(' ', 'sequence', sequencename, data_type, start_value, increment_by, 'last', last_value) as line
  from pg_sequences where schemaname = 'public' order by sequencename collate "C"`
