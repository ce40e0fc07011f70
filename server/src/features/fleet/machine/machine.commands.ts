import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import type { CommandContext } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { findForUpdate, makeSecret } from './machine.store'

/** A new secret, kept as a hash only; the old one stops working with the commit, and what it opened is closed. */
export async function rotateSecret(ctx: CommandContext, id: number): Promise<{ code: string; secret: string }> {
  const machine = existing(await findForUpdate(ctx.tx, sightOf(ctx.actor), id))
  const { code, merchantId, isRetired } = machine
  // With a secret it would be let in again.
  if (isRetired) refuse('machine.retired', { code })
  const { secret, secretHash } = makeSecret()
  await sql`update machine set secret_hash = ${secretHash}, secret_rotated_at = ${ctx.now()}
    where id = ${id}`.execute(ctx.tx)
  await ctx.audit({ merchantId, objectKind: 'machine', objectId: code, before: null, after: { secret: 'rotated' } })
  await announce(ctx.tx, { topic: 'secrets', machineCode: code })
  return { code, secret }
}
