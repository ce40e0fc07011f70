import {
  type addBatch,
  type cancelBatch,
  contentOf,
  type extendBatch,
  type previewBatch,
  type WantedBatch,
} from '@aisle/contract/pickup/batch'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import {
  countPlaces,
  exceeds,
  expiryOf,
  findLimit,
  findProducts,
  findReach,
  findScope,
  insertBatch,
  insertContent,
  lockBatch,
  type Product,
} from './batch.store'
import { monthsLater } from './code.rules'
import { cancelWhole, extendWhole } from './follow.store'
import { FOLLOW_JOB, MAKE_JOB } from './job.names'
import { makeCodes } from './make.store'

type Changed = { id: number }

/** So many are there at once; more are made by a job, and the page shows how far it is. */
const MOST_AT_ONCE = 200
/** Longer is a mistake of the keyboard. */
const MOST_YEARS = 5

/** A batch as it would be made: its goods piece by piece, and when it ends. @throws Refusal for what can't be */
async function plan(ctx: QueryContext, wanted: WantedBatch, now: Date) {
  const sight = sightOf(ctx.actor)
  await refuseUnseenMerchant(ctx.db, sight, wanted.merchantId)
  const named = [...wanted.machineIds, ...wanted.pointIds, ...wanted.groupIds]
  if ((await countPlaces(ctx.db, sight, wanted)) < new Set(named).size) refuse('pickupCode.unknownPlace')
  const goods = await goodsOf(ctx, wanted)
  const day = wanted.expiresOn ?? monthsLater(businessTime(now, PLATFORM_TIME_ZONE).day)
  const expiresAt = await endOfDay(ctx, day, now)
  if (await exceeds(ctx.db, sight, wanted, expiresAt)) refuse('pickupCode.beyond')
  return { goods, expiresAt }
}

async function goodsOf(ctx: QueryContext, { merchantId, content }: WantedBatch): Promise<Product[]> {
  const codes = contentOf(content)
  const known = await findProducts(ctx.db, merchantId, codes)
  return codes.map((code) => {
    const product = known.get(code) ?? refuse('pickupCode.unknownProduct', { code })
    return product.isOnline ? product : refuse('pickupCode.offSale', { name: product.name })
  })
}

async function endOfDay(ctx: QueryContext, day: string, now: Date): Promise<Date> {
  const { at, isAhead, isWithin } = await expiryOf(ctx.db, day, now, MOST_YEARS)
  return isAhead && isWithin ? at : refuse('pickupCode.badExpiry', { years: MOST_YEARS })
}

export async function preview(
  ctx: QueryContext,
  wanted: InputOf<typeof previewBatch>,
): Promise<OutputOf<typeof previewBatch>> {
  const now = ctx.now()
  const { goods, expiresAt } = await plan(ctx, wanted, now)
  const reach = await findReach(
    ctx.db,
    wanted,
    goods.map(({ id }) => id),
    now,
  )
  const { limit, inForce } = await findLimit(ctx.db, wanted.merchantId, now)
  const each = goods.reduce((sum, { priceFen }) => sum + priceFen, 0)
  return {
    goods: [...new Set(goods)].map((product) => ({
      code: product.code,
      name: product.name,
      isPrescription: product.isPrescription,
      quantity: goods.filter((one) => one === product).length,
      machines: reach.byProduct.find(({ productId }) => productId === product.id)?.machines ?? 0,
    })),
    count: wanted.count,
    pieces: goods.length * wanted.pickupsAllowed,
    expiresAt: expiresAt.toISOString(),
    machines: reach.machines,
    complete: reach.complete,
    blocked: reach.blocked,
    limit,
    inForce,
    isOverLimit: limit !== null && inForce + wanted.count > limit,
    valueFen: each * wanted.pickupsAllowed * wanted.count,
  }
}

