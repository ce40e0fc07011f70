import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { Grantee, GrantLogEntry, listGrantLogMachines } from '@aisle/contract/sight/authorisation'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { type Listing, listRows } from '../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'
import { type FoundGrantee, findGrantee } from './grantee.store'

export function listLog(sight: Sight, { kind, id }: FoundGrantee): Listing<GrantLogEntry> {
  const rows = sql<GrantLogEntry>`
    select log.id, to_json(log.at) #>> '{}' as at, log.action, cardinality(log.machine_ids) as count,
      to_json(log.ends_at) #>> '{}' as "endsAt", who.display_name as "byName"
    from machine_grant_log log
    left join app_user who on who.id = log.by_user_id and ${merchantInSight(sight, sql`who.merchant_id`)}
    where log.grantee = ${kind} and log.grantee_id = ${id}`
  // The rows are numbered in the order of their commands, so the number alone is the order of the list.
  return listRows({ rows, order: { by: sql`id`, type: 'bigint', newestFirst: true } })
}

type Machine = OutputOf<typeof listGrantLogMachines>['items'][number]

/** @returns nothing for an entry about a grantee out of sight */
export async function listLogMachines(
  db: Reader,
  sight: Sight,
  asked: InputOf<typeof listGrantLogMachines>,
): Promise<Listing<Machine> | undefined> {
  const found = await sql<{ grantee: Grantee; granteeId: number }>`
    select grantee, grantee_id as "granteeId" from machine_grant_log where id = ${asked.id}`.execute(db)
  const entry = found.rows[0]
  if (!entry || !(await findGrantee(db, sight, entry.grantee, entry.granteeId))) return undefined
  const rows = sql<Machine>`
    select m.id, m.code, m.name, p.name as "pointName"
    from machine_grant_log log cross join unnest(log.machine_ids) as granted(id)
    join machine m on m.id = granted.id join point p on p.id = m.point_id
    where log.id = ${asked.id} and ${machineInSight(sight, sql`m.id`)}`
  return listRows({ rows, order: { by: sql`code`, type: 'text' } })
}
