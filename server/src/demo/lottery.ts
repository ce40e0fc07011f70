import { randomBytes } from 'node:crypto'
import { drawnNumber, isWon, seedHashOf } from '@aisle/contract/lottery/draw'
import { sql } from 'kysely'
import { rows } from '../db/rows'
import { postTransfers, salePostings } from '../features/ledger/public'
import { stakeFen } from '../features/lottery/public'
import type { AuthKeys, Tx } from '../kernel/context'
import { seal } from '../kernel/seal'
import { type DemoDay, HOUR_MS } from './calendar'
import { takeIds } from './fleet'
import { handOut } from './handedOut'
import { seedClaims } from './lotteryClaims'
import type { DemoMachine } from './network'
import { idOf, type Ids } from './people'
import { type Random, randomFrom, seedOf } from './random'
import type { Traded } from './stock'

const MOST_MACHINES = 8

const DAYS = 60

/**
 * The machines on which customers play for goods: some of the demo operator's region, none with medicine, all of them
 * there for longer than they were played on.
 */
export function highGoMachines(machines: readonly DemoMachine[]): ReadonlySet<string> {
  const able = machines.filter(
    ({ point, category, deployedDaysAgo }) =>
      point.region === 'east' && category !== 'medicine' && deployedDaysAgo > DAYS,
  )
  const drawn = able.map(({ code }) => ({ code, at: seedOf(`${code}/play`) })).sort((a, b) => a.at - b.at)
  return new Set(drawn.slice(0, MOST_MACHINES).map(({ code }) => code))
}

/** Many of late, so that some claims wait; the reason was found since. */
const JAM_SHARE = 0.02
const JAM_SHARE_OF_LATE = 0.2
const OF_LATE_DAYS = 4
const DAY_HOURS = 13
const SECOND_MS = 1000

type Series = { id: number; machineId: number; merchantId: number; day: DemoDay; seed: string; code: string }
type Play = {
  id: number
  orderNo: string
  machineOrderNo: string
  merchantId: number
  machineId: number
  machineCode: string
  slotId: number
  placeId: number
  slotCode: string
  productId: number
  seriesId: number
  seed: string
  day: string
  oddsPermille: number
  stakeFen: number
  prizeFen: number
  atMs: number
  isJammed: boolean
  method: 'wechat' | 'alipay'
}

/** Two months of plays, each drawn from the seed of its day as the live ones are; wins are what chance made of them. */
export async function seedLottery(
  tx: Tx,
  traded: readonly Traded[],
  about: { products: Ids; users: Ids; keys: AuthKeys; days: readonly DemoDay[]; now: Date },
): Promise<void> {
  const chosen = highGoMachines(traded.map(({ machine }) => machine))
  const machines = traded.filter(({ machine }) => chosen.has(machine.code))
  const merchantIds = machines.map(({ merchantId }) => merchantId)
  await sql`update merchant set has_high_go = true where id = any(${merchantIds}::bigint[])`.execute(tx)
  const plays: Play[] = []
  for (const each of machines) plays.push(...(await playsOf(tx, each, about)))
  plays.sort((a, b) => a.atMs - b.atMs)
  const ids = await takeIds(tx, 'order_number', plays.length)
  const drawn = plays.map((play, i) => {
    const number = drawnNumber(play.seed, play.orderNo)
    const won = isWon(number, play.oddsPermille)
    return {
      ...play,
      id: ids[i] ?? 0,
      number,
      won,
      isOut: won && !play.isJammed,
      at: new Date(play.atMs).toISOString(),
    }
  })
  await insertOrders(tx, drawn)
  await insertPlays(tx, drawn)
  await handOut(
    tx,
    drawn.filter(({ isOut }) => isOut).map((play) => ({ ...play, orderId: play.id, index: 0 })),
  )
  await seedClaims(tx, about.users, about.now)
}

