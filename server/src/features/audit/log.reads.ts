import type { getLog, listLogs, Log } from '@aisle/contract/audit/log'
import { type InputOf, type OutputOf, zInstant } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { readCursor, writeCursor } from '../../kernel/cursor'
import { allOf, countIn, isAnyOf, type Listing } from '../../kernel/list'
import { withinDays } from '../../kernel/platformDays'
import { merchantInSight, type Sight } from '../../kernel/scope'

type Filter = InputOf<typeof listLogs>
type LogKey = { at: string; id: number }

const isLogKey = (value: unknown): value is LogKey =>
  typeof value === 'object' &&
  value !== null &&
  'at' in value &&
  'id' in value &&
  Number.isSafeInteger(value.id) &&
  typeof value.at === 'string' &&
  zInstant.safeParse(value.at).success

type Part = { name: 'operation' | 'signIn'; rows: RawBuilder<unknown> }

/** Each table is read by its own index up to a page, then the two pages are merged. */
export const listLogsIn = (sight: Sight, filter: Filter): Listing<Log> => ({
  page: async (db, { cursor, pageSize }) => {
    const parts = partsOf(sight, filter, readCursor(cursor, isLogKey), pageSize + 1)
    const found = parts.length > 0 ? await readAll(db, parts, pageSize + 1) : []
    const items = found.slice(0, pageSize)
    const last = found.length > pageSize ? items.at(-1) : undefined
    return { items, nextCursor: last ? writeCursor({ at: last.at, id: last.id }) : null }
  },
  count: async (db, most) => {
    const parts = partsOf(sight, filter, null, most + 1)
    if (parts.length === 0) return { total: 0 }
    const found = await sql<{ count: number }>`select count(*) as count from (${allIn(parts)}) counted`.execute(db)
    return { total: countIn(found.rows[0], most).total }
  },
})

async function readAll(db: Reader, parts: readonly Part[], limit: number): Promise<Log[]> {
  const found = await sql<Log>`
    with picked as (${allIn(parts)})
    select p.id, to_json(p.at) #>> '{}' as at, p.kind, coalesce(u.account, p.account) as account,
      coalesce(u.display_name, '') as "displayName", coalesce(m.name, '') as "merchantName", p.action,
      p.object_kind as "objectKind", p.object_id as "objectId", p.outcome, p.ip
    from (select * from picked order by at desc, id desc limit ${sql.lit(limit)}) p
    left join app_user u on u.id = p.user_id left join merchant m on m.id = p.merchant_id
    order by p.at desc, p.id desc`.execute(db)
  return found.rows
}

const allIn = (parts: readonly Part[]): RawBuilder<unknown> =>
  sql.join(
    parts.map(({ rows }) => sql`(${rows})`),
    sql` union all `,
  )

function partsOf(sight: Sight, filter: Filter, after: LogKey | null, limit: number): Part[] {
  const { kind, action, objectKind, objectId, outcome } = filter
  const wantsOperations = kind !== 'signIn' && outcome === undefined && action !== 'signIn'
  const wantsSignIns = kind !== 'operation' && !objectKind && !objectId && (action ?? 'signIn') === 'signIn'
  return [
    ...(wantsOperations ? [{ name: 'operation' as const, rows: operations(sight, filter, after, limit) }] : []),
    ...(wantsSignIns ? [{ name: 'signIn' as const, rows: signIns(sight, filter, after, limit) }] : []),
  ]
}

