import { listCareTasks, signCare } from '@aisle/contract/medicine/care'
import { addBatch } from '@aisle/contract/medicine/batch'
import { addMarkdown, markDownBatches } from '@aisle/contract/promotion/markdown'
import { sql } from 'kysely'
import { DAY_MS } from '../calendar'
import { lateBatches as batches, measures } from '../data/medicines'
import { seenBy } from '../people/people'
import { rareGoods } from './plans'
import type { Network } from './standing'
import { hear, newVoice, say } from './wire'
import type { Past } from './within'

const FILLED_DAYS_AGO = 50

type Lot = { machine: string; slot: string; product: string; productId: number } & (typeof batches)[number]

/** Care of last month with one that was missed, what has expired or soon will, and two markdowns; by the pharmacist. */
export async function keepMedicines(past: Past, network: Network): Promise<void> {
  const { as, at, day, latestMs, run } = past
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
  const ids = near.rows.map(({ id }) => id)
  await as('pharmacist', markDownBatches, { ids, paidPercent: 70, endsOn: day(20), reason: '近效期' })
  const next = { startsOn: day(5), endsOn: day(12), reason: '周年店庆' }
  for (const productId of await rareGoods(past, 1))
    await as('merchant', addMarkdown, { productId, paidPercent: 85, ...next })
}

/** Into slots that are nearly empty, so that little stands before them. */
async function putIn(past: Past, network: Network): Promise<Lot[]> {
  const machines = seenBy('pharmacist', network).map(({ machine }) => machine.code)
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
    await past.as('admin', addBatch, { productId, number, expiresOn: past.day(daysLeft) })
    const counted = { before: 0, change: quantity, after: quantity, cause: 'fill', user: 'filler' }
    await hear(voice, [say(voice, machine, 'stock.delta', { slot, product, ...counted, batch: number }, { atMs })])
  }
  return lots
}
