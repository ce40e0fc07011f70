import type { UserKind } from '@aisle/contract/identity/permissions'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { listUsers, User, UserDetail } from '@aisle/contract/people/user'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order } from '../../kernel/list'
import { machineInSight, merchantInSight, sightOf, type Sight } from '../../kernel/scope'
import { SESSION_IDLE_MS } from '../../kernel/token'

type Filter = InputOf<typeof listUsers>
type Row = Omit<User, 'machineCount' | 'lastSignInAt'> & { lastSignInAt: Date | null }

const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select u.id, u.account, u.display_name as name, u.kind, u.merchant_id as "merchantId", m.name as "merchantName",
    u.organisation_id as "organisationId", o.name as "organisationName", o.path as "unitPath", u.phone, u.state,
    coalesce((select string_agg(r.name, ', ' order by r.surface desc, r.name) from user_role ur
      join role r on r.id = ur.role_id where ur.user_id = u.id), '') as "roleNames",
    (select l.at from sign_in_log l where l.user_id = u.id and l.outcome = 'ok' order by l.at desc limit 1)
      as "lastSignInAt"
  from app_user u join merchant m on m.id = u.merchant_id left join organisation o on o.id = u.organisation_id
  where u.kind <> 'program' and ${merchantInSight(sight, sql`u.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  account: { by: sql`account`, type: 'text' },
  name: { by: sql`name`, type: 'text' },
}

export function listUsersIn(sight: Sight, filter: Filter): Listing<User> {
  const where = allOf([
    filter.q &&
      sql`(${holds(sql`account`, filter.q)} or ${holds(sql`name`, filter.q)} or ${holds(sql`phone`, filter.q)})`,
    filter.merchantId && inSubtree(filter.merchantId),
    filter.organisationId && sql`"unitPath" @> array[${filter.organisationId}]::bigint[]`,
    isAnyOf(sql`kind`, filter.kind),
    isAnyOf(sql`state`, filter.state),
    filter.signedIn && sql`("lastSignInAt" is null) = ${filter.signedIn === 'never'}`,
  ])
  return mapRows(listRows({ rows: rowsInSight(sight), where, order: orders[filter.sort] }), async (rows, db) => {
    const counts = await machineCounts(db, rows)
    return rows.map((row) => ({
      ...row,
      lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
      machineCount: counts.get(row.id) ?? 0,
    }))
  })
}

const inSubtree = (merchantId: number) =>
  sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`

/** How many machines each of them sees: one count for all who see alike. @returns by user id */
export async function machineCounts(
  db: Reader,
  people: readonly { id: number; kind: UserKind; merchantId: number }[],
): Promise<ReadonlyMap<number, number>> {
  const sights = new Map(people.map((person) => [sightKey(person), sightFor(person)]))
  if (sights.size === 0) return new Map()
  const each = [...sights].map(
    ([key, sight]) => sql`select ${key}::text as key,
      (select count(*) from machine where ${machineInSight(sight, sql`machine.id`)})::int as count`,
  )
  const found = await sql<{ key: string; count: number }>`${sql.join(each, sql` union all `)}`.execute(db)
  const counts = new Map(found.rows.map(({ key, count }) => [key, count]))
  return new Map(people.map((person) => [person.id, counts.get(sightKey(person)) ?? 0]))
}

type Seeing = { id: number; kind: UserKind; merchantId: number }
const sightFor = ({ id, kind, merchantId }: Seeing): Sight => sightOf({ userId: id, kind, merchantId })
const sightKey = (person: Seeing): string => {
  const sight = sightFor(person)
  if (sight.kind === 'all') return 'all'
  return sight.kind === 'subtree' ? `merchant ${sight.merchantId}` : `user ${sight.userId}`
}

export type Found = Omit<UserDetail, 'hindrance' | 'blockedUntil' | 'history'>
type Moments = { createdAt: Date; lastSignInAt: Date | null }

export async function findUserDetail(db: Reader, sight: Sight, id: number, now: Date): Promise<Found | undefined> {
  const found = await sql<Moments & Omit<Row & Omit<Found, 'roles' | 'machineCount'>, keyof Moments>>`
    select seen.*, u.email, u.language, u.created_at as "createdAt", u.version,
      coalesce(c.must_change, false) as "mustChangePassword",
      (select count(*) from session s where s.user_id = u.id and s.ended_at is null and s.ends_at > ${now}
        and s.last_seen_at > ${new Date(now.getTime() - SESSION_IDLE_MS)})::int
        as "openSessions"
    from (${rowsInSight(sight)}) seen join app_user u on u.id = seen.id left join credential c on c.user_id = u.id
    where seen.id = ${id}`.execute(db)
  const [row] = found.rows
  if (!row) return undefined
  const roles = await rolesOf(db, id)
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
    roles,
    machineCount: (await machineCounts(db, [row])).get(id) ?? 0,
  }
}

async function rolesOf(db: Reader, userId: number): Promise<UserDetail['roles']> {
  const found = await sql<UserDetail['roles'][number]>`
    select r.id, r.name, r.surface,
      array(select permission from role_permission where role_id = r.id order by permission) as permissions
    from user_role ur join role r on r.id = ur.role_id where ur.user_id = ${userId}
    order by r.surface desc, r.name`.execute(db)
  return found.rows
}

/** Merchants in sight, parents before children, that a person may be added to. */
export async function merchantsFor(
  db: Reader,
  sight: Sight,
): Promise<{ id: number; parentId: number | null; name: string }[]> {
  const found = await sql<{ id: number; parentId: number | null; name: string }>`
    select m.id, m.parent_id as "parentId", m.name from merchant m
    where ${merchantInSight(sight, sql`m.id`)} and m.state = 'active' order by m.path limit 2000`.execute(db)
  return found.rows
}

export async function unitsFor(
  db: Reader,
  merchantId: number,
): Promise<{ id: number; parentId: number | null; name: string }[]> {
  const found = await sql<{ id: number; parentId: number | null; name: string }>`
    select id, parent_id as "parentId", name from organisation
    where merchant_id = ${merchantId} and state = 'active' order by cardinality(path), sort, name`.execute(db)
  return found.rows
}
