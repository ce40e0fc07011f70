import { sql } from 'kysely'
import type { AuditEntry, QueryContext, Tx } from './context'

/** In the writer's own transaction: a change without its row, or a row without its change, can't be. */
export async function writeAudit(tx: Tx, ctx: QueryContext, action: string, entry: AuditEntry): Promise<void> {
  // What isn't pending is never sealed, so a row that came another way than this one shows in the check.
  await sql`with written as (insert into audit_log
      (at, merchant_id, user_id, ip, action, object_kind, object_id, before, after, trace_id)
      values (${ctx.now()}, ${entry.merchantId}, ${ctx.actor.userId}, ${ctx.ip}, ${action}, ${entry.objectKind},
        ${String(entry.objectId)}, ${json(entry.before)}, ${json(entry.after)}, ${ctx.traceId})
      returning id, at)
    insert into audit_pending select id, at from written`.execute(tx)
}

const json = (value: Record<string, unknown> | null) => (value === null ? null : JSON.stringify(value))
