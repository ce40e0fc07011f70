import { reportState } from '@aisle/contract/report/request'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'

/** What of a list is written already, in the file of the maker that kept it. */
export type Kept = { cursor: string | null; bytes: number; rows: number; isRead: boolean }
export const NOTHING_KEPT: Kept = { cursor: null, bytes: 0, rows: 0, isRead: false }

/**
 * Begins a making, or takes it from a maker that is thought dead: whatever that one tells later is not heard.
 * @returns what the last one kept and its name; undefined when the report is not to be made any more
 */
export async function take(
  db: Reader,
  id: number,
  maker: string,
  now: Date,
): Promise<(Kept & { before: string | null }) | undefined> {
  const taken = await sql<Kept & { before: string | null }>`
    with before as (select id, maker, kept_cursor, kept_bytes, kept_rows, is_read from report_request
      where id = ${id} and state = any(${[...reportState.from('start')]}::text[]) for update)
    update report_request r set state = ${reportState.to('start')}, maker = ${maker}, touched_at = ${now}
    from before b where r.id = b.id
    returning b.maker as before, b.kept_cursor as cursor, b.kept_bytes as bytes, b.kept_rows as rows,
      b.is_read as "isRead"`.execute(db)
  return taken.rows[0]
}

const made = (id: number, maker: string) => sql`id = ${id} and maker = ${maker} and state = 'running'`

/** @returns whether this maker is still wanted: a cancelled report has none, a taken one another */
export async function keep(
  db: Reader,
  id: number,
  maker: string,
  kept: Kept & { total: number | null; now: Date },
): Promise<boolean> {
  // What a person was shown as done stays done, also when it has to be read again.
  const moved = await sql`update report_request set rows_done = greatest(rows_done, ${kept.rows}),
      rows_total = coalesce(rows_total, ${kept.total}), touched_at = ${kept.now}, kept_cursor = ${kept.cursor},
      kept_bytes = ${kept.bytes}, kept_rows = ${kept.rows}, is_read = ${kept.isRead}
    where ${made(id, maker)}`.execute(db)
  return moved.numAffectedRows === 1n
}

/** Says that it lives. @returns whether this maker is still wanted */
export async function touch(db: Reader, id: number, maker: string, now: Date): Promise<boolean> {
  const moved = await sql`update report_request set touched_at = ${now} where ${made(id, maker)}`.execute(db)
  return moved.numAffectedRows === 1n
}

export async function finish(
  db: Reader,
  id: number,
  maker: string,
  whole: { file: string; bytes: number; rows: number; now: Date; expiresAt: Date },
): Promise<boolean> {
  const moved = await sql`update report_request set state = ${reportState.to('finish')}, file = ${whole.file},
      bytes = ${whole.bytes}, rows_done = ${whole.rows}, rows_total = ${whole.rows}, finished_at = ${whole.now},
      expires_at = ${whole.expiresAt}
    where ${made(id, maker)}`.execute(db)
  return moved.numAffectedRows === 1n
}

/** @returns whether it was still this maker's to fail */
export async function fail(db: Reader, id: number, maker: string, now: Date): Promise<boolean> {
  const moved = await sql`update report_request set state = ${reportState.to('fail')}, finished_at = ${now}
    where ${made(id, maker)}`.execute(db)
  return moved.numAffectedRows === 1n
}

/** @param names of files, each begun with the number of its report @returns those that nobody makes or may have */
export async function unwanted(db: Reader, names: readonly string[]): Promise<string[]> {
  const found = await sql<{ name: string }>`select name from unnest(${[...names]}::text[]) name
    where not exists (select from report_request r where r.id = substring(name from '^[0-9]{1,15}')::bigint
      and (r.state = 'done' and r.file = name or r.state = 'running' and r.maker = split_part(name, '.', 1)))`.execute(
    db,
  )
  return found.rows.map((row) => row.name)
}
