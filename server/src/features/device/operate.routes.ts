import { randomUUID } from 'node:crypto'
import { resumeSale, stopSale } from '@aisle/contract/device/operate'
import { machineOperation } from '@aisle/contract/fleet/states'
import { announce } from '../../kernel/announce'
import type { CommandContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { command, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { findInSight, moveOperation } from '../fleet/public'
import { queueCommands } from './command.store'

export const routes: Route[] = [
  command(stopSale, (ctx, input) => operate(ctx, input, 'stopSale')),
  command(resumeSale, (ctx, input) => operate(ctx, input, 'resumeSale')),
]

const commandOf = { stopSale: 'stop_sale', resumeSale: 'resume_sale' } as const

/** The choice holds here at once (orders are refused by the server); the machine is told, and told again when back. */
async function operate(
  ctx: CommandContext,
  input: { id: number; reason: string },
  verb: keyof typeof commandOf,
): Promise<{ id: number; operation: 'in_operation' | 'stopped' }> {
  const machine = (await findInSight(ctx.tx, sightOf(ctx.actor), input.id)) ?? refuse('request.notFound')
  if (!(await moveOperation(ctx.tx, machine, verb))) refuse('machine.state', { code: machine.code })
  const told = { id: randomUUID(), merchantId: machine.merchantId, machineId: machine.id, type: commandOf[verb] }
  await queueCommands(ctx.tx, [{ ...told, data: {}, reason: input.reason, createdBy: ctx.actor.userId }], ctx.now())
  const operation = machineOperation.to(verb)
  await ctx.audit({
    merchantId: machine.merchantId,
    objectKind: 'machine',
    objectId: machine.code,
    before: { operation: machine.operation },
    after: { operation, reason: input.reason },
  })
  await announce(ctx.tx, { topic: 'machines', machineIds: [machine.id] })
  await announce(ctx.tx, { topic: 'commands', machineIds: [machine.id] })
  return { id: machine.id, operation }
}
