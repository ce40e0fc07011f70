import type { MessageRefusal } from '@aisle/contract/device/messages'
import type { Tx } from '../../../kernel/context'
import type { SlotRef } from '../../stock/public'
import { choose, type Promised, type SaleSlot } from '../sale/choice'
import { holdPromised, promisedBeside } from '../sale/promised.store'
import { orderNoOf } from '../trade.types'
import type { OrderRequest } from './order.quotes'

export type Chosen = { request: OrderRequest; refused: null; slots: readonly SaleSlot[] }
export type Refused = { request: OrderRequest; refused: MessageRefusal }

/** One after the other, so that of two of one batch the second finds what the first is promised. */
export async function chooseAll(
  tx: Tx,
  requests: readonly OrderRequest[],
  slots: ReadonlyMap<string, SlotRef>,
): Promise<(Chosen | Refused)[]> {
  const keeping = requests.filter(({ machine }) => machine.locksStock)
  const pieces = await holdPromised(
    tx,
    keeping.map(({ machine }) => machine.id),
  )
  return requests.map((request) => {
    const { machine, data } = request
    if (!machine.locksStock) return chosenBy(request, slots)
    const orderNo = orderNoOf(machine.code, data.orderNo)
    const chosen = chosenBy(request, slots, promisedBeside(pieces, orderNo))
    // Asked twice in one batch it is still one order.
    const isNew = !pieces.some((each) => each.orderNo === orderNo)
    if (chosen.refused === null && isNew) {
      pieces.push(...chosen.slots.map((slot) => ({ orderNo, slotId: slot.id, pieces: 1 })))
    }
    return chosen
  })
}

function chosenBy(request: OrderRequest, known: ReadonlyMap<string, SlotRef>, promised?: Promised): Chosen | Refused {
  const { machine, data } = request
  const chosen = choose(
    machine,
    { ...data, slots: data.items.map(({ slot }) => slot), ...(promised ? { promised } : {}) },
    known,
  )
  if (chosen.refused !== null) return { request, refused: chosen.refused }
  const isMedicine = chosen.slots.some((slot) => slot.medicine_class !== null)
  if (isMedicine && request.isInDoubt) return { request, refused: 'clockDoubtful' }
  return { request, refused: null, slots: chosen.slots }
}
