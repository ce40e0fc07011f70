import { priceTrialState } from '@aisle/contract/advice/price'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Reader, Services, Tx } from '../../../kernel/context'
import { grouped } from '../../../kernel/must'
import type { Job } from '../../../kernel/jobs'
import { statesFrom } from '../../../kernel/states'
import { takeBack } from '../../planogram/public'
import { findMachines } from '../product/facts.reads'
import { FACT_DAYS } from '../product/recommend.rules'
import { estimate, losesTooMuch, type Seen } from './price.rules'
import { findResults, measureTrials } from './trial.measure'
import { trials } from './price.store'

/** Run twice they find, measure and end the same: what is over is so in the transaction that gives its prices back. */
export const jobs: Job[] = [
  { name: 'advice.recommendPrices', cron: '35 17 * * *', run: recommendPrices },
  { name: 'advice.turnPriceTrials', cron: '50 * * * *', run: turnPriceTrials },
]

export async function recommendPrices({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const advice = await findAdvice(db, now)
  await db.transaction().execute((tx) => keep(tx, advice, now))
}

type Of = { merchantId: number; productId: number }

/** Machines whose price changed meanwhile say nothing of either price. */
async function findAdvice(db: Reader, now: Date) {
  const changed = await sql<{ machineId: number; productId: number }>`
    select distinct l.machine_id as "machineId", l.product_id as "productId"
    from price_change c join price_change_slot l on l.change_id = c.id and not l.is_next
    where greatest(c.applied_at, c.undone_at) >= ${now}::timestamptz
      - make_interval(days => ${sql.lit(FACT_DAYS)})`.execute(db)
  const other = new Set(changed.rows.map(({ machineId, productId }) => `${machineId}/${productId}`))
  const seen = (await findMachines(db, now)).flatMap(({ id, merchantId, days, held }) => {
    const all = held.reduce((sum, { pieces }) => sum + pieces, 0)
    return held.flatMap(({ productId, priceFen, pieces, slots, outDays, costFen }): (Seen & Of)[] => {
      const stockedDays = days * slots - outDays
      if (!priceFen || pieces <= 0 || stockedDays < 1 || other.has(`${id}/${productId}`)) return []
      return [
        { merchantId, productId, fen: priceFen, pieces, stockedDays, othersPerDay: (all - pieces) / days, costFen },
      ]
    })
  })
  const groups = grouped(seen, ({ merchantId, productId }) => `${merchantId}/${productId}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first || group.length < 2) return []
    const { merchantId, productId, costFen } = first
    const { elasticity, demand, ...said } = estimate(group)
    return [
      {
        ...said,
        merchantId,
        productId,
        costFen,
        elasticity: elasticity?.value ?? null,
        elasticityLow: elasticity?.low ?? null,
        elasticityHigh: elasticity?.high ?? null,
        machines: group.length,
        prices: demand.length,
        pieces: group.reduce((sum, { pieces }) => sum + pieces, 0),
        demand: JSON.stringify(demand),
      },
    ]
  })
}

async function keep(tx: Tx, advice: Awaited<ReturnType<typeof findAdvice>>, now: Date): Promise<void> {
  await sql`delete from price_advice a where not exists (
    select from ${rows('w', advice, { merchantId: 'bigint', productId: 'bigint' })}
    where w.merchant_id = a.merchant_id and w.product_id = a.product_id)`.execute(tx)
  const columns = {
    merchantId: 'bigint',
    productId: 'bigint',
    verdict: 'text',
    lacking: 'text',
    nowFen: 'bigint',
    advisedFen: 'bigint',
    costFen: 'bigint',
    gainFen: 'bigint',
    lowFen: 'bigint',
    highFen: 'bigint',
    elasticity: 'real',
    elasticityLow: 'real',
    elasticityHigh: 'real',
    machines: 'int',
    prices: 'int',
    pieces: 'int',
    demand: 'jsonb',
  } as const
  await sql`insert into price_advice (merchant_id, product_id, verdict, lacking, now_fen, advised_fen, cost_fen,
      gain_fen, low_fen, high_fen, elasticity, elasticity_low, elasticity_high, machines, prices, pieces, demand,
      computed_at)
    select w.*, ${now}::timestamptz from ${rows('w', advice, columns)}
    on conflict (merchant_id, product_id) do update set verdict = excluded.verdict, lacking = excluded.lacking,
      now_fen = excluded.now_fen, advised_fen = excluded.advised_fen, cost_fen = excluded.cost_fen,
      gain_fen = excluded.gain_fen, low_fen = excluded.low_fen, high_fen = excluded.high_fen,
      elasticity = excluded.elasticity, elasticity_low = excluded.elasticity_low,
      elasticity_high = excluded.elasticity_high, machines = excluded.machines, prices = excluded.prices,
      pieces = excluded.pieces, demand = excluded.demand, computed_at = excluded.computed_at`.execute(tx)
}

/** Those whose days are over end; those that lose too much are stopped; both give the old prices back. */
export async function turnPriceTrials({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const found = await sql<{ id: number }>`select id from price_trial
    where state in ${statesFrom(priceTrialState, 'end')} order by id`.execute(db)
  for (const { id } of found.rows) await db.transaction().execute((tx) => turn(tx, id, now))
}

async function turn(tx: Tx, id: number, now: Date): Promise<void> {
  type Running = { id: number; state: 'running'; changeId: number; stopPercent: number; isOver: boolean }
  const found =
    await sql<Running>`select t.id, t.state, t.change_id as "changeId", t.stop_percent::int as "stopPercent",
      (${now}::timestamptz at time zone m.time_zone)::date > t.ends_on as "isOver"
    from price_trial t join merchant m on m.id = t.merchant_id
    where t.id = ${id} and t.state in ${statesFrom(priceTrialState, 'end')} for update of t`.execute(tx)
  const [trial] = found.rows
  if (!trial) return
  await measureTrials(tx, [id], now)
  const { with: one, without } = (await findResults(tx, [id])).get(id) ?? {}
  const loses = one && without && losesTooMuch({ days: one.days, with: one, without }, trial.stopPercent)
  const verb = trial.isOver ? 'end' : loses ? 'stop' : null
  if (verb && (await takeBack(tx, trial.changeId, { undoneAt: now })))
    await trials.move(tx, trial, verb, { endedAt: now })
}
