import * as tour from '@aisle/contract/field/replenishmentOrder'
import * as outbound from '@aisle/contract/stock/outbound'
import { sql } from 'kysely'
import { HOUR_MS } from '../calendar'
import { hear, newVoice, say } from './wire'
import type { Past } from './within'

/** How far each tour has come; those that fill machines are last, since the others find nothing to bring after them. */
const comeTo = ['draft', 'released', 'cancelled', 'picked', 'underWay', 'closed'] as const
type End = (typeof comeTo)[number]
type Store = { warehouseId: number; productIds: number[]; machineIds: number[] }
const REPLENISHER = 'operator'

/** Tours to machines that need what lies in the warehouse; comes after the goods were bought. */
export async function driveTours(past: Past): Promise<void> {
  const store = await findStore(past)
  if (!store) return
  const { warehouseId, productIds, machineIds } = store
  const replenisherId = past.idOf('user', REPLENISHER)
  for (const [at, end] of comeTo.entries()) {
    const machineId = machineIds[at % machineIds.length]
    // Nobody else sets out to a machine that somebody is under way to.
    if (machineId === undefined || machineIds.length < 2) break
    past.at(past.latestMs - 4 * HOUR_MS)
    await drive(past, store, { machineId, end })
  }
  const lines = productIds.map((productId) => ({ productId, quantity: 6 }))
  await past.as('merchant', outbound.addOutboundOrder, { warehouseId, replenisherId, lines, note: '门店补货' })
}

/** Machines that hold least of what lies there and that nobody filled today, and who fills them. */
async function findStore({ tx, latestMs }: Past): Promise<Store | undefined> {
  const found = await sql<Store>`
    select w.id as "warehouseId", v.ids as "productIds", array(
        select m.id from machine m join slot s on s.machine_id = m.id and s.product_id = any(v.ids)
        left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
        where m.merchant_id = w.merchant_id and s.choice = 'none' and not exists (
          select from slot f join stock_move v on v.to_place_id = f.place_id
            and v.moved_at > ${new Date(latestMs - 4 * HOUR_MS)} where f.machine_id = m.id)
        group by m.id order by min(coalesce(l.quantity, 0)::float8 / s.capacity), m.id limit ${sql.lit(comeTo.length)}
      ) as "machineIds"
    from warehouse w join app_user u on u.merchant_id = w.merchant_id and u.account = ${REPLENISHER}
    cross join lateral (select array_agg(product_id) as ids from stock_value
      where place_id = w.place_id and pieces > 0) v
    where v.ids is not null order by w.id limit 1`.execute(tx)
  return found.rows[0]
}

async function drive(past: Past, store: Store, { machineId, end }: { machineId: number; end: End }): Promise<void> {
  const { as, at, idOf, latestMs } = past
  const { warehouseId, productIds } = store
  const replenisherId = idOf('user', REPLENISHER)
  const wanted = { warehouseId, replenisherId, machineIds: [machineId], coverDays: 30 }
  const { id } = await as('merchant', tour.addReplenishmentOrder, wanted)
  const { version, stops } = await as('merchant', tour.getReplenishmentOrder, { id })
  // What the warehouse lacks is not taken along.
  const lines = stops.flatMap((stop) =>
    stop.lines.map(({ slotId, productId, bring }) => ({ slotId, bring: productIds.includes(productId) ? bring : 0 })),
  )
  await as('merchant', tour.editReplenishmentOrder, { id, version, lines })
  if (end === 'draft' || !lines.some(({ bring }) => bring > 0)) return
  await as('merchant', tour.releaseReplenishmentOrder, { id })
  if (end === 'released') return
  await as('merchant', tour.loadReplenishmentOrder, { id })
  if (end === 'cancelled') return void (await as('merchant', tour.cancelReplenishmentOrder, { id, reason: '雨天改期' }))
  const { outbound: out } = await as('merchant', tour.getReplenishmentOrder, { id })
  if (!out) return
  const { picks } = await as('merchant', outbound.getOutboundOrder, { id: out.id })
  await as('merchant', outbound.pickOutboundOrder, { id: out.id, picks: picks.map(lotOf) })
  if (end === 'picked') return
  await as('merchant', outbound.loadOutboundOrder, { id: out.id })
  await as('operator', tour.departReplenishmentOrder, { id })
  at(latestMs - 2 * HOUR_MS)
  await fill(past, id)
  if (end === 'underWay') return
  at(latestMs - HOUR_MS)
  await as('operator', tour.finishReplenishmentOrder, { id })
  const { inBag } = await as('merchant', outbound.getOutboundOrder, { id: out.id })
  await as('merchant', outbound.closeOutboundOrder, { id: out.id, returns: inBag.map(lotOf) })
}

type Lot = { productId: number; batch: string; quantity: number }
const lotOf = ({ productId, batch, quantity }: Lot): Lot => ({ productId, batch, quantity })

/** As the machine says it: of each slot a little less than was planned. */
async function fill(past: Past, id: number): Promise<void> {
  const voice = newVoice(past, `tour-${id}`)
  const atMs = past.latestMs - 2 * HOUR_MS
  const { stops } = await past.as('merchant', tour.getReplenishmentOrder, { id })
  const said = stops.flatMap(({ machineCode, lines }) =>
    lines.flatMap(({ slotCode, productCode, there, bring }) => {
      const change = bring - 1
      const counted = { before: there, change, after: there + change, cause: 'fill', user: REPLENISHER }
      const about = { slot: slotCode, product: productCode, ...counted }
      return change > 0 ? [say(voice, machineCode, 'stock.delta', about, { atMs })] : []
    }),
  )
  await hear(voice, said)
}
