import { listOrders } from '@aisle/contract/trade/order'
import { sql } from 'kysely'
import { listing } from '../../server/src/features/trade/order/order.reads'
import { orderAccessPath } from '../../server/src/features/trade/order/order.accessPath'
import { MOST_COUNTED } from '../../server/src/kernel/list'
import { type Bench, compared, type Line } from './kit/figure'
import { inRotation, timed } from './kit/rounds'

const TIMES = 20

/** The total beside the list, for somebody who sees all of it, beside counting them. */
export async function p2c({ orders, rounds, rows }: Bench): Promise<Line[]> {
  const { pool } = await orders()
  const all = listOrders.input.parse({})
  const sumMs = async () => {
    const seconds = await timed(async () => {
      for (let i = 0; i < TIMES; i += 1)
        await listing(await orderAccessPath(pool.db, { kind: 'all' }, all), all).count(pool.db, MOST_COUNTED)
    })
    return (1000 * seconds) / TIMES
  }
  const countMs = async () => 1000 * (await timed(() => sql`select count(*) from orders`.execute(pool.db)))
  const measured = await inRotation({ anchor: countMs, ours: sumMs }, rounds)
  const what = `the total beside a list of ${rows.toLocaleString('en')}`
  const note = `exact up to ${MOST_COUNTED.toLocaleString('en')}, then "${MOST_COUNTED.toLocaleString('en')}+"`
  return [compared({ id: 'P2c', what, beside: 'count(*)', unit: 'ms', goal: { atMost: 0.01 }, note }, measured)]
}
