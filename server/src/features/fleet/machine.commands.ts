import { createHash, randomBytes } from 'node:crypto'
import { machineOperation, type MachineOperation } from '@aisle/contract/fleet/states'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { CommandContext, Tx } from '../../kernel/context'
import type { InSight } from './machine.reads'

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
export async function rotateSecret(ctx: CommandContext, machine: InSight): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await sql`update machine set secret_hash = ${createHash('sha256').update(secret).digest()},
    secret_rotated_at = ${ctx.now()} where id = ${machine.id}`.execute(ctx.tx)
  await ctx.audit({
    merchantId: machine.merchantId,
    objectKind: 'machine',
    objectId: machine.code,
    before: null,
    after: { secret: 'rotated' },
  })
  await announce(ctx.tx, { topic: 'secrets', machineCode: machine.code })
  return secret
}
