import type { targets } from '@aisle/contract/notice/notice'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { merchantInSight, type Sight } from '../../kernel/scope'

export type Audience = {
  /** Whose notice it is: nobody outside this merchant, or its subtree, is reached. */
  merchantId: number
  /** Whether merchants below are meant too: those of the named ones, or of the notice's own. */
  withChildren: boolean
  target: (typeof targets)[number]
  merchantIds: readonly number[]
  roleIds: readonly number[]
}

/** Active people of active merchants, as columns of `u` (app_user) and `m` (merchant). */
export function isMeant({ merchantId, withChildren, target, merchantIds, roleIds }: Audience): RawBuilder<boolean> {
  const active = sql`u.state = 'active' and m.state = 'active'`
  const below = sql`m.path @> array[${merchantId}]::bigint[]`
  if (target === 'merchants') {
    const named = sql`${[...merchantIds]}::bigint[]`
    const isNamed = withChildren ? sql`m.path && ${named}` : sql`m.id = any(${named})`
    return sql<boolean>`(${active} and ${below} and ${isNamed})`
  }
  const own = withChildren ? below : sql`m.id = ${merchantId}`
  if (target === 'all') return sql<boolean>`(${active} and ${own})`
  const holds = sql`u.id in (select user_id from user_role where role_id = any(${[...roleIds]}::bigint[]))`
  return sql<boolean>`(${active} and ${own} and ${holds})`
}

export async function countMeant(db: Reader, audience: Audience): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) as count
    from app_user u join merchant m on m.id = u.merchant_id where ${isMeant(audience)}`.execute(db)
  return found.rows[0]?.count ?? 0
}

/** The next people after the last one, by id: the sending goes on where it stopped. */
export async function nextMeant(db: Reader, audience: Audience, afterId: number, most: number): Promise<number[]> {
  const found = await sql<{ id: number }>`select u.id from app_user u join merchant m on m.id = u.merchant_id
    where u.id > ${afterId} and ${isMeant(audience)} order by u.id limit ${sql.lit(most)}`.execute(db)
  return found.rows.map(({ id }) => id)
}

/** Merchants in sight by their codes, and the codes that name none of them. */
export async function merchantsByCode(
  db: Reader,
  sight: Sight,
  codes: readonly string[],
): Promise<{ ids: number[]; unknown: string[] }> {
  const found = await sql<{ id: number; code: string }>`select m.id, m.code from merchant m
    where m.code = any(${[...codes]}::text[]) and ${merchantInSight(sight, sql`m.id`)}`.execute(db)
  const known = new Set(found.rows.map(({ code }) => code))
  return { ids: found.rows.map(({ id }) => id), unknown: codes.filter((code) => !known.has(code)) }
}

/** Roles whose holders may be told: those of merchants in sight. */
export async function rolesInSight(
  db: Reader,
  sight: Sight,
): Promise<{ id: number; name: string; merchantName: string }[]> {
  const found = await sql<{ id: number; name: string; merchantName: string }>`
    select r.id, r.name, m.name as "merchantName" from role r join merchant m on m.id = r.merchant_id
    where ${merchantInSight(sight, sql`r.merchant_id`)} order by m.path, r.name limit 500`.execute(db)
  return found.rows
}
