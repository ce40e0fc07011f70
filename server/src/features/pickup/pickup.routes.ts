import * as batches from '@aisle/contract/pickup/batch'
import * as codes from '@aisle/contract/pickup/pickupCode'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import * as batchCommands from './batch.commands'
import * as batchReads from './batch.reads'
import * as codeCommands from './code.commands'
import * as codeReads from './code.reads'
import { release } from './release.commands'
import * as released from './release.store'

export const routes: Route[] = [
  ...listOf(codes.listPickupCodes, (ctx, input) => codeReads.listPickupCodesIn(sightOf(ctx.actor), input)),
  query(codes.summarisePickupCodes, (ctx) => codeReads.summary(ctx.db, sightOf(ctx.actor), ctx.now())),
  ...listOf(batches.listReleased, (ctx, input) => {
    const { keys } = ctx.services
    const reading = { keys, sight: sightOf(ctx.actor), userId: ctx.actor.userId, now: ctx.now() }
    return released.listReleasedIn(reading, input)
  }),
  query(codes.getPickupCode, async (ctx, { id }) => {
    return existing(await codeReads.findPickupCodeDetail(ctx.db, sightOf(ctx.actor), id))
  }),
  command(codes.cancelPickupCode, codeCommands.end('cancel')),
  command(codes.logOutPickupCode, codeCommands.end('logOut')),
  command(codes.markPickupCodeUsed, codeCommands.end('useUp')),
  command(codes.revealPickupCode, codeCommands.reveal, 'nothing'),
  ...listOf(batches.listContentProducts, (ctx, input) => batchReads.products(sightOf(ctx.actor), input)),
  ...listOf(batches.listBatches, (ctx, input) => batchReads.listBatchesIn(sightOf(ctx.actor), input, ctx.now())),
  query(batches.previewBatch, batchCommands.preview),
  query(batches.getBatch, async (ctx, { id }) => {
    return existing(await batchReads.findPickupBatchDetail(ctx.db, sightOf(ctx.actor), id, ctx.now()))
  }),
  command(batches.addBatch, batchCommands.add),
  command(batches.cancelBatch, batchCommands.cancel),
  command(batches.extendBatch, batchCommands.extend),
  command(batches.releaseCodes, release),
]
