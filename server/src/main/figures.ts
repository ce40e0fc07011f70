import { OFFLINE_AFTER_MS } from '@aisle/contract/fleet/states'
import type { Pool } from '../db/pool'
import type { Services } from '../kernel/context'
import type { Metrics } from '../transport/http/health'
import { backupAge } from './backups'

type Read = () => Promise<number>

/** What `/metrics` tells of the network beside its own process; each is asked of the database when it is read. */
export function addFigures({ addGauge }: Metrics, services: Services, pool: Pool['raw']): void {
  const ask =
    (text: string, values: unknown[] = []): Read =>
    async () =>
      (await pool.query<{ figure: number }>(text, values)).rows[0]?.figure ?? Number.NaN
  const machines = (which: string) => ask(`select count(*)::int as figure from machine m ${which}`)
  const heard = `is_connected and s.last_seen_at > now() - interval '${OFFLINE_AFTER_MS} milliseconds'`
  addGauge('aisle_backup_age_seconds', 'Age of the last good backup; +Inf without one', backupAge(services))
  addGauge('aisle_machines', 'Machines that are not retired', machines('where m.retired_at is null'))
  addGauge(
    'aisle_machines_online',
    'Those of them that were heard lately',
    machines(`join machine_state s on s.machine_id = m.id where m.retired_at is null and ${heard}`),
  )
  addGauge('aisle_replica_lag_seconds', 'How far the replica is behind; 0 where there is none', () => lagOf(services))
  addGauge('aisle_jobs_late_seconds', 'How long the eldest job that is due has waited', ask(jobsLate))
  addGauge('aisle_jobs_given_up', 'Jobs that failed as often as they are tried', ask(jobsGivenUp))
}

function lagOf({ replica, clock }: Services): number {
  if (!replica) return 0
  const at = replica.holdsAllOf()
  return at ? Math.max(0, clock.now().getTime() - at.getTime()) / 1000 : Number.POSITIVE_INFINITY
}

const jobsLate = `select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as figure
  from graphile_worker.jobs where locked_at is null and run_at < now() and attempts < max_attempts`
const jobsGivenUp = `select count(*)::int as figure from graphile_worker.jobs where attempts >= max_attempts`
