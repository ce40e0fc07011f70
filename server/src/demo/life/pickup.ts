import { cancelBatch } from '@aisle/contract/pickup/batch'
import { logOutPickupCode } from '@aisle/contract/pickup/pickupCode'
import { sql } from 'kysely'
import { DAY_MS } from '../calendar'
import { DEMO_OPERATOR } from '../data/merchants'
import { handedOut } from '../data/pickup'
import { makeBatch, usualGoods } from './held'
import type { Past } from './within'

/** The codes that the desk gave out of late, for goods that stand in most machines: good, over, or taken back. */
export async function handOut(past: Past): Promise<void> {
  const { as, at, day, idOf, latestMs, run, tx } = past
  const ago = (days: number) => latestMs - days * DAY_MS
  const usual = await usualGoods(tx, 4)
  for (const { merchant, goods, places, pickups, state, reason, ...batch } of handedOut) {
    const merchantId = idOf('merchant', merchant)
    const content = goods.flatMap((nth) => usual.filter((each) => each.merchantId === merchantId)[nth]?.product ?? [])
    if (content.length === 0) continue
    at(ago(batch.madeDaysAgo))
    const id = await makeBatch(past, {
      merchantId,
      description: batch.description,
      count: batch.count,
      pickupsAllowed: pickups,
      content: content.join('*'),
      quantity: content.length,
      ...(places > 0 ? { scope: 'points', pointIds: await busiestPoints(past, merchantId, places) } : {}),
      expiresOn: day(batch.goodForDays),
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

async function busiestPoints({ tx }: Past, merchantId: number, count: number): Promise<number[]> {
  const found = await sql<{ id: number }>`select point_id as id from machine where merchant_id = ${merchantId}
    group by 1 order by count(*) desc, 1 limit ${sql.lit(count)}`.execute(tx)
  return found.rows.map(({ id }) => id)
}
