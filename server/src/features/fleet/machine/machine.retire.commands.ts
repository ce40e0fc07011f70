import type { bringBackMachine, retireMachine } from '@aisle/contract/fleet/machineForm'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import type { CommandContext } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { needsPharmacy } from './machine.edit.commands'
import { findForUpdate, findHindrances, makeSecret } from './machine.store'

/** Its secret is replaced by one that nobody has: what signed in with the old one goes, and none lets it in again. */
export async function retire(
  ctx: CommandContext,
  { id, reason }: InputOf<typeof retireMachine>,
): Promise<OutputOf<typeof retireMachine>> {
  const machine = await load(ctx, id)
  if (machine.isRetired) refuse('machine.retired', { code: machine.code })
  const { pieces, orders } = await findHindrances(ctx.tx, id)
  if (orders > 0) refuse('machine.hasOrders', { code: machine.code, count: orders })
  if (pieces > 0) refuse('machine.hasStock', { code: machine.code, count: pieces })
  await sql`update machine set retired_at = ${ctx.now()}, secret_hash = ${makeSecret().secretHash},
    secret_rotated_at = ${ctx.now()}, version = version + 1, updated_at = ${ctx.now()} where id = ${id}`.execute(ctx.tx)
  await sql`update machine_state set is_connected = false where machine_id = ${id}`.execute(ctx.tx)
  await tell(ctx, machine, { retired: false }, { retired: true, reason })
  await announce(ctx.tx, { topic: 'secrets', machineCode: machine.code })
  return { id }
}

/** Somebody has to look at it first: it comes back stopped. */
export async function bringBack(
  ctx: CommandContext,
  { id }: InputOf<typeof bringBackMachine>,
): Promise<OutputOf<typeof bringBackMachine>> {
  const machine = await load(ctx, id)
  if (!machine.isRetired) refuse('machine.notRetired', { code: machine.code })
  const { secret, secretHash } = makeSecret()
  const back = sql`update machine set retired_at = null, operation = 'stopped', secret_hash = ${secretHash},
    secret_rotated_at = ${ctx.now()}, version = version + 1, updated_at = ${ctx.now()} where id = ${id}`
  await needsPharmacy(back.execute(ctx.tx))
  await tell(ctx, machine, { retired: true }, { retired: false, operation: 'stopped', secret: 'rotated' })
  return { id, code: machine.code, secret }
}

const load = async (ctx: CommandContext, id: number) => existing(await findForUpdate(ctx.tx, sightOf(ctx.actor), id))

async function tell(
  ctx: CommandContext,
  { id, code, merchantId }: { id: number; code: string; merchantId: number },
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Promise<void> {
  await ctx.audit({ merchantId, objectKind: 'machine', objectId: code, before, after })
  await announce(ctx.tx, { topic: 'machines', machineIds: [id] })
}