/** @throws Refusal `pickupCode.overLimit`, however many make codes at once: the database counts */
export async function add(ctx: CommandContext, wanted: InputOf<typeof addBatch>): Promise<Changed> {
  const now = ctx.now()
  const { goods, expiresAt } = await plan(ctx, wanted, now)
  const { limit, inForce } = await findLimit(ctx.tx, wanted.merchantId, now)
  const id = await refusedBy(
    'pickup_code_limit',
    insertBatch(ctx.tx, { ...wanted, expiresAt, createdBy: ctx.actor.userId, createdAt: now }),
    () => refusal('pickupCode.overLimit', { limit: limit ?? 0, inForce, count: wanted.count }),
  )
  await insertContent(ctx.tx, id, { ...wanted, productIds: goods.map((product) => product.id) })
  if (wanted.count <= MOST_AT_ONCE) await makeCodes(ctx.tx, ctx.services.keys, id, now)
  if (wanted.count > MOST_AT_ONCE) await addJob(ctx.tx, MAKE_JOB, { batchId: id })
  const { merchantId, description, content, count, pickupsAllowed, scope } = wanted
  await ctx.audit({
    merchantId,
    objectKind: 'pickupBatch',
    objectId: id,
    before: null,
    after: { description, content, count, pickupsAllowed, scope, expiresAt: expiresAt.toISOString() },
  })
  return { id }
}

/** For what touches all machines where its codes are good until then. @throws Refusal pickupCode.unseen */
export async function refuseUnseen(ctx: CommandContext, batchId: number, until: Date): Promise<void> {
  const scope = await findScope(ctx.tx, batchId)
  if (!scope || (await exceeds(ctx.tx, sightOf(ctx.actor), scope, until))) refuse('pickupCode.unseen')
}

/** From here on nothing of it can be had; its codes are told one portion after the other. */
export async function cancel(ctx: CommandContext, { id, reason }: InputOf<typeof cancelBatch>): Promise<Changed> {
  const batch = existing(await lockBatch(ctx.tx, sightOf(ctx.actor), id))
  await refuseUnseen(ctx, id, ctx.now())
  if (batch.isCancelled) refuse('pickupCode.cancelled')
  if (!batch.isLiving && !batch.isMaking) refuse('pickupCode.nothingLeft')
  await cancelWhole(ctx.tx, id, { reason, userId: ctx.actor.userId, at: ctx.now() })
  await addJob(ctx.tx, FOLLOW_JOB, { batchId: id })
  await ctx.audit({
    merchantId: batch.merchantId,
    objectKind: 'pickupBatch',
    objectId: id,
    before: { isCancelled: false, made: batch.made },
    after: { isCancelled: true, reason },
  })
  return { id }
}

/** What is over stays over: codes in force are good for longer. */
export async function extend(ctx: CommandContext, { id, expiresOn }: InputOf<typeof extendBatch>): Promise<Changed> {
  const now = ctx.now()
  const batch = existing(await lockBatch(ctx.tx, sightOf(ctx.actor), id))
  if (batch.isCancelled) refuse('pickupCode.cancelled')
  if ((!batch.isLiving && !batch.isMaking) || batch.expiresAt <= now) refuse('pickupCode.nothingLeft')
  const expiresAt = await endOfDay(ctx, expiresOn, now)
  if (expiresAt <= batch.expiresAt) refuse('pickupCode.badExpiry', { years: MOST_YEARS })
  const scope = await findScope(ctx.tx, id)
  if (!scope || (await exceeds(ctx.tx, sightOf(ctx.actor), scope, expiresAt))) refuse('pickupCode.beyond')
  await extendWhole(ctx.tx, id, expiresAt)
  await addJob(ctx.tx, FOLLOW_JOB, { batchId: id })
  await ctx.audit({
    merchantId: batch.merchantId,
    objectKind: 'pickupBatch',
    objectId: id,
    before: { expiresAt: batch.expiresAt.toISOString() },
    after: { expiresAt: expiresAt.toISOString() },
  })
  return { id }
}
