import type { cancelCoupon, releaseCoupons, revealCoupon, VoucherKind } from '@aisle/contract/promotion/voucher'
import { voucherState } from '@aisle/contract/promotion/voucher'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import type { CommandContext, Tx } from '../../../kernel/context'
import { addJob } from '../../../kernel/jobs'
import { only } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { unseal } from '../../../kernel/seal'
import { stateful, statesFrom, stateTo } from '../../../kernel/states'
import { makingState } from './make.store'
import { aboutVoucher } from './secret'

type Ended = InputOf<typeof cancelCoupon>

const vouchers = stateful('voucher', 'state', voucherState, {
  versioned: false,
  refuse: (row: { id: number }) => refuse('voucher.state', { id: row.id }),
})
/** The job that ends the vouchers of a cancelled batch. */
export const END_JOB = 'promotion.endVouchers'
/** As long as a file may wait for its turn. */
const OPEN_MS = 86_400_000

type Held = {
  id: number
  merchantId: number
  batchId: number
  tail: string
  serial: number
  state: (typeof voucherState.states)[number]
  digest: Buffer
  sealed: Buffer
}

async function hold(ctx: CommandContext, id: number, kind: VoucherKind): Promise<Held> {
  const found = await sql<Held>`
    select w.id, w.merchant_id as "merchantId", w.batch_id as "batchId", w.tail, w.serial, w.state, w.digest, w.sealed
    from voucher w where w.id = ${id} and w.kind = ${kind}
      and ${merchantInSight(sightOf(ctx.actor), sql`w.merchant_id`)} for update of w`.execute(ctx.tx)
  return existing(found.rows[0])
}

/** Who looks at vouchers, or at the plans they are counted by, reads them again. */
export const announceVouchers = (tx: Tx, merchantId: number): Promise<void> =>
  announce(tx, { topic: 'changes', kinds: ['voucher', 'couponPlan', 'codePlan'], merchantIds: [merchantId], above: [] })

/** One that an order has in hand is not taken out of it. */
export const cancelOf =
  (kind: VoucherKind) =>
  async (ctx: CommandContext, { id, reason }: Ended): Promise<{ id: number }> => {
    const held = await hold(ctx, id, kind)
    if (voucherState.is(held.state, 'held')) refuse('voucher.inHand')
    const change = { endedAt: ctx.now(), endedBy: ctx.actor.userId, endReason: reason }
    const state = await vouchers.move(ctx.tx, held, 'cancel', change)
    const { merchantId, tail } = held
    const facts = { before: { state: held.state, tail }, after: { state, reason } }
    await ctx.audit({ merchantId, objectKind: 'voucher', objectId: id, ...facts })
    await announceVouchers(ctx.tx, merchantId)
    return { id }
  }

/** In clear, for one person and one reason; of one that is over, its last characters say enough. */
export const revealOf =
  (kind: VoucherKind) =>
  async (ctx: CommandContext, { id, reason }: InputOf<typeof revealCoupon>): Promise<{ code: string }> => {
    const { state, batchId, serial, digest, sealed, merchantId, tail } = await hold(ctx, id, kind)
    if (!voucherState.is(state, 'unused')) refuse('voucher.state', { id })
    await insertRelease(ctx, { batchId, from: serial, to: serial, forMs: 0 })
    await ctx.audit({ merchantId, objectKind: 'voucher', objectId: id, before: null, after: { tail, reason } })
    return { code: unseal(ctx.services.keys, aboutVoucher(digest), sealed) }
  }

type Batch = { id: number; merchantId: number; isMaking: boolean; isCancelled: boolean }

async function holdBatch(ctx: CommandContext, id: number, kind: VoucherKind): Promise<Batch> {
  const found = await sql<Batch>`
    select b.id, b.merchant_id as "merchantId", b.state = 'making' as "isMaking",
      b.cancelled_at is not null as "isCancelled"
    from voucher_batch b join promotion_plan p on p.id = b.plan_id and p.voucher_kind = ${kind}
    where b.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`b.merchant_id`)} for update of b`.execute(ctx.tx)
  return existing(found.rows[0])
}

/** Nobody gets anything by it from now on; a job ends what nobody has in hand, and what is let go later ends then. */
export const cancelBatchOf =
  (kind: VoucherKind) =>
  async (ctx: CommandContext, { id, reason }: Ended): Promise<{ id: number }> => {
    const batch = await holdBatch(ctx, id, kind)
    if (batch.isCancelled) refuse('voucher.cancelled')
    const end = { at: ctx.now(), by: ctx.actor.userId }
    await sql`update voucher_batch set cancelled_at = ${end.at}, cancelled_by = ${end.by}, cancel_reason = ${reason},
      state = case when state in ${statesFrom(makingState, 'stop')} then ${stateTo(makingState, 'stop')} else state end
      where id = ${id}`.execute(ctx.tx)
    const left = await sql<{ count: number }>`select count(*)::int as count from voucher
      where batch_id = ${id} and state in ${statesFrom(voucherState, 'cancel')}`.execute(ctx.tx)
    const { count } = only(left)
    await addJob(ctx.tx, END_JOB, { batchId: id })
    const { merchantId } = batch
    const facts = { before: { isCancelled: false }, after: { isCancelled: true, count, reason } }
    await ctx.audit({ merchantId, objectKind: 'voucherBatch', objectId: id, ...facts })
    await announceVouchers(ctx.tx, merchantId)
    return { id }
  }

/** Who had which of them, for a file and when, stands in the log before they are read. */
export const releaseOf =
  (kind: VoucherKind) =>
  async (
    ctx: CommandContext,
    { id, fromSerial, toSerial }: InputOf<typeof releaseCoupons>,
  ): Promise<OutputOf<typeof releaseCoupons>> => {
    const { merchantId, isCancelled } = await holdBatch(ctx, id, kind)
    const found = await sql<{ count: number }>`select count(*)::int as count from voucher
      where batch_id = ${id} and serial between ${fromSerial} and ${toSerial} and state = 'unused'`.execute(ctx.tx)
    const { count } = only(found)
    if (count === 0 || isCancelled) refuse('voucher.nothingLeft')
    const releaseId = await insertRelease(ctx, { batchId: id, from: fromSerial, to: toSerial, forMs: OPEN_MS })
    const after = { fromSerial, toSerial, count }
    await ctx.audit({ merchantId, objectKind: 'voucherBatch', objectId: id, before: null, after })
    return { releaseId, count }
  }

type Release = { batchId: number; from: number; to: number; forMs: number }

async function insertRelease(ctx: CommandContext, { batchId, from, to, forMs }: Release): Promise<number> {
  const now = ctx.now()
  const made = await sql<{ id: number }>`
    insert into voucher_release (batch_id, user_id, from_serial, to_serial, released_at, ends_at)
    values (${batchId}, ${ctx.actor.userId}, ${from}, ${to}, ${now}, ${new Date(now.getTime() + forMs)})
    returning id`.execute(ctx.tx)
  return only(made).id
}
