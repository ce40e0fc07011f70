import type { allowCodes } from '@aisle/contract/fleet/guesses'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { announce } from '../../kernel/announce'
import type { CommandContext } from '../../kernel/context'
import { forgetGuesses } from '../../kernel/guesses'
import { refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { findForUpdate } from './machine.store'

/** Somebody has seen that no stranger guesses there: what was counted is forgotten, of codes, cards and prescriptions. */
export async function allow(
  ctx: CommandContext,
  { id, reason }: InputOf<typeof allowCodes>,
): Promise<OutputOf<typeof allowCodes>> {
  const machine = (await findForUpdate(ctx.tx, sightOf(ctx.actor), id)) ?? refuse('request.notFound')
  const { code, merchantId } = machine
  const before = await forgetGuesses(ctx.tx, id, ctx.now())
  if (Object.values(before).every((until) => until === null)) refuse('machine.notBlocked', { code })
  const after = { ...Object.fromEntries(Object.keys(before).map((what) => [what, null])), reason }
  await ctx.audit({ merchantId, objectKind: 'machine', objectId: code, before, after })
  await announce(ctx.tx, { topic: 'machines', machineIds: [id] })
  return { id }
}
