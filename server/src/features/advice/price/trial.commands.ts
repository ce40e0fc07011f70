import { priceTrialState, type startPriceTrial } from '@aisle/contract/advice/price'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { auditAs } from '../../../kernel/audit'
import { addDays, businessTime } from '../../../kernel/businessDay'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { addPriceChange, applyPriceChange, takeBack } from '../../planogram/public'
import { chooseControls, LEAST_MACHINES } from '../../promotion/public'
import { FACT_DAYS } from '../product/recommend.rules'
import { mayTake, trials } from './price.store'

const audit = auditAs('priceTrial')
const MOST_A_SIDE = 300

/** A change of the prices of named machines, and of nothing else. */
const setFor = {
  codes: '',
  categoryId: null,
  brand: '',
  rule: 'set',
  percent: null,
  roundTo: 'fen',
  scope: 'machines',
  groupId: null,
  routeId: null,
  changesProducts: false,
} as const

type Advice = { id: number; merchantId: number; productId: number; nowFen: number; timeZone: string }
type Candidate = { id: number; code: string; soldFen: number }

/** Of each two machines that sell about as much of it one changes, by lot; prices go as any change of many does. */
export async function start(ctx: CommandContext, { id, toFen, days, stopPercent }: InputOf<typeof startPriceTrial>) {
  const sight = sightOf(ctx.actor)
  const found = await sql<Advice>`select r.id, r.merchant_id as "merchantId", r.product_id as "productId",
      r.now_fen as "nowFen", m.time_zone as "timeZone"
    from price_advice r join merchant m on m.id = r.merchant_id
    where r.id = ${id} and ${merchantInSight(sight, sql`r.merchant_id`)} for update of r`.execute(ctx.tx)
  const advice = existing(found.rows[0])
  const { merchantId, productId, nowFen } = advice
  if (toFen === nowFen) refuse('priceTrial.same')
  const today = businessTime(ctx.now(), advice.timeZone).day
  const machines = await sql<Candidate>`select c.id, c.code, coalesce(sum(d.paid_fen), 0)::bigint as "soldFen"
    from price_advice r cross join lateral (${mayTake(sight, sql`r`)}) c
    left join rollup_day_machine_product d on d.machine_id = c.id and d.product_id = r.product_id
      and d.business_day >= ${today}::date - ${sql.lit(FACT_DAYS)} and d.business_day < ${today}::date
    where r.id = ${id} group by c.id, c.code order by 3 desc, c.id limit ${sql.lit(2 * MOST_A_SIDE)}`.execute(ctx.tx)
  const controls = new Set(chooseControls(machines.rows, 50, Math.floor(ctx.now().getTime() / 1000)))
  const changed = machines.rows.filter((each) => !controls.has(each.id))
  if (Math.min(controls.size, changed.length) < LEAST_MACHINES) {
    refuse('priceTrial.fewMachines', { count: machines.rows.length, least: 2 * LEAST_MACHINES })
  }
  const startsOn = addDays(today, 1)
  const endsOn = addDays(today, days)
  const reason = `${(nowFen / 100).toFixed(2)} → ${(toFen / 100).toFixed(2)} · ${startsOn} – ${endsOn}`
  const machineCodes = changed.map(({ code }) => code).join(' ')
  const change = await addPriceChange(ctx, {
    ...setFor,
    productIds: [productId],
    amountFen: toFen,
    machineCodes,
    reason,
  })
  await applyPriceChange(ctx, change)
  const write = sql<{ id: number }>`insert into price_trial (merchant_id, product_id, from_fen, to_fen, stop_percent,
      starts_on, ends_on, before_days, change_id, started_by, created_at)
    values (${merchantId}, ${productId}, ${nowFen}, ${toFen}, ${stopPercent}, ${startsOn}::date, ${endsOn}::date,
      ${FACT_DAYS}, ${change.id}, ${ctx.actor.userId}, ${ctx.now()}) returning id`.execute(ctx.tx)
  const trial = only(await refusedBy('price_trial_running', write, () => refusal('priceTrial.running')))
  const sides = machines.rows.map((each) => ({ machineId: each.id, isControl: controls.has(each.id) }))
  await sql`insert into price_trial_machine (trial_id, machine_id, is_control)
    select ${trial.id}, w.* from ${rows('w', sides, { machineId: 'bigint', isControl: 'boolean' })}`.execute(ctx.tx)
  const after = { fromFen: nowFen, toFen, days, stopPercent, machines: changed.length, controls: controls.size }
  await audit(ctx, { id: trial.id, merchantId }, null, after)
  return { id: trial.id, state: priceTrialState.initial }
}

export async function undo(ctx: CommandContext, { id }: { id: number }) {
  type Held = { id: number; merchantId: number; changeId: number; state: 'running' | 'ended' | 'stopped' | 'undone' }
  const found = await sql<Held>`select t.id, t.merchant_id as "merchantId", t.change_id as "changeId", t.state
    from price_trial t where t.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`t.merchant_id`)}
    for update of t`.execute(ctx.tx)
  const held = existing(found.rows[0])
  trials.must(held, 'undo')
  const undone = { undoneBy: ctx.actor.userId, undoneAt: ctx.now() }
  if (!(await takeBack(ctx.tx, held.changeId, undone))) refuse('priceChange.state')
  const state = await trials.move(ctx.tx, held, 'undo', { endedAt: ctx.now() })
  await audit(ctx, held, { state: held.state }, { state })
  return { id, state }
}
