import { commandState } from '@aisle/contract/device/commands'
import type { CheckedMachine, getSelfChecks, listSelfChecks } from '@aisle/contract/device/selfCheck'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../../kernel/list'
import { machineInSight, type Sight } from '../../../kernel/scope'
import { iso } from '../command/command.reads'
import { connectionOf } from '../command/target.reads'
import { statesIn } from '../../../kernel/states'

type Filter = InputOf<typeof listSelfChecks>

const rowsInSight = (sight: Sight, now: Date): RawBuilder<CheckedMachine> => sql`
  select m.id, m.code, m.name, owner.name as "merchantName", p.name as "pointName", m.category,
    m.merchant_id as merchant_id, ${connectionOf(now)} as connection, s.app_version as "appVersion",
    case when k.id is null then 'never' when cardinality(k.failing) > 0 then 'failing' else 'good' end as outcome,
    coalesce(k.failing, '{}') as "failingParts", coalesce(cardinality(k.failing), 0) as failing,
    k.checked_at, ${iso(sql`k.checked_at`)} as "checkedAt",
    exists (select 1 from device_command c where c.machine_id = m.id and c.type = 'self_check'
      and c.state in ${statesIn(commandState, 'waiting')}) as "isAsked"
  from machine m join machine_state s on s.machine_id = m.id join point p on p.id = m.point_id
  join merchant owner on owner.id = m.merchant_id
  left join self_check k on k.machine_id = m.id and k.is_newest
  where m.retired_at is null and ${machineInSight(sight, sql`m.id`)}`

const orders: Record<Filter['sort'], Order> = {
  // What fails first, the more the earlier; then what nobody has asked yet.
  worst: { by: sql`case outcome when 'failing' then 0 - failing when 'never' then 1 else 2 end`, type: 'bigint' },
  code: { by: sql`code`, type: 'text' },
  newest: { by: sql`coalesce(checked_at, '1970-01-01Z'::timestamptz)`, type: 'timestamptz', newestFirst: true },
}

export function listSelfChecksIn(sight: Sight, filter: Filter, now: Date): Listing<CheckedMachine> {
  const { q, code, outcome, part, category, merchantId } = filter
  const where = allOf([
    q && sql`(${holds(sql`code`, q)} or ${holds(sql`name`, q)} or ${holds(sql`"pointName"`, q)})`,
    code && sql`code = ${code}`,
    isAnyOf(sql`outcome`, outcome),
    part && sql`"failingParts" && ${part}::text[]`,
    isAnyOf(sql`category`, category),
    merchantId && sql`merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  return listRows({ rows: rowsInSight(sight, now), where, order: orders[filter.sort] })
}

type Detail = OutputOf<typeof getSelfChecks>
const MOST_HISTORY = 50

export async function findSelfCheckDetail(
  db: Reader,
  sight: Sight,
  id: number,
  now: Date,
): Promise<Detail | undefined> {
  const found = await sql<CheckedMachine>`select * from (${rowsInSight(sight, now)}) seen where id = ${id}`.execute(db)
  const [machine] = found.rows
  if (!machine) return undefined
  const newest = await sql<{ parts: Detail['parts'] }>`select parts from self_check
    where machine_id = ${id} and is_newest`.execute(db)
  const history = await sql<Detail['history'][number]>`
    select id, ${iso(sql`checked_at`)} as "checkedAt", part_count as "partCount", failing from self_check
    where machine_id = ${id} order by checked_at desc, id desc limit ${sql.lit(MOST_HISTORY)}`.execute(db)
  return { machine, parts: newest.rows[0]?.parts ?? [], history: history.rows }
}
