import type { getRollout, listPackages, listRollouts, listVersions, Rollout } from '@aisle/contract/device/software'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows } from '../../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../../kernel/scope'
import { iso } from './command.reads'
import { connectionOf } from './target.reads'

const newest = { by: sql`id`, type: 'bigint', newestFirst: true } as const

type Package = OutputOf<typeof listPackages>['items'][number]

export function packages(sight: Sight): Listing<Package> {
  const rows = sql<Package>`
    select p.id, p.version, p.url, p.sha256, p.notes, u.display_name as "createdBy",
      ${iso(sql`p.created_at`)} as "createdAt", (select count(*) from rollout r
        where r.package_id = p.id and ${rolloutInSight(sight)}) as rollouts
    from app_package p left join app_user u on u.id = p.created_by
    where ${merchantInSight(sight, sql`p.merchant_id`)}`
  return listRows({ rows, order: newest })
}

export async function versions(db: Reader, sight: Sight, now: Date): Promise<OutputOf<typeof listVersions>> {
  const found = await sql<OutputOf<typeof listVersions>['items'][number]>`
    select s.app_version as version, count(*) as machines,
      count(*) filter (where ${connectionOf(now)} = 'online') as online
    from machine m join machine_state s on s.machine_id = m.id
    where m.retired_at is null and ${machineInSight(sight, sql`m.id`)}
    group by s.app_version order by count(*) desc, s.app_version`.execute(db)
  return { items: found.rows }
}

/** Whoever sees one of its machines sees a rollout `r`, and of it those machines, as with a batch of commands. */
export const rolloutInSight = (sight: Sight): RawBuilder<boolean> => sql`exists (
  select from rollout_machine rm where rm.rollout_id = r.id and ${machineInSight(sight, sql`rm.machine_id`)})`

const rowsInSight = (sight: Sight): RawBuilder<Rollout> => sql`
  select r.id, p.version, r.state, r.wave, cardinality(r.waves) as "waveCount", r.waves,
    r.failure_limit_percent as "failureLimitPercent", r.reason, u.display_name as "createdBy",
    ${iso(sql`r.created_at`)} as "createdAt", ${iso(sql`r.ended_at`)} as "endedAt", n.machines, n.asked, n.done,
    n.failed, n.missed, p.url as "packageVersionUrl", p.sha256, p.notes, r.version as "rowVersion"
  from rollout r join app_package p on p.id = r.package_id left join app_user u on u.id = r.created_by
  cross join lateral (
    select count(*) as machines, count(state) as asked, count(*) filter (where state = 'done') as done,
      count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'missed') as missed
    from rollout_machine rm where rm.rollout_id = r.id and ${machineInSight(sight, sql`rm.machine_id`)}) n
  where ${rolloutInSight(sight)}`

export function listRolloutsIn(sight: Sight, filter: InputOf<typeof listRollouts>): Listing<Rollout> {
  const where = allOf([isAnyOf(sql`state`, filter.state)])
  return listRows({ rows: rowsInSight(sight), where, order: newest })
}

type Detail = OutputOf<typeof getRollout>
const MOST_FAILURES = 200

export async function findRolloutDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<
    Omit<Detail, 'byWave' | 'failures'>
  >`select *, machines = (select count(*) from rollout_machine where rollout_id = id) as "isWhole"
    from (${rowsInSight(sight)}) seen where id = ${id}`.execute(db)
  const [rollout] = found.rows
  if (!rollout) return undefined
  const byWave = await sql<Detail['byWave'][number]>`
    select wave, count(*) as machines, count(*) filter (where state = 'open') as open,
      count(*) filter (where state = 'done') as done, count(*) filter (where state = 'failed') as failed,
      count(*) filter (where state = 'missed') as missed
    from rollout_machine where rollout_id = ${id} and ${machineInSight(sight, sql`machine_id`)}
    group by wave order by wave`.execute(db)
  const failures = await sql<Detail['failures'][number]>`
    select m.code as "machineCode", m.name as "machineName", r.wave, r.detail
    from rollout_machine r join machine m on m.id = r.machine_id
    where r.rollout_id = ${id} and r.state = 'failed' and ${machineInSight(sight, sql`r.machine_id`)}
    order by r.wave, m.code limit ${sql.lit(MOST_FAILURES)}`.execute(db)
  return { ...rollout, byWave: byWave.rows, failures: failures.rows }
}
