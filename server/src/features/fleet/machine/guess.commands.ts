import type { allowCodes } from '@aisle/contract/fleet/guesses'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { announce } from '../../../kernel/announce'
import type { CommandContext } from '../../../kernel/context'
import { forgetGuesses } from '../../../kernel/guesses'
import { existing, refuse } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { findInSight } from './machine.reads'

/** Somebody has seen that no stranger guesses there: what was counted is forgotten, whatever was guessed at. */
export async function allow(
  ctx: CommandContext,
  { id, reason }: InputOf<typeof allowCodes>,
): Promise<OutputOf<typeof allowCodes>> {
  // Not locked: orders under way, which the tally waits for, name the machine and would wait for its row.
  const machine = existing(await findInSight(ctx.tx, sightOf(ctx.actor), id))
  const { code, merchantId } = machine
  const before = await forgetGuesses(ctx.tx, id, ctx.now())
  if (Object.values(before).every((until) => until === null)) refuse('machine.notBlocked', { code })
  const after = { ...Object.fromEntries(Object.keys(before).map((what) => [what, null])), reason }
  await ctx.audit({ merchantId, objectKind: 'machine', objectId: code, before, after })
  await announce(ctx.tx, { topic: 'machines', machineIds: [id] })
  return { id }
}