async function playsOf(
  tx: Tx,
  traded: Traded,
  { products, keys, days, now }: { products: Ids; keys: AuthKeys; days: readonly DemoDay[]; now: Date },
): Promise<Play[]> {
  const { machine, slots, machineId, merchantId, slotIds } = traded
  const random = randomFrom(seedOf(`${machine.code}/plays`))
  const odds = { lotteryPermille: random.pick([150, 200, 250]), upliftPermille: random.pick([100, 150, 200]) }
  await sql`update machine set lottery_permille = ${odds.lotteryPermille}, uplift_permille = ${odds.upliftPermille}
    where id = ${machineId}`.execute(tx)
  const series = await seedSeries(tx, { machineId, merchantId, code: machine.code }, { keys, days, now })
  const prizes = slots.flatMap(({ code, product, priceFen }, at) =>
    product && priceFen ? [{ code, priceFen, productId: idOf(products, product.code), ...slotIds[at] }] : [],
  )
  prizes.sort((a, b) => b.priceFen - a.priceFen)
  const best = prizes.slice(0, 6)
  if (best.length === 0) return []
  return series.flatMap(({ id, day, seed }) =>
    timesOf(day, random, now).map((atMs, at): Play => {
      const prize = random.pick(best)
      const machineOrderNo = `G${day.day.replaceAll('-', '').slice(2)}-${at + 1}`
      return {
        id: 0,
        orderNo: `${machine.code}-${machineOrderNo}`,
        machineOrderNo,
        merchantId,
        machineId,
        machineCode: machine.code,
        slotId: prize.slotId ?? 0,
        placeId: prize.placeId ?? 0,
        slotCode: prize.code,
        productId: prize.productId,
        seriesId: id,
        seed,
        day: day.day,
        oddsPermille: odds.lotteryPermille,
        stakeFen: stakeFen(prize.priceFen, odds),
        prizeFen: prize.priceFen,
        atMs,
        isJammed: random.chance(day.daysAgo < OF_LATE_DAYS ? JAM_SHARE_OF_LATE : JAM_SHARE),
        method: random.chance(0.55) ? 'wechat' : 'alipay',
      }
    }),
  )
}

/** Between nine and ten at night, in order; what is not over yet is left to the fleet. */
function timesOf(day: DemoDay, random: Random, now: Date): number[] {
  const times = Array.from({ length: random.poisson(6) }, () =>
    Math.floor(day.startMs + 9 * HOUR_MS + random.next() * DAY_HOURS * HOUR_MS),
  )
  return times.filter((time) => time < now.getTime() - 60 * SECOND_MS).sort((a, b) => a - b)
}

async function seedSeries(
  tx: Tx,
  machine: { machineId: number; merchantId: number; code: string },
  { keys, days, now }: { keys: AuthKeys; days: readonly DemoDay[]; now: Date },
): Promise<Series[]> {
  const shown = days.filter(({ daysAgo }) => daysAgo < DAYS)
  const series = shown.map((day) => {
    const seed = randomBytes(32).toString('hex')
    const isOver = day.daysAgo > 0
    return {
      ...machine,
      day,
      businessDay: day.day,
      seed,
      seedHash: seedHashOf(seed),
      sealed: seal(keys, `lottery:${machine.machineId}:${day.day}`, seed),
      committedAt: new Date(day.startMs - 24 * HOUR_MS),
      revealed: isOver ? seed : null,
      revealedAt: isOver ? new Date(Math.min(day.startMs + 24.3 * HOUR_MS, now.getTime())) : null,
    }
  })
  const made = await sql<{ id: number; businessDay: string }>`
    insert into lottery_series (merchant_id, machine_id, business_day, seed_hash, sealed_seed, seed, committed_at,
      revealed_at)
    select * from ${rows('s', series, {
      merchantId: 'bigint',
      machineId: 'bigint',
      businessDay: 'date',
      seedHash: 'text',
      sealed: 'bytea',
      revealed: 'text',
      committedAt: 'timestamptz',
      revealedAt: 'timestamptz',
    })} returning id, to_char(business_day, 'YYYY-MM-DD') as "businessDay"`.execute(tx)
  const ids = new Map(made.rows.map(({ id, businessDay }) => [businessDay, id]))
  return series.map((each) => ({ ...each, id: ids.get(each.businessDay) ?? 0 }))
}

type DrawnPlay = Play & { number: number; won: boolean; isOut: boolean; at: string }

const playColumns = {
  id: 'bigint',
  orderNo: 'text',
  machineOrderNo: 'text',
  merchantId: 'bigint',
  machineId: 'bigint',
  slotId: 'bigint',
  placeId: 'bigint',
  slotCode: 'text',
  productId: 'bigint',
  seriesId: 'bigint',
  day: 'date',
  oddsPermille: 'int',
  stakeFen: 'bigint',
  prizeFen: 'bigint',
  method: 'text',
  number: 'int',
  won: 'boolean',
  isOut: 'boolean',
  at: 'timestamptz',
} as const

