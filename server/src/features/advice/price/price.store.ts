import {
  type listPriceAdvice,
  type PriceAdvice,
  type PriceAdviceDetail,
  type PriceTrial,
  priceTrialState,
} from '@aisle/contract/advice/price'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { pricedState } from '@aisle/contract/planogram/priceChange'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order } from '../../../kernel/list'
import { existing, refuse } from '../../../kernel/refuse'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../../kernel/scope'
import { stateful, statesIn } from '../../../kernel/states'
import { type Arm, effectOf, LEAST_MACHINES } from '../../promotion/public'
import { findResults, type Sides } from './trial.measure'

/** @throws Refusal priceTrial.state */
export const trials = stateful('priceTrial', 'state', priceTrialState, {
  versioned: false,
  refuse: () => refuse('priceTrial.state'),
})

type Row = Omit<PriceAdvice, 'trialVerdict'> & { trialId: number | null }

const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select r.id, r.merchant_id as "merchantId", m.name as "merchantName", r.product_id as "productId",
    p.name as "productName", p.code as "productCode", r.verdict, r.lacking, r.now_fen as "nowFen",
    r.advised_fen as "advisedFen", case when r.lacking is null then r.gain_fen end as "gainFen",
    r.low_fen as "lowFen", r.high_fen as "highFen",
    r.machines, r.prices, r.pieces, t.id as "trialId", t.state as "trialState",
    to_json(r.computed_at) #>> '{}' as "computedAt"
  from price_advice r join merchant m on m.id = r.merchant_id join product p on p.id = r.product_id
  left join lateral (select id, state from price_trial t
    where t.merchant_id = r.merchant_id and t.product_id = r.product_id order by t.id desc limit 1) t on true
  where ${merchantInSight(sight, sql`r.merchant_id`)}`

type Filter = InputOf<typeof listPriceAdvice>
const orders: Record<Filter['sort'], Order> = {
  gain: { by: sql`coalesce("gainFen", 0)`, type: 'bigint', newestFirst: true },
}

export function listIn(ctx: QueryContext, filter: Filter): Listing<PriceAdvice> {
  const { q, verdict, trialState, merchantId, sort } = filter
  const where = allOf([
    q && sql`(${holds(sql`"productName"`, q)} or ${holds(sql`"productCode"`, q)})`,
    isAnyOf(sql`verdict`, verdict),
    isAnyOf(sql`"trialState"`, trialState),
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  const rows = rowsInSight(sightOf(ctx.actor))
  return mapRows(listRows({ rows, where, order: orders[sort] }), async (found, db) => {
    const results = await findResults(
      db,
      found.flatMap(({ trialId }) => trialId ?? []),
    )
    return found.map(({ trialId, ...row }) => ({
      ...row,
      trialVerdict: trialId === null ? null : (saidOf(results.get(trialId))?.verdict ?? null),
    }))
  })
}

const saidOf = (sides: Sides | undefined) => (sides?.with ? effectOf(sides.with, sides.without ?? null) : null)

type More = Pick<PriceAdviceDetail, 'costFen' | 'demand' | 'mayTake'> & {
  elasticity: number | null
  elasticityLow: number | null
  elasticityHigh: number | null
}

export async function detail(ctx: QueryContext, id: number): Promise<PriceAdviceDetail> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Row & More>`select seen.*, r.cost_fen as "costFen", r.demand,
      r.elasticity::float8 as elasticity, r.elasticity_low::float8 as "elasticityLow",
      r.elasticity_high::float8 as "elasticityHigh",
      (select count(*)::int from (${mayTake(sight, sql`r`)}) c) as "mayTake"
    from (${rowsInSight(sight)}) seen join price_advice r on r.id = seen.id where seen.id = ${id}`.execute(ctx.db)
  const { trialId: _trial, elasticity, elasticityLow, elasticityHigh, ...row } = existing(found.rows[0])
  const shown = await findTrials(ctx.db, row)
  return {
    ...row,
    elasticity: elasticity === null ? null : { value: elasticity, low: elasticityLow ?? 0, high: elasticityHigh ?? 0 },
    trialVerdict: shown[0]?.verdict ?? null,
    needed: 2 * LEAST_MACHINES,
    changes: await findChanges(ctx.db, sight, row),
    trials: shown,
  }
}

/** Machines of the merchant where all of it costs what most does. @param r the advice */
export const mayTake = (sight: Sight, r: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select a.id, a.code from machine a join slot s on s.machine_id = a.id and s.product_id = ${r}.product_id
  where a.merchant_id = ${r}.merchant_id and a.retired_at is null and ${machineInSight(sight, sql`a.id`)}
  group by a.id having min(s.price_fen) = ${r}.now_fen and max(s.price_fen) = ${r}.now_fen`

