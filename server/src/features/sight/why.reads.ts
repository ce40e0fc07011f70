import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { UserKind } from '@aisle/contract/identity/permissions'
import {
  type listMachinesOfUser,
  type listSeers,
  type Seer,
  type SeenMachine,
  sightReasons,
} from '@aisle/contract/sight/why'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows } from '../../kernel/list'
import { machineInSight, merchantGrants, merchantInSight, type Sight, sightOf, userGrants } from '../../kernel/scope'

/**
 * Those who may sign in and see the machine, one row a user and reason. The ways are found once, before they meet the
 * users: with statistics of a young table the planner looked for them again for each user.
 */
const waysTo = (machineId: number): RawBuilder<unknown> => sql`
  with way as materialized (${waysOf(machineId)})
  select distinct on (way.user_id, way.reason) u.id as user_id, u.account, u.display_name as name, u.kind,
    u.merchant_id, home.name as merchant_name, way.reason, way.via, way.since, way.until,
    array_position(${[...sightReasons]}::text[], way.reason) as rank
  from way
  join app_user u on u.id = way.user_id and u.state = 'active'
  join merchant home on home.id = u.merchant_id and home.state = 'active'
  order by way.user_id, way.reason, way.until desc nulls first`

function waysOf(machineId: number): RawBuilder<unknown> {
  return sql`
    select a.id as user_id, c.name as via, null::timestamptz as since, null::timestamptz as until,
      case when a.kind = 'platform_admin' then 'platform' when c.id = owner.id then 'owner' else 'above' end as reason
    from machine m join merchant owner on owner.id = m.merchant_id
    join app_user a on a.kind = 'platform_admin' or a.kind = 'merchant_admin' and a.merchant_id = any(owner.path)
    join merchant c on c.id = a.merchant_id where m.id = ${machineId}
    union all
    select a.id, c.name, given.granted_at, given.ends_at, 'merchant'
    from (${merchantGrants}) given join merchant c on c.id = given.merchant_id
    join app_user a on a.merchant_id = c.id and a.kind = 'merchant_admin'
    join machine m on m.id = given.machine_id join merchant owner on owner.id = m.merchant_id
    where given.machine_id = ${machineId} and c.id <> all(owner.path)
    union all
    select granted.user_id, unit.name, granted.granted_at, granted.ends_at,
      case when granted.unit_id is null then 'user' else 'organisation' end
    from (${userGrants}) granted left join organisation unit on unit.id = granted.unit_id
    join app_user a on a.id = granted.user_id and a.kind in ('ordinary', 'doctor')
    where granted.machine_id = ${machineId}`
}

type Sums = { people: number; others: number }

export function listSeersOf(sight: Sight, asked: InputOf<typeof listSeers>): Listing<Seer, Sums> {
  const ways = waysTo(asked.id)
  const isShown = merchantInSight(sight, sql`merchant_id`)
  const rows = sql<Seer>`
    select user_id * 10 + rank as id, user_id as "userId", account, name, kind, merchant_name as "merchantName",
      reason, via, to_json(since) #>> '{}' as since, to_json(until) #>> '{}' as until, rank
    from (${ways}) ways where ${isShown}`
  const where = allOf([isAnyOf(sql`reason`, asked.reason)])
  const list = listRows({ rows, where, order: { by: sql`rank`, type: 'bigint' } })
  return {
    ...list,
    // Whatever the reason asked for: how many see it in all, and how many of them are nobody's to know.
    count: async (db, most) => {
      const sums = await sql<Sums>`
        select count(distinct user_id) filter (where ${isShown}) as people,
          count(distinct user_id) filter (where not (${isShown})) as others
        from (${ways}) ways`.execute(db)
      return { ...(await list.count(db, most)), ...(sums.rows[0] && { sums: sums.rows[0] }) }
    },
  }
}

export type SeenUser = { userId: number; merchantId: number; kind: UserKind }

export async function findUser(db: Reader, sight: Sight, id: number): Promise<SeenUser | undefined> {
  const found = await sql<SeenUser>`select id as "userId", merchant_id as "merchantId", kind from app_user
    where id = ${id} and ${merchantInSight(sight, sql`merchant_id`)}`.execute(db)
  return found.rows[0]
}

/** What the user sees, as far as the caller sees it too. */
export function listSeenBy(
  sight: Sight,
  user: SeenUser,
  asked: InputOf<typeof listMachinesOfUser>,
): Listing<SeenMachine> {
  const rows = sql<SeenMachine>`
    select m.id, m.code, m.name, p.name as "pointName", p.province, p.city, owner.name as "merchantName",
      way.reason, way.via, to_json(way.since) #>> '{}' as since, to_json(way.until) #>> '{}' as until
    from machine m join merchant owner on owner.id = m.merchant_id join point p on p.id = m.point_id
    join (${reasonsOf(user)}) way on way.machine_id = m.id
    where ${machineInSight(sightOf(user), sql`m.id`)} and ${machineInSight(sight, sql`m.id`)}`
  const { q } = asked
  const where = allOf([q && sql`(${holds(sql`code`, q)} or ${holds(sql`name`, q)} or ${holds(sql`"pointName"`, q)})`])
  return listRows({ rows, where, order: { by: sql`code`, type: 'text' } })
}

/** One row a machine, with the reason that lasts longest. */
function reasonsOf({ kind, userId, merchantId }: SeenUser): RawBuilder<unknown> {
  const always = sql`null::timestamptz as since, null::timestamptz as until`
  if (kind === 'platform_admin') {
    return sql`select id as machine_id, 'platform' as reason, null::text as via, ${always} from machine`
  }
  if (kind === 'merchant_admin') {
    return sql`
      select machine.id as machine_id, case when owner.id = home.id then 'owner' else 'above' end as reason,
        home.name as via, ${always}
      from merchant home join merchant owner on home.id = any(owner.path)
      join machine on machine.merchant_id = owner.id where home.id = ${merchantId}
      union all
      select given.machine_id, 'merchant', home.name, given.granted_at, given.ends_at
      from (${merchantGrants}) given join merchant home on home.id = given.merchant_id
      join machine on machine.id = given.machine_id join merchant owner on owner.id = machine.merchant_id
      where home.id = ${merchantId} and home.id <> all(owner.path)`
  }
  return sql`
    select distinct on (granted.machine_id) granted.machine_id, unit.name as via, granted.granted_at as since,
      granted.ends_at as until, case when granted.unit_id is null then 'user' else 'organisation' end as reason
    from (${userGrants}) granted left join organisation unit on unit.id = granted.unit_id
    where granted.user_id = ${userId}
    order by granted.machine_id, granted.ends_at desc nulls first, granted.unit_id nulls first`
}
