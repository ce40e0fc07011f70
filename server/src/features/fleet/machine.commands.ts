import { machineOperation, type MachineOperation } from '@aisle/contract/fleet/states'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { CommandContext, Tx } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import type { InSight } from './machine.reads'
import { findForUpdate, makeSecret } from './machine.store'

/** Compare-and-set by the state table; false when the machine is not in a state that the verb starts from. */
export async function moveOperation(
  tx: Tx,
  machine: InSight,
  verb: keyof typeof machineOperation.moves,
): Promise<boolean> {
  const from: readonly MachineOperation[] = machineOperation.from(verb)
  const moved = await sql`update machine set operation = ${machineOperation.to(verb)}
    where id = ${machine.id} and operation = any(${[...from]}::text[])`.execute(tx)
  return moved.numAffectedRows === 1n
}

/** A new secret, kept as a hash only; the old one stops working with the commit, and what it opened is closed. */
export async function rotateSecret(ctx: CommandContext, id: number): Promise<{ code: string; secret: string }> {
  const machine = (await findForUpdate(ctx.tx, sightOf(ctx.actor), id)) ?? refuse('request.notFound')
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
