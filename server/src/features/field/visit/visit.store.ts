import { type Step, type StepAnswer, visitState } from '@aisle/contract/field/visit'
import { type BatchFacts, batchState } from '@aisle/contract/medicine/batchState'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { CommandContext } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../../kernel/scope'
import { stateful } from '../../../kernel/states'
import type { Heard, Told } from './visit.rules'

export const visits = stateful('visit', 'state', visitState, { versioned: false })

export type HeldStop = {
  orderId: number
  merchantId: number
  machineId: number
  machineCode: string
  startedAt: Date
  /** Where the merchant is. */
  timeZone: string
}

/** Locked: phones that tell of one visit come one after the other. @throws Refusal for one out of sight */
export async function holdStop(ctx: CommandContext, orderId: number, machineId: number): Promise<HeldStop> {
  const sight = sightOf(ctx.actor)
  const order = await sql<{ startedAt: Date | null }>`select o.started_at as "startedAt" from replenishment_order o
    where o.id = ${orderId} and ${merchantInSight(sight, sql`o.merchant_id`)}`.execute(ctx.tx)
  const { startedAt } = existing(order.rows[0])
  if (startedAt === null) return refuse('visit.notBegun')
  const found = await sql<Omit<HeldStop, 'startedAt'>>`
    select o.id as "orderId", o.merchant_id as "merchantId", m.id as "machineId", m.code as "machineCode",
      c.time_zone as "timeZone"
    from replenishment_stop t join replenishment_order o on o.id = t.order_id join machine m on m.id = t.machine_id
    join merchant c on c.id = o.merchant_id
    where t.order_id = ${orderId} and t.machine_id = ${machineId} and ${machineInSight(sight, sql`m.id`)}
    for update of t`.execute(ctx.tx)
  return { ...(found.rows[0] ?? refuse('visit.machine')), startedAt }
}

export type VisitRow = {
  id: number
  state: (typeof visitState.states)[number]
  openedAt: Date
  countId: number | null
}

export async function findVisit(ctx: CommandContext, { orderId, machineId }: HeldStop): Promise<VisitRow | undefined> {
  const found = await sql<VisitRow>`select id, state, opened_at as "openedAt", count_id as "countId" from visit
    where order_id = ${orderId} and machine_id = ${machineId}`.execute(ctx.tx)
  return found.rows[0]
}

export async function addVisit(ctx: CommandContext, stop: HeldStop, openedAt: Date): Promise<VisitRow> {
  const { merchantId, orderId, machineId } = stop
  const made = await sql<VisitRow>`insert into visit (merchant_id, order_id, machine_id, opened_at)
    values (${merchantId}, ${orderId}, ${machineId}, ${openedAt})
    returning id, state, opened_at as "openedAt", count_id as "countId"`.execute(ctx.tx)
  return existing(made.rows[0])
}

export const noteCount = (ctx: CommandContext, { id, countId }: VisitRow) =>
  sql`update visit set count_id = ${countId} where id = ${id}`.execute(ctx.tx)

type Known = Pick<StepAnswer, 'id' | 'reason' | 'differs'> & {
  answer: 'applied' | 'needsReview' | 'refused'
  visitId: number
}

/** What is known of these steps, and how far this phone has come. */
export async function heardOf(
  ctx: CommandContext,
  visitId: number | null,
  { phone, steps }: { phone: string; steps: readonly Step[] },
): Promise<Heard & { lastAt: Date | null }> {
  const ids = steps.map(({ id }) => ({ id }))
  const found = await sql<Known>`select v.uuid::text as id, v.visit_id as "visitId", v.answer, v.reason, v.differs
    from ${rows('w', ids, { id: 'uuid' })} join visit_step v on v.uuid = w.id`.execute(ctx.tx)
  const last = await sql<{ seq: number; at: Date }>`select seq, at from visit_step
    where visit_id = ${visitId} and phone = ${phone}::uuid order by seq desc limit 1`.execute(ctx.tx)
  const own = found.rows.filter((step) => step.visitId === visitId)
  return {
    steps: new Map(own.map(({ id, answer, reason, differs }) => [id, { answer, reason, differs }])),
    foreign: new Set(found.rows.filter((step) => step.visitId !== visitId).map(({ id }) => id)),
    lastSeq: last.rows[0]?.seq ?? 0,
    lastAt: last.rows[0]?.at ?? null,
  }
}

/** Goods and faults of which other phones have told in this visit, and which count. */
export async function toldByOthers(ctx: CommandContext, visitId: number, phone: string): Promise<Told[]> {
  const found = await sql<Told>`select v.kind, v.who, coalesce(v.said ->> 'slotCode', '') as "slotCode",
      coalesce(v.said ->> 'productCode', '') as "productCode", coalesce(v.said ->> 'batch', '') as batch,
      coalesce((v.said ->> 'pieces')::int, 0) as pieces
    from visit_step v left join visit_decision d on d.step_id = v.id
    where v.visit_id = ${visitId} and v.phone <> ${phone}::uuid and v.kind in ('takeOut', 'fill', 'fault')
      and (v.is_booked or d.verb = 'book') order by v.id`.execute(ctx.tx)
  return found.rows
}

export type NewStep = {
  uuid: string
  seq: number
  kind: Step['kind']
  said: Record<string, unknown>
  occurredAt: string
  at: Date
  answer: 'applied' | 'needsReview' | 'refused'
  reason: string | null
  differs: StepAnswer['differs']
  isBooked: boolean
}

