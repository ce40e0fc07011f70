import { recommendationState } from '@aisle/contract/advice/recommendation'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Reader, Services, Tx } from '../../../kernel/context'
import type { Job } from '../../../kernel/jobs'
import { stateTo } from '../../../kernel/states'
import { findMachines, pricesFor } from './facts.reads'
import { type Advice, adviseMachine, FACT_DAYS, groupFor, groupsOf } from './recommend.rules'

/** What was turned down is not said again for so long; where something was changed, its slot has so long to show. */
const TURNED_DOWN_DAYS = 90
const SETTLING_DAYS = 60

/** Each night, twenty past one in China. Run twice it finds and measures the same again. */
export const jobs: Job[] = [{ name: 'advice.recommendProducts', cron: '20 17 * * *', run: recommendProducts }]

export async function recommendProducts({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const advice = await findAdvice(db, now)
  await db.transaction().execute(async (tx) => {
    await keep(tx, advice, now)
    await measure(tx, now)
  })
}

type Decided = { machineId: number; slotId: number; incomingId: number | null; outgoingId: number | null } & {
  isIgnored: boolean
}

export async function findAdvice(db: Reader, now: Date): Promise<Advice[]> {
  const machines = await findMachines(db, now)
  const decided = await findDecided(db, now)
  const turnedDown = new Set(
    decided.flatMap(({ isIgnored, machineId, incomingId }) => (isIgnored ? [`${machineId}/${incomingId ?? ''}`] : [])),
  )
  const left = new Set(
    decided.flatMap(({ isIgnored, slotId, incomingId }) => (!isIgnored || incomingId === null ? [slotId] : [])),
  )
  const priceFor = await pricesFor(db, machines, turnedDown)
  const groups = groupsOf(machines)
  return machines.flatMap((machine) => {
    const held = machine.held.map((each) => ({
      ...each,
      slotId: each.slotId !== null && left.has(each.slotId) ? null : each.slotId,
    }))
    const emptySlots = machine.emptySlots.filter((slotId) => !left.has(slotId))
    return adviseMachine({ ...machine, held, emptySlots }, groupFor(groups, machine), priceFor(machine))
  })
}

async function findDecided(db: Reader, now: Date): Promise<Decided[]> {
  const found = await sql<Decided>`select machine_id as "machineId", slot_id as "slotId", incoming_id as "incomingId",
      outgoing_id as "outgoingId", state = ${stateTo(recommendationState, 'ignore')} as "isIgnored"
    from recommendation where decided_at >= ${now}::timestamptz - make_interval(days =>
      case when state = ${stateTo(recommendationState, 'ignore')} then ${sql.lit(TURNED_DOWN_DAYS)}
        else ${sql.lit(SETTLING_DAYS)} end)`.execute(db)
  return found.rows
}

/** One that is open stays the same row; what holds no more goes, since nobody has said anything to it. */
async function keep(tx: Tx, advice: readonly Advice[], now: Date): Promise<void> {
  await sql`delete from recommendation r where r.state = ${sql.lit(recommendationState.initial)}
    and not exists (select from ${rows('w', advice, { slotId: 'bigint' })} where w.slot_id = r.slot_id)`.execute(tx)
  if (advice.length === 0) return
  const columns = {
    merchantId: 'bigint',
    machineId: 'bigint',
    slotId: 'bigint',
    kind: 'text',
    incomingId: 'bigint',
    outgoingId: 'bigint',
    priceFen: 'bigint',
    placeKind: 'text',
    level: 'smallint',
    machines: 'int',
    machinesWith: 'int',
    incomingFen: 'bigint',
    incomingPieces: 'real',
    outgoingFen: 'bigint',
    outgoingPieces: 'real',
    lossFen: 'bigint',
    emptyPermille: 'int',
    stoodSince: 'date',
    gainFen: 'bigint',
    lowFen: 'bigint',
    highFen: 'bigint',
  } as const
  await sql`insert into recommendation (merchant_id, machine_id, slot_id, kind, incoming_id, outgoing_id, price_fen,
      place_kind, level, machines, machines_with, incoming_fen, incoming_pieces, outgoing_fen, outgoing_pieces,
      loss_fen, empty_permille, stood_since, gain_fen, low_fen, high_fen, computed_at)
    select w.*, ${now}::timestamptz from ${rows('w', advice, columns)}
    on conflict (slot_id) where state = 'open' do update set merchant_id = excluded.merchant_id,
      machine_id = excluded.machine_id, kind = excluded.kind, incoming_id = excluded.incoming_id,
      outgoing_id = excluded.outgoing_id, price_fen = excluded.price_fen, place_kind = excluded.place_kind,
      level = excluded.level, machines = excluded.machines, machines_with = excluded.machines_with,
      incoming_fen = excluded.incoming_fen, incoming_pieces = excluded.incoming_pieces,
      outgoing_fen = excluded.outgoing_fen, outgoing_pieces = excluded.outgoing_pieces,
      loss_fen = excluded.loss_fen, empty_permille = excluded.empty_permille, stood_since = excluded.stood_since,
      gain_fen = excluded.gain_fen, low_fen = excluded.low_fen, high_fen = excluded.high_fen,
      computed_at = excluded.computed_at`.execute(tx)
}

/**
 * Of an accepted one: since which night the slot holds what was to come, and what both products earned in the machine
 * since and in four weeks before, to 30 days.
 */
async function measure(tx: Tx, now: Date): Promise<void> {
  await sql`update recommendation r set begun_on = (${now}::timestamptz at time zone a.time_zone)::date
    from slot s, machine a where s.id = r.slot_id and a.id = r.machine_id and s.machine_id = r.machine_id
      and s.product_id is not distinct from r.incoming_id
      and r.state = ${stateTo(recommendationState, 'accept')} and r.begun_on is null`.execute(tx)
  await sql`with own as (
      select r.id, r.machine_id, r.incoming_id, r.outgoing_id, r.begun_on,
        (r.decided_at at time zone a.time_zone)::date as decided_on,
        least(r.begun_on + ${sql.lit(FACT_DAYS)}, (${now}::timestamptz at time zone a.time_zone)::date) as until
      from recommendation r join machine a on a.id = r.machine_id
      where r.begun_on is not null and r.seen_days < ${sql.lit(FACT_DAYS)}
    ), earned as (
      select o.id, o.until - o.begun_on as days,
        coalesce(sum(m.fen) filter (where m.business_day < o.decided_on), 0)::float8 / ${sql.lit(FACT_DAYS)} as before,
        coalesce(sum(m.fen) filter (where m.business_day >= o.begun_on), 0)::float8 as since
      from own o left join lateral (
        select x.business_day, x.paid_fen - x.refunded_fen - x.cost_fen + x.refunded_cost_fen as fen
        from rollup_day_machine_product x where x.machine_id = o.machine_id
          and x.product_id in (o.incoming_id, o.outgoing_id)
          and x.business_day >= o.decided_on - ${sql.lit(FACT_DAYS)} and x.business_day < o.until) m on true
      group by o.id, o.until, o.begun_on)
    update recommendation r set seen_days = e.days, before_fen = round(e.before * 30),
      seen_fen = case when e.days > 0 then round((e.since / e.days - e.before) * 30) end
    from earned e where e.id = r.id`.execute(tx)
}
