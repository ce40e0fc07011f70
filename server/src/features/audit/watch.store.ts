import { backup } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { settingOf } from '../../kernel/settings'
import type { Condition } from './systemAlarm.store'

const MINUTE_MS = 60_000
const before = (now: Date, minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS)

/** Everything of the platform's own that is wrong now; each reading is an index probe or a small table. */
export async function conditionsNow(db: Reader, now: Date): Promise<Condition[]> {
  const found = await Promise.all([
    outbox(db, now),
    jobs(db),
    seals(db, now),
    checks(db),
    gateway(db, now),
    backups(db, now),
  ])
  return found.flat()
}

/** Messages that should have gone, and those that were given up in the last day. */
async function outbox(db: Reader, now: Date): Promise<Condition[]> {
  const found = await sql<{ waiting: number; since: string | null; failed: number; channels: string[] | null }>`
    select count(*) filter (where state = 'waiting' and next_try_at < ${before(now, 10)})::int as waiting,
      to_json(min(next_try_at) filter (where state = 'waiting' and next_try_at < ${before(now, 10)})) #>> '{}' as since,
      count(*) filter (where state = 'failed')::int as failed,
      array_agg(distinct channel) filter (where state = 'failed') as channels
    from outbox_message where created_at > ${before(now, 24 * 60)} or state = 'waiting'`.execute(db)
  const row = found.rows[0]
  if (!row) return []
  const lag =
    row.waiting > 0 ? [{ kind: 'outbox_lag' as const, cause: '', facts: { ...row, channels: undefined } }] : []
  const failed =
    row.failed > 0
      ? [{ kind: 'outbox_failed' as const, cause: '', facts: { failed: row.failed, channels: row.channels ?? [] } }]
      : []
  return [...lag, ...failed]
}

/** A job that failed twice and is still waiting for a good try. */
async function jobs(db: Reader): Promise<Condition[]> {
  const there = await sql<{ there: boolean }>`select to_regclass('graphile_worker.jobs') is not null as there`.execute(
    db,
  )
  if (!there.rows[0]?.there) return []
  const found = await sql<{ cause: string; attempts: number; error: string | null }>`
    select task_identifier as cause, max(attempts)::int as attempts, left(max(last_error), 200) as error
    from graphile_worker.jobs where attempts > 1 and last_error is not null group by 1`.execute(db)
  return found.rows.map(({ cause, attempts, error }) => ({ kind: 'job_failed', cause, facts: { attempts, error } }))
}

async function seals(db: Reader, now: Date): Promise<Condition[]> {
  const found = await sql<{ waiting: number }>`
    select count(*)::int as waiting from audit_pending where at < ${before(now, 15)}`.execute(db)
  const waiting = found.rows[0]?.waiting ?? 0
  return waiting > 0 ? [{ kind: 'seal_lag', cause: '', facts: { waiting } }] : []
}

/** What the last nightly check of each kind found; it stands until a check finds nothing. */
async function checks(db: Reader): Promise<Condition[]> {
  const found = await sql<{ about: 'log' | 'books'; checkedAt: string; problems: string[] }>`
    select distinct on (about) about, to_json(checked_at) #>> '{}' as "checkedAt", problems[1:10] as problems
    from audit_check order by about, id desc`.execute(db)
  return found.rows
    .filter(({ problems }) => problems.length > 0)
    .map(({ about, ...facts }) => ({ kind: about === 'log' ? 'audit_broken' : 'books_differ', cause: '', facts }))
}

/** Machines spoke today, and then all of them fell silent at once: it is the link, not the machines. */
async function gateway(db: Reader, now: Date): Promise<Condition[]> {
  const found = await sql<{ last: Date | null; machines: number }>`
    select max(last_seen_at) as last, count(*)::int as machines from machine_state
    where last_seen_at > ${before(now, 24 * 60)}`.execute(db)
  const { last, machines = 0 } = found.rows[0] ?? { last: null }
  if (!last || machines < 2 || last > before(now, 10)) return []
  return [{ kind: 'gateway_silent', cause: '', facts: { lastHeardAt: last.toISOString(), machines } }]
}

/** A copy a day, and half a day more for one that takes long or is tried again. */
const BACKUP_OLD_MS = 36 * 60 * MINUTE_MS

/** Where they are wanted: the last one failed, or the last good one is too old. Switching them off is in the log. */
async function backups(db: Reader, now: Date): Promise<Condition[]> {
  if (!(await settingOf(db, backup.isOn, null))) return []
  const last = await sql<{ isGood: boolean | null; facts: Record<string, unknown> }>`
    select is_good as "isGood", jsonb_build_object('beganAt', began_at, 'problem', problem, 'file', file) as facts
    from backup_run where ended_at is not null order by began_at desc limit 1`.execute(db)
  const good = await sql<{ at: Date }>`
    select began_at as at from backup_run where is_good order by began_at desc limit 1`.execute(db)
  // Without one, since when there could have been one.
  const wanted = await sql<{ at: Date }>`select greatest((select min(applied_at) from schema_migration),
    (select changed_at from setting where key = ${backup.isOn.key} and merchant_id is null)) as at`.execute(db)
  const lastGoodAt = good.rows[0]?.at
  const since = lastGoodAt ?? wanted.rows[0]?.at ?? now
  const failed = last.rows.filter(({ isGood }) => !isGood).map(({ facts }) => facts)
  const old = now.getTime() - since.getTime() > BACKUP_OLD_MS
  return [
    ...failed.map((facts) => ({ kind: 'backup_failed' as const, cause: '', facts })),
    ...(old
      ? [{ kind: 'backup_old' as const, cause: '', facts: { lastGoodAt: lastGoodAt?.toISOString() ?? null } }]
      : []),
  ]
}
