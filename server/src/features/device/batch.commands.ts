import { randomUUID } from 'node:crypto'
import type { CommandType } from '@aisle/contract/device/commands'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { CommandContext } from '../../kernel/context'
import { queueCommands } from './command.store'

export type BatchOf = {
  type: CommandType
  reason: string
  /** What was asked, for the one who reads the batch. */
  data: Record<string, unknown>
  /** Each in the caller's sight, with what its own command carries. */
  machines: readonly { id: number; merchantId: number; data: Record<string, unknown> }[]
}

/** One thing asked of many machines: a command each, in one batch whose progress is counted from them. @returns its id */
export async function queueBatch(ctx: CommandContext, { type, reason, data, machines }: BatchOf): Promise<string> {
  const batchId = randomUUID()
  await sql`insert into command_batch (id, merchant_id, type, data, reason, created_by, created_at)
    values (${batchId}, ${ctx.actor.merchantId}, ${type}, ${JSON.stringify(data)}, ${reason}, ${ctx.actor.userId},
      ${ctx.now()})`.execute(ctx.tx)
  const common = { type, reason, createdBy: ctx.actor.userId, batchId }
  const commands = machines.map(({ id, merchantId, data: own }) => ({
    ...common,
    id: randomUUID(),
    merchantId,
    machineId: id,
    data: own,
  }))
  await queueCommands(ctx.tx, commands, ctx.now())
  await announce(ctx.tx, { topic: 'commands', machineIds: machines.map(({ id }) => id) })
  return batchId
}
