import {
  type addBooking,
  bookingState,
  type BookingState,
  type pauseBooking,
  type previewBooking,
} from '@aisle/contract/advert/booking'
import { creativeState, type CreativeState } from '@aisle/contract/advert/creative'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext, QueryContext, Reader } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { only } from '../../kernel/must'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { stateful } from '../../kernel/states'
import { type Held as Creative, refuseUnlawful } from './creative.store'
import { TELL } from './job.names'
import { ids, placesOf, refuseStrange } from './target.reads'

const audited = auditAs('advertBooking')

/** @throws Refusal booking.state */
const bookings = stateful('advertBooking', 'state', bookingState, {
  versioned: false,
  refuse: ({ id }) => refuse('booking.state', { id }),
})

export async function preview(
  ctx: QueryContext,
  { creativeIds, ...targets }: InputOf<typeof previewBooking>,
): Promise<OutputOf<typeof previewBooking>> {
  const sight = sightOf(ctx.actor)
  const chosen = await findCreatives(ctx.db, sight, creativeIds)
  const waiting = chosen.filter(({ state }) => !creativeState.is(state, creativeState.to('approve')))
  const places = await placesOf(ctx.db, sight, ctx.actor.merchantId, targets)
  return { ...places, unreviewed: waiting.map(({ name }) => name) }
}

type Chosen = Pick<Creative, 'name' | 'advertised' | 'approvalNo'> & { state: CreativeState }

async function findCreatives(db: Reader, sight: Sight, creativeIds: readonly number[]): Promise<Chosen[]> {
  const found = await sql<Chosen>`select name, state, advertised, approval_no as "approvalNo" from creative
    where id = any(${ids(creativeIds)}) and ${merchantInSight(sight, sql`merchant_id`)} order by name`.execute(db)
  return found.rows
}

export async function add(ctx: CommandContext, input: InputOf<typeof addBooking>) {
  const sight = sightOf(ctx.actor)
  const { userId, merchantId } = ctx.actor
  await refuseUnplayable(ctx, sight, input.creativeIds)
  await refuseStrange(ctx, sight, input)
  const { machines, namedSchools } = await placesOf(ctx.tx, sight, merchantId, input)
  if (namedSchools.length > 0) refuse('booking.school', { names: namedSchools.join(', ') })
  if (machines === 0) refuse('booking.nowhere')
  const made = await refusedBy(
    'advert_booking_name',
    sql<{ id: number }>`insert into advert_booking (merchant_id, name, advertiser, contract_no, creative_ids,
        machine_ids, group_ids, point_ids, merchant_ids, starts_on, ends_on, from_hour, to_hour, plays_per_hour,
        priority, price_kind, price_fen, created_by, created_at)
      values (${merchantId}, ${input.name}, ${input.advertiser}, ${input.contractNo}, ${ids(input.creativeIds)},
        ${ids(input.machineIds)}, ${ids(input.groupIds)}, ${ids(input.pointIds)}, ${ids(input.merchantIds)},
        ${input.startsOn}, ${input.endsOn}, ${input.fromHour}, ${input.toHour}, ${input.playsPerHour},
        ${input.priority}, ${input.priceKind}, ${input.priceFen}, ${userId}, ${ctx.now()}) returning id`.execute(
      ctx.tx,
    ),
    () => refusal('booking.nameTaken', { name: input.name }),
  )
  const { id } = only(made)
  await audited(ctx, { id, merchantId }, null, input)
  await addJob(ctx.tx, TELL)
  return { id, state: bookingState.initial }
}

/** What the law forbids can't be booked, whenever it was made; what waits for its review can, and plays after it. */
async function refuseUnplayable(ctx: CommandContext, sight: Sight, creativeIds: readonly number[]): Promise<void> {
  const chosen = await findCreatives(ctx.tx, sight, creativeIds)
  const isBookable = chosen.every(({ state }) => creativeState.is(state, 'bookable'))
  if (chosen.length < creativeIds.length || !isBookable) refuse('booking.creatives')
  for (const creative of chosen) refuseUnlawful(creative)
}

type Id = InputOf<typeof pauseBooking>
type Held = { id: number; merchantId: number; name: string; state: BookingState }

export const pause = (ctx: CommandContext, { id }: Id) => moved(ctx, id, 'pause')
export const resume = (ctx: CommandContext, { id }: Id) => moved(ctx, id, 'resume')
export const end = (ctx: CommandContext, { id }: Id) => moved(ctx, id, 'end')

async function moved(ctx: CommandContext, id: number, verb: keyof typeof bookingState.moves) {
  const found = await sql<Held>`select id, merchant_id as "merchantId", name, state from advert_booking
    where id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`merchant_id`)} for update`.execute(ctx.tx)
  const held = existing(found.rows[0])
  const state = await bookings.move(ctx.tx, held, verb, verb === 'end' ? { endedAt: ctx.now() } : {})
  await audited(ctx, held, { state: held.state }, { name: held.name, state })
  await addJob(ctx.tx, TELL)
  return { id, state }
}
