import { listCareTasks, signCare } from '@aisle/contract/medicine/care'
import { addMarkdown, markDownBatches } from '@aisle/contract/promotion/markdown'
import { sql } from 'kysely'
import { DAY_MS } from '../calendar'
import { users } from '../data/people'
import type { Network } from './standing'
import { hear, newVoice, say } from './wire'
import type { Past } from './within'

/** Batches that were put in long ago: days until they expire, and how many pieces. */
const batches = [
  { number: '24112201', daysLeft: -3, quantity: 3 },
  { number: '24121702', daysLeft: 24, quantity: 4 },
  { number: '25022503', daysLeft: 92, quantity: 5 },
]
const FILLED_DAYS_AGO = 50
const measures = ['通风除湿，检查外观与密封', '核对批号与有效期，清洁货道', '']

type Lot = { machine: string; slot: string; product: string; productId: number } & (typeof batches)[number]

/** Care of last month with one that was missed, what has expired or soon will, and two markdowns; by the pharmacist. */
export async function keepMedicines(past: Past, network: Network): Promise<void> {
  const { as, at, latestMs, run } = past
  const daysAgo = (days: number) => at(latestMs - days * DAY_MS)
  const lots = await putIn(past, network)
  if (lots.length === 0) return
  daysAgo(FILLED_DAYS_AGO - 1)
  await run('medicine.planCare')
  daysAgo(FILLED_DAYS_AGO - 27)
  const { items } = await as('pharmacist', listCareTasks, { state: 'open', pageSize: 12 })
  // The last of those that are due is forgotten.
  const seen = items.filter(({ batch }) => batch !== lots.at(-1)?.number)
  for (const [n, { id }] of seen.entries()) {
    await as('pharmacist', signCare, { id, result: 'ok', measures: measures[n % measures.length] ?? '' })
  }
  for (const days of [10, 0]) {
    daysAgo(days)
    await run('medicine.planCare')
  }
  const near = await sql<{ id: number }>`select l.id from batch_level l join product p on p.id = l.product_id
    where l.batch = ${batches[1]?.number ?? ''} and l.quantity > 0 limit 1`.execute(past.tx)
  const soon = (days: number) => new Date(latestMs + days * DAY_MS).toISOString().slice(0, 10)
  const ids = near.rows.map(({ id }) => id)
  await as('pharmacist', markDownBatches, { ids, paidPercent: 70, endsOn: soon(20), reason: '近效期' })
  const next = { startsOn: soon(5), endsOn: soon(12), reason: '周年店庆' }
  const goods = await sql<{ id: number }>`select p.id from slot s join product p on p.id = s.product_id
    join machine k on k.id = s.machine_id join merchant m on m.id = k.merchant_id
    where p.kind = 'goods' and p.state = 'online' and m.code = 'EAST' group by p.id order by count(*), p.id
    limit 1`.execute(past.tx)
  for (const { id } of goods.rows) await as('merchant', addMarkdown, { productId: id, paidPercent: 85, ...next })
}

/** Into slots that are nearly empty, so that little stands before them. */
async function putIn(past: Past, network: Network): Promise<Lot[]> {
  const pharmacist = users.find(({ account }) => account === 'pharmacist')
  const machines = network.filter(({ machine }) => pharmacist?.sees(machine)).map(({ machine }) => machine.code)
  const slots = await sql<Pick<Lot, 'machine' | 'slot' | 'product' | 'productId'>>`
    select distinct on (p.id) k.code as machine, s.code as slot, p.code as product, p.id as "productId"
    from machine k join slot s on s.machine_id = k.id join product p on p.id = s.product_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = p.id
    where k.code = any(${machines}::text[]) and p.medicine_class = 'otc_b' and s.price_fen > 0
    order by p.id, coalesce(l.quantity, 0), s.id limit ${sql.lit(batches.length)}`.execute(past.tx)
  const lots = slots.rows.flatMap((slot, n): Lot[] => {
    const batch = batches[n]
    return batch ? [{ ...slot, ...batch }] : []
  })
  const voice = newVoice(past, 'shelfLife')
  const atMs = past.latestMs - FILLED_DAYS_AGO * DAY_MS
  past.at(atMs)
  for (const { machine, slot, product, productId, number, daysLeft, quantity } of lots) {
    await sql`insert into medicine_batch (product_id, number, produced_on, expires_on, changed_at)
      select ${productId}, ${number}, e.day - 730, e.day, ${new Date(atMs)}
      from (select (${new Date(past.latestMs)}::timestamptz at time zone 'Asia/Shanghai')::date + ${daysLeft}::int
        as day) e on conflict do nothing`.execute(past.tx)
    const counted = { before: 0, change: quantity, after: quantity, cause: 'fill', user: 'filler' }
    await hear(voice, [say(voice, machine, 'stock.delta', { slot, product, ...counted, batch: number }, { atMs })])
  }
  return lots
}
