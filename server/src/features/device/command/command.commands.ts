import { randomUUID } from 'node:crypto'
import { blockOf } from '@aisle/contract/device/block'
import type { cancelCommand, sendCommand } from '@aisle/contract/device/command'
import { dataOf } from '@aisle/contract/device/sendable'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import type { CommandContext } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { machineInSight, sightOf } from '../../../kernel/scope'
import { cancelCommands, queueCommands } from './command.store'
import { settleEnded } from './ended'
import { makeChoices, operationBy, takeBackChoices } from './operation.store'
import { findTargets } from './target.reads'

const refusalOf = {
  retired: 'command.retired',
  offline: 'command.offline',
  already: 'command.already',
  unlawful: 'command.unlawful',
} as const

export async function send(ctx: CommandContext, input: InputOf<typeof sendCommand>): Promise<{ id: number }> {
  const { id: machineId, type, reason } = input
  const machine = existing((await findTargets(ctx.tx, sightOf(ctx.actor), { ids: [machineId] }, ctx.now()))[0])
  const block = blockOf(type, machine)
  if (block) refuse(refusalOf[block], { code: machine.code })
  const data = dataOf(type, input) ?? refuse('command.incomplete')
  await makeChoices(ctx.tx, type, [machineId])
  const cmdId = randomUUID()
  const { merchantId } = machine
  const operation = operationBy(type)
  await queueCommands(
    ctx.tx,
    [{ id: cmdId, merchantId, machineId, type, data, reason, createdBy: ctx.actor.userId }],
    ctx.now(),
  )
  await ctx.audit({
    merchantId,
    objectKind: 'machine',
    objectId: machine.code,
    before: operation ? { operation: machine.operation } : null,
    after: operation ? { operation, reason } : { command: type, data, reason },
  })
  await announce(ctx.tx, { topic: 'commands', machineIds: [machineId] })
  if (operation) await announce(ctx.tx, { topic: 'machines', machineIds: [machineId] })
  const made = await sql<{ id: number }>`select seq as id from device_command where id = ${cmdId}`.execute(ctx.tx)
  return { id: only(made).id }
}

export async function cancel(ctx: CommandContext, { id }: InputOf<typeof cancelCommand>): Promise<{ id: number }> {
  const found = await sql<{ code: string; merchantId: number; machineId: number; type: string; isSystems: boolean }>`
    select m.code, c.merchant_id as "merchantId", c.machine_id as "machineId", c.type,
      c.created_by is null as "isSystems" from device_command c
    join machine m on m.id = c.machine_id
    where c.seq = ${id} and ${machineInSight(sightOf(ctx.actor), sql`c.machine_id`)} for update of c`.execute(ctx.tx)
  const command = existing(found.rows[0])
  if (command.isSystems) refuse('command.systems')
  const ended = await cancelCommands(ctx.tx, sql`c.seq = ${id}`, ctx.now())
  if (ended.length === 0) refuse('command.tooLate')
  await takeBackChoices(ctx.tx, ended)
  await settleEnded(ctx.tx, ended, ctx.now())
  await ctx.audit({
    merchantId: command.merchantId,
    objectKind: 'machine',
    objectId: command.code,
    before: { command: command.type },
    after: { command: 'cancelled' },
  })
  return { id }
}