const operations = (sight: Sight, filter: Filter, after: LogKey | null, limit: number): RawBuilder<unknown> => sql`
  select l.id * 2 as id, l.at, 'operation' as kind, '' as account, l.user_id, l.merchant_id, l.action, l.object_kind,
    l.object_id, null::text as outcome, l.ip
  from audit_log l where ${merchantInSight(sight, sql.ref('l.merchant_id'))} and ${allOf([
    ...shared(filter, after, sql`l.id * 2`),
    filter.account && sql`l.user_id = (select id from app_user where account = lower(${filter.account}))`,
    filter.action && sql`l.action = ${filter.action}`,
    filter.objectKind && sql`l.object_kind = ${filter.objectKind}`,
    filter.objectId && sql`l.object_id = ${filter.objectId}`,
    filter.merchantId && below(filter.merchantId, sql`l.merchant_id`),
  ])}
  order by l.at desc, l.id desc limit ${sql.lit(limit)}`

/** Tries at accounts that do not exist belong to nobody: only the platform sees them. */
const signIns = (sight: Sight, filter: Filter, after: LogKey | null, limit: number): RawBuilder<unknown> => sql`
  select l.id * 2 + 1 as id, l.at, 'signIn' as kind, l.account, l.user_id, u.merchant_id, 'signIn' as action,
    'user' as object_kind, l.account as object_id, l.outcome, l.ip
  from sign_in_log l left join app_user u on u.id = l.user_id
  where ${merchantInSight(sight, sql.ref('u.merchant_id'))} and ${allOf([
    ...shared(filter, after, sql`l.id * 2 + 1`),
    filter.account && sql`l.account = lower(${filter.account})`,
    isAnyOf(sql`l.outcome`, filter.outcome),
    filter.merchantId && below(filter.merchantId, sql`u.merchant_id`),
  ])}
  order by l.at desc, l.id desc limit ${sql.lit(limit)}`

const shared = (filter: Filter, after: LogKey | null, id: RawBuilder<unknown>) => [
  // The bound on time alone lets PostgreSQL skip whole months.
  after !== null && sql`l.at <= ${after.at}::timestamptz and (l.at, ${id}) < (${after.at}::timestamptz, ${after.id})`,
  filter.ip && sql`l.ip = ${filter.ip}`,
  ...withinDays(sql`l.at`, filter),
]

const below = (merchantId: number, column: RawBuilder<unknown>) =>
  sql`${column} in (select id from merchant where path @> array[${merchantId}]::bigint[])`

type Detail = OutputOf<typeof getLog>

export const findLogEntry = (db: Reader, sight: Sight, id: number): Promise<Detail | undefined> =>
  id % 2 === 0 ? findOperation(db, sight, id / 2) : findSignIn(db, sight, (id - 1) / 2)

async function findOperation(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Detail>`
    select l.id * 2 as id, to_json(l.at) #>> '{}' as at, 'operation' as kind, coalesce(u.account, '') as account,
      coalesce(u.display_name, '') as "displayName", m.name as "merchantName", l.action, l.object_kind as "objectKind",
      l.object_id as "objectId", null as outcome, l.ip, l.before, l.after, '' as agent, l.trace_id as "traceId",
      to_json(s.sealed_at) #>> '{}' as "sealedAt"
    from audit_log l left join app_user u on u.id = l.user_id join merchant m on m.id = l.merchant_id
    left join audit_link k on k.log_id = l.id left join audit_seal s on s.id = k.seal_id
    where l.id = ${id} and ${merchantInSight(sight, sql.ref('l.merchant_id'))}`.execute(db)
  return found.rows[0]
}

async function findSignIn(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Detail>`
    select l.id * 2 + 1 as id, to_json(l.at) #>> '{}' as at, 'signIn' as kind, l.account,
      coalesce(u.display_name, '') as "displayName", coalesce(m.name, '') as "merchantName", 'signIn' as action,
      'user' as "objectKind", l.account as "objectId", l.outcome, l.ip, null as before, null as after, l.agent,
      '' as "traceId", null as "sealedAt"
    from sign_in_log l left join app_user u on u.id = l.user_id left join merchant m on m.id = u.merchant_id
    where l.id = ${id} and ${merchantInSight(sight, sql.ref('u.merchant_id'))}`.execute(db)
  return found.rows[0]
}
