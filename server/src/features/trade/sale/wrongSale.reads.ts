import type { WrongSale } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { businessTime } from '../../../kernel/businessDay'
import type { Tx } from '../../../kernel/context'
import { answers } from '../../../kernel/must'
import { checkSold } from '../../pharmacy/public'
import type { ProductRef, SlotRef } from '../../stock/public'
import type { MachineRef } from '.././trade.types'
import { wrongOf } from './wrongSale.rules'

export type Sold = {
  machine: MachineRef
  slot: SlotRef
  product: ProductRef
  batch: string | null
  occurredAt: Date
  receivedAt: Date
}

/** Later than this the plan may have changed since: the moves say what the slot held. */
const LATE_MS = 10 * 60_000

/** Why each piece that machines sold by themselves should not have been; asked before the stock falls by them. */
export async function findWrong<S extends Sold>(tx: Tx, sold: readonly S[]): Promise<Map<S, WrongSale | null>> {
  const refusalOf = await checkSold(tx, sold.map(soldPieceOf))
  const wasThere = await foundThere(tx, sold)
  return answers(sold, (piece) => {
    const { machine, slot, product } = piece
    const about = { product, medicine: refusalOf(soldPieceOf(piece)), slotProductId: slot.product_id }
    return wrongOf(machine, { ...about, wasThere: wasThere(piece) })
  })
}

const soldPieceOf = ({ machine, slot, product, batch, occurredAt }: Sold) => ({
  placeId: slot.place_id,
  productId: product.id,
  medicineClass: product.medicine_class,
  batch,
  businessDay: businessTime(occurredAt, machine.timeZone).day,
})

async function foundThere(tx: Tx, sold: readonly Sold[]): Promise<(piece: Sold) => boolean> {
  const asked = sold.filter(
    ({ slot, product, occurredAt, receivedAt }) =>
      slot.product_id !== product.id && receivedAt.getTime() - occurredAt.getTime() > LATE_MS,
  )
  if (asked.length === 0) return () => false
  const keyOf = ({ slot, product, occurredAt }: Sold) => `${slot.place_id}/${product.id}/${occurredAt.getTime()}`
  const pieces = asked.map((piece) => {
    const { slot, product, occurredAt } = piece
    return { key: keyOf(piece), placeId: slot.place_id, productId: product.id, at: occurredAt }
  })
  const found = await sql<{ key: string }>`select a.key
    from ${rows('a', pieces, { key: 'text', placeId: 'bigint', productId: 'bigint', at: 'timestamptz' })}
    where exists (select from stock_move m
      where m.to_place_id = a.place_id and m.product_id = a.product_id and m.moved_at <= a.at)`.execute(tx)
  const there = new Set(found.rows.map(({ key }) => key))
  return (piece) => there.has(keyOf(piece))
}
