import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type listMerchantGrantees, type listTeamGrantees, MOST_PEOPLE } from '@aisle/contract/sight/authorisation'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds } from '../../kernel/list'
import { isInForce, machineInSight, merchantInSight, type Sight } from '../../kernel/scope'

type Merchants = OutputOf<typeof listMerchantGrantees>['items']
type Team = OutputOf<typeof listTeamGrantees>

/** Parents before children. */
export async function listMerchants(db: Reader, sight: Sight): Promise<Merchants> {
  const found = await sql<Merchants[number]>`
    select m.id, m.parent_id as "parentId", m.code, m.name, m.type, m.state = 'active' as "isActive",
      coalesce(owned.count, 0)::int as "ownedCount", coalesce(given.count, 0)::int as "grantedCount"
    from merchant m
    left join (select merchant_id, count(*) as count from machine
      where ${machineInSight(sight, sql`machine.id`)} group by merchant_id) owned on owned.merchant_id = m.id
    left join (select g.merchant_id, count(*) as count from machine_grant_merchant g
      where ${isInForce(sql`g.ends_at`)} and ${machineInSight(sight, sql`g.machine_id`)}
      group by g.merchant_id) given on given.merchant_id = m.id
    where ${merchantInSight(sight, sql`m.id`)} order by m.path`.execute(db)
  const shown = new Set(found.rows.map(({ id }) => id))
  return found.rows.map((row) => ({ ...row, parentId: shownOr(row.parentId, shown) }))
}

/** The parent of the topmost merchant in sight is out of it, and not told. */
const shownOr = (id: number | null, shown: ReadonlySet<number>) => (id !== null && shown.has(id) ? id : null)

type Asked = InputOf<typeof listTeamGrantees>

export async function listTeam(db: Reader, sight: Sight, asked: Asked): Promise<Team> {
  const merchants = await sql<Team['merchants'][number]>`
    select m.id, m.parent_id as "parentId", m.name from merchant m
    where ${merchantInSight(sight, sql`m.id`)} order by m.path`.execute(db)
  const units = await sql<Team['units'][number]>`
    select o.id, o.parent_id as "parentId", o.merchant_id as "merchantId", o.name, o.state = 'active' as "isActive",
      (select count(*) from machine_grant_organisation g
        where g.organisation_id = o.id and ${isInForce(sql`g.ends_at`)})::int as "grantedCount"
    from organisation o
    where ${merchantInSight(sight, sql`o.merchant_id`)}
    order by cardinality(o.path), o.sort, o.name, o.id`.execute(db)
  const people = await findPeople(db, sight, asked)
  const shown = new Set(merchants.rows.map(({ id }) => id))
  return {
    merchants: merchants.rows.map((row) => ({ ...row, parentId: shownOr(row.parentId, shown) })),
    units: units.rows,
    people: people.slice(0, MOST_PEOPLE),
    hasMore: people.length > MOST_PEOPLE,
  }
}

async function findPeople(db: Reader, sight: Sight, { q, userId }: Asked): Promise<Team['people']> {
  const found = await sql<Team['people'][number]>`
    select u.id, u.organisation_id as "unitId", u.merchant_id as "merchantId", u.account, u.display_name as name,
      u.kind, u.state = 'active' as "isActive", (
        select count(*) from machine_grant_user g
        where g.user_id = u.id and ${isInForce(sql`g.ends_at`)})::int as "grantedCount"
    from app_user u
    where ${allOf([
      sql`u.kind in ('ordinary', 'doctor')`,
      merchantInSight(sight, sql`u.merchant_id`),
      userId && sql`u.id = ${userId}`,
      q && sql`(${holds(sql`u.account`, q)} or ${holds(sql`u.display_name`, q)})`,
    ])}
    order by u.display_name, u.id limit ${sql.lit(MOST_PEOPLE + 1)}`.execute(db)
  return found.rows
}
