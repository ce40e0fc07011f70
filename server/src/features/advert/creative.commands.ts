import type { addCreative, approveCreative, turnDownCreative, withdrawCreative } from '@aisle/contract/advert/creative'
import { creativeState } from '@aisle/contract/advert/creative'
import { needsWarning } from '@aisle/contract/advert/law'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { refusedBy } from '../../kernel/constraint'
import { addJob } from '../../kernel/jobs'
import { only } from '../../kernel/must'
import { refusal, refuse } from '../../kernel/refuse'
import { creatives, type Held, hold, refuseUnlawful } from './creative.store'
import { TELL } from './job.names'
import { keepMedia } from './media.file'
import { holdUpload } from './upload.commands'

const audited = auditAs('creative')

export async function add(
  ctx: CommandContext,
  { uploadId, ...said }: InputOf<typeof addCreative>,
): Promise<OutputOf<typeof addCreative>> {
  refuseUnlawful(said)
  const { userId, merchantId } = ctx.actor
  const upload = await holdUpload(ctx.tx, uploadId, userId)
  if (upload.received < upload.bytes) refuse('upload.incomplete')
  const { seconds, ...file } = await keepMedia(ctx, upload)
  const made = await refusedBy(
    'creative_name',
    sql<{ id: number }>`insert into creative (merchant_id, name, media, sha256, bytes, seconds, width, height, preview,
        advertised, approval_no, created_by, created_at)
      values (${merchantId}, ${said.name}, ${file.media}, ${file.sha256}, ${file.bytes}, ${seconds ?? said.seconds},
        ${file.width}, ${file.height}, ${file.preview}, ${said.advertised}, ${said.approvalNo}, ${userId},
        ${ctx.now()}) returning id`.execute(ctx.tx),
    () => refusal('creative.nameTaken', { name: said.name }),
  )
  const { id } = only(made)
  await sql`delete from advert_upload where id = ${uploadId}`.execute(ctx.tx)
  await audited(ctx, { id, merchantId }, null, { ...said, media: file.media, sha256: file.sha256, bytes: file.bytes })
  return { id, state: creativeState.initial }
}

export async function approve(ctx: CommandContext, { id, showsWarning }: InputOf<typeof approveCreative>) {
  const held = await hold(ctx, id, 'approve')
  refuseOwnWork(ctx, held)
  refuseUnlawful(held)
  if (needsWarning(held.advertised) && !showsWarning) refuse('creative.warningUnseen')
  return moved(ctx, held, 'approve', { ...review(ctx), showsWarning }, { showsWarning })
}

export async function turnDown(ctx: CommandContext, { id, reason }: InputOf<typeof turnDownCreative>) {
  const held = await hold(ctx, id, 'turnDown')
  refuseOwnWork(ctx, held)
  return moved(ctx, held, 'turnDown', { ...review(ctx), turnedDownFor: reason }, { reason })
}

export async function withdraw(ctx: CommandContext, { id }: InputOf<typeof withdrawCreative>) {
  return moved(ctx, await hold(ctx, id, 'withdraw'), 'withdraw', {}, {})
}

/** What one person made another one looks at. */
function refuseOwnWork(ctx: CommandContext, { createdBy }: Held): void {
  if (createdBy === ctx.actor.userId) refuse('creative.ownWork')
}

const review = (ctx: CommandContext) => ({ reviewedBy: ctx.actor.userId, reviewedAt: ctx.now() })

async function moved(
  ctx: CommandContext,
  held: Held,
  verb: keyof typeof creativeState.moves,
  change: Parameters<typeof creatives.move>[3],
  facts: Record<string, unknown>,
) {
  const state = await creatives.move(ctx.tx, held, verb, change)
  await audited(ctx, held, { state: held.state }, { name: held.name, state, ...facts })
  await addJob(ctx.tx, TELL)
  return { id: held.id, state }
}
