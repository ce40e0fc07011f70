import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { only } from '../../../kernel/must'

export type BackupRun = { id: number; file: string; bySchedule: boolean; beganAt: Date; isGood: boolean | null }
const columns = sql`id, file, by_schedule as "bySchedule", began_at as "beganAt", is_good as "isGood"`

type Begun = { file: string; bySchedule: boolean; beganAt: Date }

export async function begin(db: Reader, { file, bySchedule, beganAt }: Begun): Promise<number> {
  const made = await sql<{ id: number }>`insert into backup_run (file, by_schedule, began_at)
    values (${file}, ${bySchedule}, ${beganAt}) returning id`.execute(db)
  return only(made).id
}

export type Outcome = { endedAt: Date; problem: string; bytes: number | null; booksHash: Buffer | null }

/** Good is what has no problem. */
export async function end(db: Reader, id: number, { endedAt, problem, bytes, booksHash }: Outcome): Promise<void> {
  await sql`update backup_run set ended_at = ${endedAt}, is_good = ${problem === ''},
    problem = ${problem.slice(0, 1000)}, bytes = ${bytes}, books_hash = ${booksHash} where id = ${id}`.execute(db)
}

/** Those that are under way, or were cut off. */
export async function findOpen(db: Reader): Promise<BackupRun[]> {
  const found = await sql<BackupRun>`select ${columns} from backup_run where ended_at is null`.execute(db)
  return found.rows
}

export async function findSince(db: Reader, from: Date): Promise<BackupRun[]> {
  const found = await sql<BackupRun>`select ${columns} from backup_run where began_at >= ${from}`.execute(db)
  return found.rows
}

/** What the schedule wrote and has not removed. */
export async function findKept(db: Reader): Promise<BackupRun[]> {
  const found = await sql<BackupRun>`select ${columns} from backup_run
    where by_schedule and ended_at is not null and removed_at is null`.execute(db)
  return found.rows
}

export async function markRemoved(db: Reader, id: number, at: Date): Promise<void> {
  await sql`update backup_run set removed_at = ${at} where id = ${id}`.execute(db)
}

export async function lastGoodAt(db: Reader): Promise<Date | null> {
  const found = await sql<{ at: Date }>`select began_at as at from backup_run where is_good
    order by began_at desc limit 1`.execute(db)
  return found.rows[0]?.at ?? null
}
