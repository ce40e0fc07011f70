import { addBatch, cancelBatch } from '@aisle/contract/pickup/batch'
import { logOutPickupCode } from '@aisle/contract/pickup/pickupCode'
import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { DAY_MS } from '../calendar'
import { DEMO_OPERATOR } from '../data/merchants'
import { handedOut } from '../data/pickup'
import { idOf, type Ids } from '../people/people'
import type { Past } from './within'

/** A batch of codes with all that is in it, now. @returns its id */
export async function makeBatch({ as, run }: Past, batch: CallOf<typeof addBatch>): Promise<number> {
  const { id } = await as('deputy', addBatch, batch)
  await run('pickup.makeCodes', { batchId: id })
  return id
}

/** The codes that the desk gave out of late, for goods that stand in most machines: good, over, or taken back. */
export async function handOut(past: Past, merchants: Ids): Promise<void> {
  const { as, at, latestMs, run, tx } = past
  const ago = (days: number) => latestMs - days * DAY_MS
  for (const { merchant, goods, places, pickups, state, reason, ...batch } of handedOut) {
    const merchantId = idOf(merchants, merchant)
    const usual = await sql<{ codes: string[]; points: number[] }>`select
        array(select p.code from machine m join slot s on s.machine_id = m.id join product p on p.id = s.product_id
          where m.merchant_id = ${merchantId} and p.medicine_class is null and p.state = 'online'
          group by p.id order by count(distinct m.id) desc, p.id limit 4) as codes,
        array(select m.point_id from machine m where m.merchant_id = ${merchantId}
          group by 1 order by count(*) desc, 1 limit ${sql.lit(Math.max(1, places))}) as points`.execute(tx)
    const { codes = [], points = [] } = usual.rows[0] ?? {}
    const content = goods.flatMap((nth) => codes[nth] ?? [])
    if (content.length === 0) continue
    at(ago(batch.madeDaysAgo))
    const id = await makeBatch(past, {
      merchantId,
      description: batch.description,
      count: batch.count,
      pickupsAllowed: pickups,
      content: content.join('*'),
      quantity: content.length,
      ...(places > 0 ? { scope: 'points', pointIds: points } : {}),
      expiresOn: new Date(ago(-batch.goodForDays)).toISOString().slice(0, 10),
    })
    at(ago(1))
    const by = merchant === DEMO_OPERATOR ? 'merchant' : 'deputy'
    if (state === 'cancelled') await as(by, cancelBatch, { id, reason })
    if (state !== 'logged_out') continue
    const made = await sql<{ id: number }>`select id from pickup_code where batch_id = ${id}`.execute(tx)
    for (const code of made.rows) await as(by, logOutPickupCode, { id: code.id, reason })
  }
  at(latestMs)
  await run('pickup.sweep')
}
