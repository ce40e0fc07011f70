import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { announce } from './announce'
import { writeAudit } from './audit'
import type { AuditEntry, CommandContext, QueryContext, Tx } from './context'
import { refuse } from './refuse'
import type { Route } from './route'

type CommandRoute = Extract<Route, { kind: 'command' }>

/**
 * The one way a person's write happens: idempotency key → transaction → run → audit → commit. Permission was checked
 * by the transport, sight by the stores that the command reads with. A key seen before answers its first answer; a
 * command that is refused leaves nothing behind, its key included, so it can be tried again.
 */
export function runCommand(route: CommandRoute, ctx: QueryContext, input: unknown, key: string): Promise<unknown> {
  const bodyHash = createHash('sha256').update(route.endpoint.name).update(JSON.stringify(input)).digest()
  return ctx.services.db.transaction().execute(async (tx) => {
    const first = await takeKey(tx, ctx, route.endpoint.name, key, bodyHash)
    if (first !== undefined) return route.keeps === 'answer' ? first : refuse('request.keyReused')
    const audited: AuditEntry[] = []
    const inside: CommandContext = {
      ...ctx,
      db: tx,
      tx,
      audit: async (entry) => {
        audited.push(entry)
        await writeAudit(tx, ctx, route.endpoint.name, entry)
      },
    }
    const answer = await route.run(inside, input)
    if (audited.length === 0) throw new Error(`${route.endpoint.name} wrote without an audit row`)
    await announceChanges(tx, audited)
    const kept = route.keeps === 'answer' ? JSON.stringify(answer) : null
    await sql`update idempotency_key set response = ${kept}
      where user_id = ${ctx.actor.userId} and key = ${key}`.execute(tx)
    return answer
  })
}

/** Once a command, however much it changed: lists that show these kinds, to people who see these merchants. */
async function announceChanges(tx: Tx, audited: readonly AuditEntry[]): Promise<void> {
  const kinds = [...new Set(audited.map(({ objectKind }) => objectKind))]
  const merchantIds = [...new Set(audited.map(({ merchantId }) => merchantId))]
  const found = await sql<{ above: number[] | null }>`select json_agg(distinct one.above) as above
    from merchant, unnest(path) as one(above) where merchant.id = any(${merchantIds}::bigint[])`.execute(tx)
  await announce(tx, { topic: 'changes', kinds, merchantIds, above: found.rows[0]?.above ?? [] })
}

/** Waits for a twin that is still running (the row is its lock), then gives its answer. */
async function takeKey(tx: Tx, ctx: QueryContext, endpoint: string, key: string, bodyHash: Buffer): Promise<unknown> {
  const taken = await sql`insert into idempotency_key (user_id, key, endpoint, body_hash, created_at)
    values (${ctx.actor.userId}, ${key}, ${endpoint}, ${bodyHash}, ${ctx.now()}) on conflict do nothing`.execute(tx)
  if (taken.numAffectedRows === 1n) return undefined
  const found = await sql<{ body_hash: Buffer; response: unknown }>`select body_hash, response from idempotency_key
    where user_id = ${ctx.actor.userId} and key = ${key}`.execute(tx)
  const row = found.rows[0]
  if (!row || !row.body_hash.equals(bodyHash)) return refuse('request.keyReused')
  return row.response
}