type Of = { merchantId: number; productId: number }
const SHOWN = 12

/** A change of prices by day and prices, at machines of the merchant. */
async function findChanges(db: Reader, sight: Sight, { merchantId, productId }: Of) {
  const found = await sql<PriceAdviceDetail['changes'][number]>`
    select to_char(coalesce(c.applied_at, c.created_at) at time zone m.time_zone, 'YYYY-MM-DD') as on,
      l.before_fen as "fromFen", l.after_fen as "toFen", count(*)::int as slots
    from price_change_slot l join price_change c on c.id = l.change_id and c.applied_at is not null
    join machine a on a.id = l.machine_id and a.merchant_id = ${merchantId}
    join merchant m on m.id = a.merchant_id
    where l.product_id = ${productId} and not l.is_next and l.state in ${statesIn(pricedState, 'moved')}
      and ${machineInSight(sight, sql`a.id`)}
    group by c.id, c.applied_at, c.created_at, m.time_zone, l.before_fen, l.after_fen
    order by c.applied_at desc limit ${sql.lit(SHOWN)}`.execute(db)
  return found.rows
}

type Kept = Omit<PriceTrial, 'with' | 'without' | 'verdict' | 'why' | 'change' | 'percent' | 'through'> & {
  withMachines: number
  withoutMachines: number
}

async function findTrials(db: Reader, { merchantId, productId }: Of): Promise<PriceTrial[]> {
  const found = await sql<Kept>`select t.id, t.state, t.from_fen as "fromFen", t.to_fen as "toFen",
      t.stop_percent::int as "stopPercent", to_char(t.starts_on, 'YYYY-MM-DD') as "startsOn",
      to_char(t.ends_on, 'YYYY-MM-DD') as "endsOn", u.display_name as "startedBy",
      to_json(t.ended_at) #>> '{}' as "endedAt",
      (select count(*)::int from price_trial_machine c where c.trial_id = t.id and not c.is_control) as "withMachines",
      (select count(*)::int from price_trial_machine c where c.trial_id = t.id and c.is_control) as "withoutMachines"
    from price_trial t left join app_user u on u.id = t.started_by
    where t.merchant_id = ${merchantId} and t.product_id = ${productId}
    order by t.id desc limit ${sql.lit(SHOWN)}`.execute(db)
  const results = await findResults(
    db,
    found.rows.map(({ id }) => id),
  )
  return found.rows.map(({ withMachines, withoutMachines, ...row }) => {
    const sides = results.get(row.id)
    const said = saidOf(sides)
    const shown = (arm: Arm | undefined, machines: number) => ({
      machines: arm?.machines ?? machines,
      before: arm?.before ?? 0,
      during: arm?.during ?? 0,
    })
    return {
      ...row,
      through: sides?.through ?? null,
      with: shown(sides?.with, withMachines),
      without: shown(sides?.without, withoutMachines),
      verdict: said?.verdict ?? null,
      why: said?.why ?? null,
      change: said?.change ?? null,
      percent: said?.percent ?? null,
    }
  })
}
