import { sql } from 'kysely'
import type { AuditEntry, CommandContext, QueryContext, Tx } from './context'

type Facts = AuditEntry['before']
type Audited = { id: AuditEntry['objectId']; merchantId?: number | null }

/** For the verbs of one kind of thing. What is nobody's is the platform's: it is shown with who changed it. */
export const auditAs =
  (objectKind: string) =>
  (ctx: CommandContext, { id, merchantId }: Audited, before: Facts, after: Facts): Promise<void> =>
    ctx.audit({ merchantId: merchantId ?? ctx.actor.merchantId, objectKind, objectId: id, before, after })

/** In the writer's own transaction: a change without its row, or a row without its change, can't be. */
export function writeAudit(tx: Tx, ctx: QueryContext, action: string, entry: AuditEntry): Promise<void> {
  return write(tx, { at: ctx.now(), userId: ctx.actor.userId, ip: ctx.ip, traceId: ctx.traceId }, action, entry)
}

/**
 * Of what a job did at its hour, without a person. Who asked for it is part of the entry.
 * @param action the endpoint whose work it was, such as `payment.publishPaymentAccount`
 */
export function writeSystemAudit(tx: Tx, at: Date, action: string, entry: AuditEntry): Promise<void> {
  return write(tx, { at, userId: null, ip: '', traceId: '' }, action, entry)
}

type Writer = { at: Date; userId: number | null; ip: string; traceId: string }

async function write(tx: Tx, { at, userId, ip, traceId }: Writer, action: string, entry: AuditEntry): Promise<void> {
  // What isn't pending is never sealed, so a row that came another way than this one shows in the check.
  await sql`with written as (insert into audit_log
      (at, merchant_id, user_id, ip, action, object_kind, object_id, before, after, trace_id)
      values (${at}, ${entry.merchantId}, ${userId}, ${ip}, ${action}, ${entry.objectKind},
        ${String(entry.objectId)}, ${json(entry.before)}, ${json(entry.after)}, ${traceId})
      returning id, at)
    insert into audit_pending select id, at from written`.execute(tx)
}

const json = (value: Record<string, unknown> | null) => (value === null ? null : JSON.stringify(value))
