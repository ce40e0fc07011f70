import { paymentAttemptState } from '@aisle/contract/payment/states'
import { commandState, SILENT } from '@aisle/contract/device/commands'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import type { Raised } from './alarm.store'
import { IN_A_ROW, SOON_SOLD_OUT_HOURS } from './watch.rules'
import { statesIn } from '../../kernel/states'

type Detected = Omit<Raised, 'at' | 'slot'>

const DAY_MS = 86_400_000

/** Machines whose last attempts to take money all came to nothing; a customer who went away is no failure. */
export async function findPaymentFailures(db: Reader, now: Date): Promise<Detected[]> {
  const since = new Date(now.getTime() - DAY_MS)
  const found = await sql<{ machineId: number; merchantId: number; method: string }>`
    select m.id as "machineId", m.merchant_id as "merchantId", last.method
    from (select distinct a.machine_id from payment_attempt a
      where a.state in ${statesIn(paymentAttemptState, 'bad')} and a.created_at > ${since}) one
    join machine m on m.id = one.machine_id and m.retired_at is null
    cross join lateral (
      select count(*) filter (where state <> 'paid') as failed,
        (array_agg(method order by created_at desc, id desc))[1] as method
      from (select a.state, a.method, a.created_at, a.id from payment_attempt a
        where a.machine_id = m.id and a.created_at > ${since}
          and a.state in ${statesIn(paymentAttemptState, 'answered')}
        order by a.created_at desc, a.id desc limit ${sql.lit(IN_A_ROW)}) newest) last
    where last.failed = ${IN_A_ROW} order by m.id`.execute(db)
  return found.rows.map(({ method, ...machine }) => ({
    ...machine,
    cause: 'payment_failure',
    facts: { count: IN_A_ROW, method },
  }))
}

/**
 * Machines that failed at what they were asked, time and again. Goods that did not come out are the slot's, and who
 * serves a customer is busy; a machine that was away is told of as such.
 */
export async function findCommandFailures(db: Reader, now: Date): Promise<Detected[]> {
  const since = new Date(now.getTime() - DAY_MS)
  const judged = sql`c.type not in ('ship', 'test_vend') and c.created_at > ${since}
    and (c.state in ${statesIn(commandState, 'tried')} or c.state = 'refused' and c.detail is distinct from 'busy')`
  const found = await sql<{ machineId: number; merchantId: number; command: string; detail: string | null }>`
    select m.id as "machineId", m.merchant_id as "merchantId", last.command, last.detail
    from (select distinct c.machine_id from device_command c
      where c.state in ${statesIn(commandState, 'bad')} and c.finished_at > ${since}) one
    join machine m on m.id = one.machine_id and m.retired_at is null
    cross join lateral (
      select count(*) filter (where state <> 'done') as failed,
        (array_agg(type order by created_at desc))[1] as command,
        (array_agg(detail order by created_at desc))[1] as detail
      from (select c.state, c.type, c.detail, c.created_at from device_command c
        where c.machine_id = m.id and ${judged} order by c.created_at desc, c.seq desc
        limit ${sql.lit(IN_A_ROW)}) newest) last
    where last.failed = ${IN_A_ROW} order by m.id`.execute(db)
  return found.rows.map(({ command, detail, ...machine }) => ({
    ...machine,
    cause: 'command_failure',
    facts: { count: IN_A_ROW, command, detail: detail ?? SILENT },
  }))
}

/** Slots that hold by the books what no slot can: more than fits in, or less than nothing. */
export async function findImpossibleStock(db: Reader): Promise<Detected[]> {
  const found = await sql<{ machineId: number; merchantId: number; slots: number; slot: string; pieces: number }>`
    select m.id as "machineId", m.merchant_id as "merchantId", count(*)::int as slots, min(s.code) as slot,
      (array_agg(l.quantity order by s.code))[1] as pieces
    from slot s join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    join machine m on m.id = s.machine_id and m.retired_at is null
    where l.quantity < 0 or l.quantity > s.capacity group by m.id, m.merchant_id order by m.id`.execute(db)
  return found.rows.map(({ slots, slot, pieces, ...machine }) => ({
    ...machine,
    cause: 'stock_impossible',
    facts: { slots, slot, pieces },
  }))
}

/** Products that are there and, at the machine's usual speed, will not be for long; its slots of one count together. */
export async function findSellingOut(db: Reader): Promise<Detected[]> {
  const found = await sql<{ machineId: number; merchantId: number; count: number; product: string; hours: number }>`
    with lasts as (
      select s.machine_id, s.product_id,
        sum(l.quantity * s.price_fen::numeric) / nullif(sum(u.fen_hour), 0) as hours
      from slot s join usual_slot u on u.slot_id = s.id
      join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
      where s.price_fen > 0 and s.choice <> 'stopped_sale' and not s.is_locked
      group by s.machine_id, s.product_id having sum(l.quantity) > 0)
    select m.id as "machineId", m.merchant_id as "merchantId", count(*)::int as count,
      (array_agg(p.name order by lasts.hours, p.id))[1] as product, ceil(min(lasts.hours))::int as hours
    from lasts join machine m on m.id = lasts.machine_id and m.retired_at is null
    join merchant c on c.id = m.merchant_id join product p on p.id = lasts.product_id
    where lasts.hours < ${SOON_SOLD_OUT_HOURS} and operation_of(m, c) <> 'stopped'
    group by m.id, m.merchant_id order by m.id`.execute(db)
  return found.rows.map(({ count, product, hours, ...machine }) => ({
    ...machine,
    cause: 'selling_out',
    facts: { count, product, hours },
  }))
}
