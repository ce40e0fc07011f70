import { sql } from 'kysely'
import { rows } from '../db/rows'
import { type Move, recordMoves } from '../features/stock/public'
import type { Tx } from '../kernel/context'
import { DAY_MS } from './calendar'
import type { Planned, SlotIds } from './fleet'
import type { MachineHistory } from './history'
import { idOf, type Ids } from './people'

export type Traded = Planned & { history: MachineHistory; machineId: number; merchantId: number; slotIds: SlotIds }
export type Places = { supplier: Ids; warehouse: Ids; customer: Ids }

const PERIOD_MS = 14 * DAY_MS
/** Cases of a dozen arrive the day before the fortnight in which they are filled in. */
const CASE = 12

/** Where each merchant's goods come from, wait, and go: ids by merchant code. */
export async function seedPlaces(tx: Tx, merchantIds: Ids): Promise<Places> {
  const wanted = [...merchantIds].flatMap(([code, merchantId]) => [
    { merchantId, kind: 'supplier', name: '', code },
    { merchantId, kind: 'customer', name: '', code },
    { merchantId, kind: 'warehouse', name: '中心仓', code },
  ])
  const made = await sql<{ id: number; merchant_id: number; kind: keyof Places }>`
    insert into place (merchant_id, kind, name)
    select * from ${rows('p', wanted, { merchantId: 'bigint', kind: 'text', name: 'text' })}
    returning id, merchant_id, kind`.execute(tx)
  const codes = new Map([...merchantIds].map(([code, id]) => [id, code]))
  const ids = (kind: keyof Places): Ids =>
    new Map(made.rows.filter((row) => row.kind === kind).map((row) => [codes.get(row.merchant_id) ?? '', row.id]))
  return { supplier: ids('supplier'), warehouse: ids('warehouse'), customer: ids('customer') }
}

/**
 * Everything that came in: bought into the merchants' warehouses, filled from there into slots. One statement, so that
 * a warehouse's level appears as what is left of both.
 */
export async function seedSupply(tx: Tx, traded: readonly Traded[], places: Places, productIds: Ids): Promise<void> {
  const fills = traded.flatMap(({ machine, slots, history, merchantId, slotIds }) =>
    history.fills.flatMap(({ slot, quantity, batch, atMs, day }): Fill[] => {
      const product = slots[slot]?.product
      if (!product) return []
      return [
        {
          merchant: machine.merchant,
          move: {
            merchantId,
            movedAt: new Date(atMs),
            productId: idOf(productIds, product.code),
            quantity,
            fromPlaceId: idOf(places.warehouse, machine.merchant),
            toPlaceId: slotIds[slot]?.placeId ?? 0,
            cause: 'fill',
            reference: `fill/${machine.code}/${day}`,
            batch,
          },
        },
      ]
    }),
  )
  const moves = fills.map(({ move }) => move)
  await recordMoves(tx, [...purchases(fills, places), ...moves])
}

type Fill = { merchant: string; move: Move }

/** For each fortnight, product and batch the cases that its fills need. */
function purchases(fills: readonly Fill[], places: Places): Move[] {
  const needed = new Map<string, Move>()
  for (const { merchant, move } of fills) {
    const startMs = Math.floor(move.movedAt.getTime() / PERIOD_MS) * PERIOD_MS
    const key = `${merchant}/${move.productId}/${move.batch}/${startMs}`
    const known = needed.get(key)
    if (known) known.quantity += move.quantity
    else {
      const movedAt = new Date(startMs - DAY_MS / 2)
      needed.set(key, {
        ...move,
        movedAt,
        fromPlaceId: idOf(places.supplier, merchant),
        toPlaceId: idOf(places.warehouse, merchant),
        cause: 'purchase',
        reference: `purchase/${merchant}/${movedAt.toISOString().slice(0, 10)}`,
      })
    }
  }
  return [...needed.values()].map((move) => ({ ...move, quantity: Math.ceil(move.quantity / CASE) * CASE }))
}
