import { resumeSale, stopSale } from '@aisle/contract/device/operate'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { CommandContext } from '../../../kernel/context'
import { command, type Route } from '../../../kernel/route'
import { send } from './command.commands'
import { findShownOperation } from './operation.store'

export const routes: Route[] = [
  command(stopSale, (ctx, input) => operate(ctx, { ...input, type: 'stop_sale' })),
  command(resumeSale, (ctx, input) => operate(ctx, { ...input, type: 'resume_sale' })),
]

/** The choice holds here at once (orders are refused by the server); the machine is told, and told again when back. */
async function operate(ctx: CommandContext, input: Parameters<typeof send>[1]): Promise<OutputOf<typeof stopSale>> {
  await send(ctx, input)
  return { id: input.id, operation: await findShownOperation(ctx.tx, input.id) }
}