export async function addSteps(ctx: CommandContext, visitId: number, phone: string, steps: readonly NewStep[]) {
  const given = steps.map(({ said, differs, ...step }) => ({
    ...step,
    said: JSON.stringify(said),
    differs: JSON.stringify(differs),
  }))
  await sql`insert into visit_step (visit_id, phone, user_id, who, heard_at, uuid, seq, kind, said, occurred_at, at,
      answer, reason, differs, is_booked)
    select ${visitId}, ${phone}::uuid, ${ctx.actor.userId}, ${ctx.actor.displayName}, ${ctx.now()}, w.*
    from ${rows('w', given, {
      uuid: 'uuid',
      seq: 'int',
      kind: 'text',
      said: 'jsonb',
      occurredAt: 'timestamptz',
      at: 'timestamptz',
      answer: 'text',
      reason: 'text',
      differs: 'jsonb',
      isBooked: 'boolean',
    })}`.execute(ctx.tx)
}

export type SlotFacts = {
  id: number
  code: string
  placeId: number
  wantedCode: string | null
  priceFen: number | null
}

/** Slots of the machine by their codes: what each should hold, by the plan that waits for a filler if there is one. */
export async function slotsOf(ctx: CommandContext, machineId: number): Promise<Map<string, SlotFacts>> {
  const found = await sql<SlotFacts>`select s.id, s.code, s.place_id as "placeId", p.code as "wantedCode",
      case when s.next_product_id is null then s.price_fen else s.next_price_fen end as "priceFen"
    from slot s left join product p on p.id = coalesce(s.next_product_id, s.product_id)
    where s.machine_id = ${machineId}`.execute(ctx.tx)
  return new Map(found.rows.map((slot) => [slot.code, slot]))
}

type Goods = { placeId: number; productId: number; batch: string }
export const goodsKey = ({ placeId, productId, batch }: Goods) => `${placeId}/${productId}/${batch}`
export type GoodsFacts = {
  isMedicine: boolean
  /** Null where nobody knows the batch. */
  facts: BatchFacts | null
  there: number
  others: { who: string; pieces: number } | null
}

/** What the books have of goods in slots, and what others put there since the tour began. */
export async function goodsFacts(
  ctx: CommandContext,
  { startedAt }: HeldStop,
  { userId }: { userId: number },
  goods: readonly Goods[],
): Promise<Map<string, GoodsFacts>> {
  const found = await sql<
    Goods & {
      isMedicine: boolean
      state: (typeof batchState.states)[number] | null
      expiresOn: string | null
      there: number
      otherWho: string | null
      otherPieces: number | null
    }
  >`
    select w.place_id as "placeId", w.product_id as "productId", w.batch, p.kind = 'medicine' as "isMedicine",
      b.state, to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", coalesce(l.quantity, 0) as there,
      o.who as "otherWho", o.pieces as "otherPieces"
    from (select distinct place_id, product_id, batch from ${rows('g', goods, {
      placeId: 'bigint',
      productId: 'bigint',
      batch: 'text',
    })}) w join product p on p.id = w.product_id
    left join medicine_batch b on b.product_id = p.id and b.number = w.batch
    left join stock_level l on l.place_id = w.place_id and l.product_id = w.product_id
    left join lateral (
      select max(coalesce(u.display_name, v.replenisher)) as who, sum(v.quantity)::int as pieces
      from stock_move v left join app_user u on u.id = v.user_id
      where v.to_place_id = w.place_id and v.product_id = w.product_id and v.cause = 'fill'
        and v.moved_at >= ${startedAt} and coalesce(v.user_id, 0) <> ${userId}
        and coalesce(u.account, v.replenisher) not in (
          select unnest(array[own.account, own.display_name]) from app_user own where own.id = ${userId})
      having sum(v.quantity) > 0) o on true`.execute(ctx.tx)
  return new Map(
    found.rows.map(({ isMedicine, state, expiresOn, there, otherWho, otherPieces, ...of }) => [
      goodsKey(of),
      {
        isMedicine,
        facts: state === null ? null : { state, expiresOn },
        there,
        others: otherPieces === null ? null : { who: otherWho ?? '', pieces: otherPieces },
      },
    ]),
  )
}

export type HeldStep = {
  id: number
  uuid: string
  visitId: number
  orderId: number
  machineId: number
  phone: string
  seq: number
  kind: Step['kind']
  said: Record<string, unknown>
  at: Date
  occurredAt: Date
  answer: string
  isBooked: boolean
  userId: number
  account: string
  isDecided: boolean
}

export async function findStep(ctx: CommandContext, id: number): Promise<HeldStep> {
  const found = await sql<HeldStep>`
    select v.id, v.uuid::text as uuid, v.visit_id as "visitId", t.order_id as "orderId", t.machine_id as "machineId",
      v.phone::text as phone, v.seq, v.kind, v.said, v.at, v.occurred_at as "occurredAt", v.answer,
      v.is_booked as "isBooked", u.id as "userId", u.account,
      exists (select from visit_decision d where d.step_id = v.id) as "isDecided"
    from visit_step v join visit t on t.id = v.visit_id join app_user u on u.id = v.user_id
    where v.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`t.merchant_id`)}`.execute(ctx.tx)
  return existing(found.rows[0])
}

export async function addDecision(ctx: CommandContext, id: number, { verb, note }: { verb: string; note: string }) {
  await sql`insert into visit_decision (step_id, verb, user_id, decider, decided_at, note)
    values (${id}, ${verb}, ${ctx.actor.userId}, ${ctx.actor.displayName}, ${ctx.now()}, ${note})`.execute(ctx.tx)
}
