import type { MessageRefusal } from '@aisle/contract/device/messages'
import { drawnNumber, isWon } from '@aisle/contract/lottery/draw'
import { playState, prizeState } from '@aisle/contract/lottery/states'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { AuthKeys, Tx } from '../../kernel/context'
import { must } from '../../kernel/must'
import { prizeCodeOf, prizeDigestOf } from './prizeCode.secret'
import { commitSeeds, openSeeds, shareSeries, type Series } from './series.store'

type Ask = {
  orderId: number
  orderNo: string
  machine: { id: number; merchantId: number; lotteryPermille: number }
  method: string
  amountFen: number
  items: readonly { productId: number; slotCode: string; listPriceFen: number }[]
  at: Date
  receivedAt: Date
  businessDay: string
}

/**
 * Opens plays: one prize each, for a stake that is really paid, where machine and merchant have it open. What decides
 * the draw is bound by then: the seed by its hash, the order by its number, the odds by the play's own row.
 * @returns why some are refused, by order
 */
export async function openPlays(tx: Tx, asks: readonly Ask[], keys: AuthKeys): Promise<Map<number, MessageRefusal>> {
  const open = await merchantsThatPlay(
    tx,
    asks.map(({ machine }) => machine.merchantId),
  )
  const able = asks.filter(
    ({ machine, items, method, amountFen }) =>
      open.has(machine.merchantId) &&
      machine.lotteryPermille > 0 &&
      items.length === 1 &&
      method !== 'pickup_code' &&
      amountFen > 0,
  )
  const [first] = able
  const series = first ? await takeSeries(tx, keys, able, first.receivedAt) : new Map<string, Series>()
  // A seed that is known already decides nothing any more: only a clock that is days behind asks for one.
  const opened = able.filter((ask) => series.get(seriesKey(ask.machine.id, ask.businessDay))?.isRevealed === false)
  await insertPlays(tx, opened, series)
  const kept = new Set(opened.map(({ orderId }) => orderId))
  return new Map(asks.flatMap(({ orderId }) => (kept.has(orderId) ? [] : [[orderId, 'playNotOpen']])))
}

const seriesKey = (machineId: number, businessDay: string) => `${machineId}/${businessDay}`

async function takeSeries(tx: Tx, keys: AuthKeys, asks: readonly Ask[], now: Date): Promise<Map<string, Series>> {
  const wanted = asks.map(({ machine, businessDay }) => ({
    merchantId: machine.merchantId,
    machineId: machine.id,
    businessDay,
  }))
  await commitSeeds(tx, keys, wanted, now)
  const series = await shareSeries(tx, wanted)
  return new Map(series.map((each) => [seriesKey(each.machineId, each.businessDay), each]))
}

async function merchantsThatPlay(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const found = await sql<{ id: number }>`select id from merchant
    where has_high_go and id = any(${[...new Set(ids)]}::bigint[])`.execute(tx)
  return new Set(found.rows.map(({ id }) => id))
}

async function insertPlays(tx: Tx, asks: readonly Ask[], series: ReadonlyMap<string, Series>): Promise<void> {
  if (asks.length === 0) return
  const plays = asks.map(({ orderId, orderNo, machine, amountFen, items, at, businessDay }) => {
    const prize = must(items[0], 'prize')
    return {
      id: orderId,
      orderNo,
      merchantId: machine.merchantId,
      machineId: machine.id,
      productId: prize.productId,
      slotCode: prize.slotCode,
      prizeFen: prize.listPriceFen,
      seriesId: must(series.get(seriesKey(machine.id, businessDay)), 'series').id,
      oddsPermille: machine.lotteryPermille,
      stakeFen: amountFen,
      openedAt: at,
      businessDay,
    }
  })
  await sql`insert into lottery_play (id, order_no, merchant_id, machine_id, product_id, slot_code, series_id,
      business_day, odds_permille, stake_fen, prize_fen, cost_fen, opened_at)
    select p.id, p.order_no, p.merchant_id, p.machine_id, p.product_id, p.slot_code, p.series_id, p.business_day,
      p.odds_permille, p.stake_fen, p.prize_fen, product.cost_fen, p.opened_at
    from ${rows('p', plays, {
      id: 'bigint',
      orderNo: 'text',
      merchantId: 'bigint',
      machineId: 'bigint',
      productId: 'bigint',
      slotCode: 'text',
      prizeFen: 'bigint',
      seriesId: 'bigint',
      oddsPermille: 'int',
      stakeFen: 'bigint',
      openedAt: 'timestamptz',
      businessDay: 'date',
    })} join product on product.id = p.product_id`.execute(tx)
}

