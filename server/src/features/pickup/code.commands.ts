import type { cancelPickupCode, revealPickupCode } from '@aisle/contract/pickup/pickupCode'
import { type PickupCodeState, pickupCodeState } from '@aisle/contract/pickup/states'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { unseal } from '../../kernel/seal'
import { refuseUnseen } from './batch.commands'
import { batchInSight } from './batch.reads'
import { insertRelease } from './release.store'
import { aboutCode } from './secret'

type Verb = 'cancel' | 'logOut' | 'useUp'
type Held = {
  id: number
  merchantId: number
  batchId: number
  serial: number
  tail: string
  state: PickupCodeState
  digest: Buffer
  sealed: Buffer
  expiresAt: Date
}

/** A person ends a code. One that a machine has in hand is not taken out of it. */
export const end =
  (verb: Verb) =>
  async (ctx: CommandContext, { id, reason }: InputOf<typeof cancelPickupCode>): Promise<{ id: number }> => {
    const code = await load(ctx, id)
    await refuseUnseen(ctx, code.batchId, ctx.now())
    if (pickupCodeState.is(code.state, 'in_use')) refuse('pickupCode.inHand')
    if (!pickupCodeState.can(code.state, verb)) refuse('pickupCode.state')
    const state = pickupCodeState.to(verb)
    await sql`update pickup_code set state = ${state}, ended_at = ${ctx.now()}, ended_by = ${ctx.actor.userId},
      reason = ${reason} where id = ${id}`.execute(ctx.tx)
    await ctx.audit({
      merchantId: code.merchantId,
      objectKind: 'pickupCode',
      objectId: id,
      before: { state: code.state, tail: code.tail },
      after: { state, reason },
    })
    return { id }
  }

/** The code in clear, for one person and one reason. Of one that is over, its last characters say enough. */
export async function reveal(
  ctx: CommandContext,
  { id, reason }: InputOf<typeof revealPickupCode>,
): Promise<OutputOf<typeof revealPickupCode>> {
  const { batchId, serial, merchantId, tail, state, digest, sealed, expiresAt } = await load(ctx, id)
  await refuseUnseen(ctx, batchId, expiresAt)
  if (!pickupCodeState.is(state, 'living')) refuse('pickupCode.state')
  const now = ctx.now()
  await insertRelease(ctx.tx, {
    batchId,
    userId: ctx.actor.userId,
    use: 'reveal',
    fromSerial: serial,
    toSerial: serial,
    releasedAt: now,
    endsAt: now,
  })
  await ctx.audit({ merchantId, objectKind: 'pickupCode', objectId: id, before: null, after: { tail, reason } })
  return { code: unseal(ctx.services.keys, aboutCode(digest), sealed) }
}

async function load(ctx: CommandContext, id: number): Promise<Held> {
  const found = await sql<Held>`
    select c.id, c.merchant_id as "merchantId", c.batch_id as "batchId", c.serial, c.tail, c.state, c.digest, c.sealed,
      c.expires_at as "expiresAt"
    from pickup_code c join pickup_batch b on b.id = c.batch_id
    where c.id = ${id} and ${batchInSight(sightOf(ctx.actor))}
    for update of c`.execute(ctx.tx)
  return existing(found.rows[0])
}