async function insertOrders(tx: Tx, plays: readonly DrawnPlay[]): Promise<void> {
  await sql`insert into order_number (order_id, order_no, merchant_id, machine_id, occurred_at)
    overriding system value
    select id, order_no, merchant_id, machine_id, at from ${rows('p', plays, playColumns)}`.execute(tx)
  await sql`insert into orders (id, order_no, merchant_id, machine_id, point_id, occurred_at, machine_order_no,
      business_type, method, payment_state, ship_state, order_state, is_lottery, item_count, total_fen, paid_fen,
      third_party_no, received_at, business_day, paid_at, ship_sent_at, ship_received_at, finished_at)
    select p.id, p.order_no, p.merchant_id, p.machine_id, m.point_id, p.at, p.machine_order_no, 'lottery', p.method,
      'paid', case when p.won then 'lottery_won' else 'lottery_lost' end, 'done', true, 1, p.stake_fen, p.stake_fen,
      '42000' || lpad((p.id * 7919 % 100000000)::text, 8, '0') || to_char(p.day, 'YYYYMMDD')
        || lpad(p.number::text, 7, '0'),
      p.at + interval '1 second', p.day, p.at + interval '9 seconds',
      case when p.won then p.at + interval '9.2 seconds' end, case when p.won then p.at + interval '10 seconds' end,
      p.at + case when p.won then interval '17 seconds' else interval '9 seconds' end
    from ${rows('p', plays, playColumns)} join machine m on m.id = p.machine_id`.execute(tx)
  await sql`insert into order_item (merchant_id, occurred_at, order_id, index, slot_id, product_id, list_price_fen,
      price_fen, cost_fen, state, motor_code, sensor_code, shipped_at)
    select p.merchant_id, p.at, p.id, 0, p.slot_id, p.product_id, p.prize_fen, p.stake_fen, product.cost_fen,
      case when p.is_out then 'dispensed' when p.won then 'jammed' else 'waiting' end,
      case when p.won then '100' end, case when p.is_out then '01' when p.won then '03' end,
      case when p.won then p.at + interval '17 seconds' end
    from ${rows('p', plays, playColumns)} join product on product.id = p.product_id`.execute(tx)
  await postTransfers(
    tx,
    plays.map((play) => ({
      kind: 'sale',
      reference: String(play.id),
      merchantId: play.merchantId,
      postedAt: new Date(play.atMs + 9 * SECOND_MS),
      businessDay: play.day,
      postings: salePostings({
        method: play.method,
        paidFen: play.stakeFen,
        merchantId: play.merchantId,
        machineCode: play.machineCode,
        collectsPayment: false,
      }),
    })),
  )
}

async function insertPlays(tx: Tx, plays: readonly DrawnPlay[]): Promise<void> {
  await sql`insert into lottery_play (id, order_no, merchant_id, machine_id, product_id, slot_code, series_id,
      business_day, odds_permille, stake_fen, prize_fen, cost_fen, state, number, prize_state, opened_at, drawn_at)
    select p.id, p.order_no, p.merchant_id, p.machine_id, p.product_id, p.slot_code, p.series_id, p.day,
      p.odds_permille, p.stake_fen, p.prize_fen, product.cost_fen, case when p.won then 'won' else 'lost' end, p.number,
      case when not p.won then 'none' when p.is_out then 'dispensed' else 'owed' end, p.at, p.at + interval '9 seconds'
    from ${rows('p', plays, playColumns)} join product on product.id = p.product_id`.execute(tx)
  await sql`insert into rollup_day_lottery (business_day, machine_id, product_id, odds_permille, merchant_id, plays,
      wins, stake_fen, cost_fen, prize_fen)
    select business_day, machine_id, product_id, odds_permille, min(merchant_id), count(*),
      count(*) filter (where state = 'won'), sum(stake_fen), coalesce(sum(cost_fen) filter (where state = 'won'), 0),
      coalesce(sum(prize_fen) filter (where state = 'won'), 0)
    from lottery_play group by 1, 2, 3, 4`.execute(tx)
}
