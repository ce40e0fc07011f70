import type { releaseCodes } from '@aisle/contract/pickup/batch'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { CommandContext } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { refuseUnseen } from './batch.commands'
import { lockBatch } from './batch.store'
import { countGivable, insertRelease } from './release.store'

/** As long as a file may wait for its turn. */
const OPEN_MS = 86_400_000

/** Opens codes in clear for the caller: who had which of them, for what and when, stands in the log before they do. */
export async function release(
  ctx: CommandContext,
  { id, use, fromSerial, toSerial }: InputOf<typeof releaseCodes>,
): Promise<OutputOf<typeof releaseCodes>> {
  const now = ctx.now()
  const batch = existing(await lockBatch(ctx.tx, sightOf(ctx.actor), id))
  await refuseUnseen(ctx, id, batch.expiresAt)
  const range = { batchId: id, fromSerial, toSerial }
  const count = batch.isCancelled ? 0 : await countGivable(ctx.tx, range)
  if (count === 0) refuse('pickupCode.nothingLeft')
  const releaseId = await insertRelease(ctx.tx, {
    ...range,
    use,
    userId: ctx.actor.userId,
    releasedAt: now,
    endsAt: new Date(now.getTime() + OPEN_MS),
  })
  await ctx.audit({
    merchantId: batch.merchantId,
    objectKind: 'pickupBatch',
    objectId: id,
    before: null,
    after: { use, fromSerial, toSerial, count },
  })
  return { releaseId, count }
}
