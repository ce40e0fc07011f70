import { changesOf, type Facts, type HistoryEvent } from '@aisle/contract/kernel/changes'
import { sql } from 'kysely'
import type { Reader } from './context'

const MOST_EVENTS = 50

/** The last changes to a row of the audit log's kind, newest first. Who did it is named, wherever they are from. */
export async function historyOf(
  db: Reader,
  of: { kind: string; id: number; merchantId: number },
): Promise<HistoryEvent[]> {
  const found = await sql<{ at: Date; action: string; byName: string; before: Facts; after: Facts }>`
    select l.at, l.action, coalesce(u.display_name, '') as "byName", l.before, l.after
    from audit_log l left join app_user u on u.id = l.user_id
    where l.object_kind = ${of.kind} and l.object_id = ${String(of.id)} and l.merchant_id = ${of.merchantId}
    order by l.at desc, l.id desc limit ${sql.lit(MOST_EVENTS)}`.execute(db)
  return found.rows.map(({ at, action, byName, before, after }) => ({
    at: at.toISOString(),
    action,
    byName,
    changes: changesOf(before, after),
  }))
}