/** What binds the draws of plays, by order number: told to the machine before anybody pays. */
export async function commitmentsOf(
  tx: Tx,
  orderNos: readonly string[],
): Promise<Map<string, { seedHash: string; oddsPermille: number }>> {
  const found = await sql<{ orderNo: string; seedHash: string; oddsPermille: number }>`
    select p.order_no as "orderNo", s.seed_hash as "seedHash", p.odds_permille as "oddsPermille"
    from lottery_play p join lottery_series s on s.id = p.series_id
    where p.order_no = any(${[...orderNos]}::text[])`.execute(tx)
  return new Map(found.rows.map(({ orderNo, ...play }) => [orderNo, play]))
}

/** Who won is told a code that stands for the prize. */
export type DrawResult = { result: 'won' | 'lost'; number: number; oddsPermille: number; prizeCode?: string }
type Open = { id: number; orderNo: string; seriesId: number; oddsPermille: number }

/** Draws plays that have been paid; one that is drawn already keeps its number. @returns results by order */
export async function drawPlays(
  tx: Tx,
  keys: AuthKeys,
  orderIds: readonly number[],
  at: Date,
): Promise<Map<number, DrawResult>> {
  const found = await sql<Open>`select id, order_no as "orderNo", series_id as "seriesId",
      odds_permille as "oddsPermille" from lottery_play
    where id = any(${[...orderIds]}::bigint[]) and state = any(${[...playState.from('win')]}::text[])
    order by id for update`.execute(tx)
  const seeds = await openSeeds(
    tx,
    keys,
    found.rows.map(({ seriesId }) => seriesId),
  )
  const [codeOf, digest] = [prizeCodeOf(keys), prizeDigestOf(keys)]
  const drawn = found.rows.map(({ id, orderNo, seriesId, oddsPermille }) => {
    const seed = seeds.get(seriesId)
    if (seed === undefined) throw new RangeError(`play ${orderNo} has no seed`)
    const number = drawnNumber(seed, orderNo)
    const won = isWon(number, oddsPermille)
    const prizeCode = won ? codeOf(orderNo) : null
    return { id, number, oddsPermille, won, prizeCode, digest: prizeCode && digest(prizeCode) }
  })
  if (drawn.length > 0) {
    await sql`update lottery_play p set number = d.number, drawn_at = ${at}, prize_code_digest = d.digest,
        state = case when d.won then ${playState.to('win')} else ${playState.to('lose')} end,
        prize_state = case when d.won then ${prizeState.to('ship')} else ${prizeState.initial} end
      from ${rows('d', drawn, { id: 'bigint', number: 'int', won: 'boolean', digest: 'bytea' })}
      where p.id = d.id`.execute(tx)
  }
  return new Map(
    drawn.map(({ id, number, oddsPermille, won, prizeCode }) => [
      id,
      { result: won ? 'won' : 'lost', number, oddsPermille, ...(prizeCode !== null && { prizeCode }) },
    ]),
  )
}

type Settled = { orderId: number; items: readonly { isDispensed: boolean }[] }

/**
 * Orders of plays have ended, or what came of them changed: what came out is the winner's, what did not is owed, and
 * what was never paid is void. A play of an order that never came to be leaves nothing.
 */
export async function settlePlays(tx: Tx, settled: readonly Settled[]): Promise<void> {
  const ends = settled.map(({ orderId: id, items }) => ({
    id,
    isRefused: items.length === 0,
    isOut: items.some(({ isDispensed }) => isDispensed),
  }))
  const types = { id: 'bigint', isRefused: 'boolean', isOut: 'boolean' } as const
  await sql`delete from lottery_play p using ${rows('e', ends, types)}
    where p.id = e.id and e.is_refused and p.state = 'opened'`.execute(tx)
  await sql`update lottery_play p set
      state = case when p.state = any(${[...playState.from('drop')]}::text[]) then ${playState.to('drop')}
        else p.state end,
      prize_state = case
        when p.state = 'won' and e.is_out and p.prize_state = any(${[...prizeState.from('dispense')]}::text[])
          then ${prizeState.to('dispense')}
        when p.state = 'won' and not e.is_out and p.prize_state = any(${[...prizeState.from('owe')]}::text[])
          then ${prizeState.to('owe')}
        else p.prize_state end
    from ${rows('e', ends, types)} where p.id = e.id and not e.is_refused`.execute(tx)
}
