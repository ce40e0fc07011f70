import type { MessageRefusal } from '@aisle/contract/device/messages'
import { slotState } from '@aisle/contract/fleet/states'
import { type SlotRef, slotKey } from '../../stock/public'
import { type Asked, orderRefusal } from '../order/order.rules'
import type { MachineRef } from '.././trade.types'

/** A slot that something can be sold out of. */
export type SaleSlot = SlotRef & { product_id: number; product_code: string; price_fen: number; cost_fen: number }
/** Pieces by the slot that they are to come out of. */
export type Promised = ReadonlyMap<number, number>

/** The slots of a machine that are chosen, a slot once a piece; or why it may not sell them now. */
export function choose(
  machine: MachineRef,
  asked: Asked & { slots: readonly string[]; promised?: Promised },
  known: ReadonlyMap<string, SlotRef>,
): { refused: MessageRefusal } | { refused: null; slots: SaleSlot[] } {
  const slots = asked.slots.flatMap((code) => known.get(slotKey(machine.id, code)) ?? [])
  if (slots.length < asked.slots.length) return { refused: 'unknownSlot' }
  const refused = orderRefusal(machine, asked, slots.map(stateIn(slots, asked.promised)))
  if (refused) return { refused }
  return slots.every(isFilled) ? { refused: null, slots } : { refused: 'slotNotForSale' }
}

/** Its own place in the row of slots counts: the second piece of a slot finds one less. */
const stateIn = (slots: readonly SlotRef[], promised?: Promised) => (slot: SlotRef, at: number) => ({
  state: slotState({
    ...slot,
    stock: slot.stock - (promised?.get(slot.id) ?? 0) - slots.slice(0, at).filter((before) => before === slot).length,
    priceFen: slot.price_fen,
    hasProduct: slot.product_id !== null,
    isLocked: slot.is_locked,
    isOffline: slot.is_offline,
  }),
  medicineClass: slot.medicine_class,
})

const isFilled = (slot: SlotRef): slot is SaleSlot => slot.product_id !== null && slot.price_fen !== null
