import { sql } from 'kysely'
import type { Reader, Services } from './context'

/**
 * Timed or retried work. `cron` is in UTC, five fields, and graphile-worker runs each once over all processes; without
 * one the job runs when `addJob` asks for it. What throws is tried again later, so a job may run twice.
 */
export type Job = { name: string; cron?: string; run: (services: Services, payload: JobPayload) => Promise<void> }
export type JobPayload = Readonly<Record<string, string | number>>

/** Work for after the commit: a transaction that is rolled back leaves none. */
export async function addJob(db: Reader, name: string, payload: JobPayload = {}): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json)`.execute(db)
}

/** Once at that time: of one name a single run waits, and the newest word on its time counts. */
export async function addJobAt(db: Reader, name: string, at: Date): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, '{}'::json, run_at => ${at}, job_key => ${name})`.execute(db)
}
