import { isSaleLawful, type MedicineClass } from '@aisle/contract/catalog/product'
import type { MessageRefusal } from '@aisle/contract/device/messages'
import type { SlotState } from '@aisle/contract/fleet/states'
import type { ItemState, PaymentMethod, Problem, ShipState } from '@aisle/contract/trade/states'
import type { MachineRef } from './trade.types'

/** 101: broken wire, the motor never turned. All else that brought nothing out is a jam (docs/DEVICES.md). */
const MOTOR_BROKEN = '101'

/** Motor and sensor are kept apart: the light curtain decides what came out, the motor only how it failed. */
export function itemOutcome(result: { ok: boolean; motorCode?: string }): Exclude<ItemState, 'waiting' | 'no_answer'> {
  if (result.ok) return 'dispensed'
  return result.motorCode === MOTOR_BROKEN ? 'failed' : 'jammed'
}

export type Finish = { shipState: ShipState; problem: Problem | null } | null

/**
 * Where an order ends once each item has its result; null while one is still waiting. Something came out: completed;
 * nothing: invalid. After a timeout the state stays and a late delivery is flagged, never silently flipped.
 */
export function finishOf(
  order: { ship_state: ShipState; problem: Problem | null },
  items: readonly ItemState[],
): Finish {
  const dispensed = items.filter((state) => state === 'dispensed').length
  if (order.ship_state === 'timeout') {
    return dispensed > 0
      ? { shipState: 'timeout', problem: 'late_result' }
      : { shipState: 'timeout', problem: order.problem }
  }
  if (items.includes('waiting')) return null
  const problem = order.problem ?? (dispensed < items.length ? 'undelivered' : null)
  return { shipState: dispensed > 0 ? 'completed' : 'invalid', problem }
}

/** Paid for and not handed out; lottery orders are never refunded (specification §9). */
export function dueBackFen(
  order: { is_lottery: boolean; paid_fen: number; total_fen: number; refunded_fen: number },
  items: readonly { state: ItemState; price_fen: number }[],
): number {
  if (order.is_lottery || order.paid_fen === 0) return 0
  const undelivered = items.filter((item) => item.state !== 'dispensed' && item.state !== 'waiting')
  const worth = undelivered.reduce((sum, item) => sum + item.price_fen, 0)
  // A discounted order pays back the same share of what was paid; rounded down, never more than was paid.
  const share = order.total_fen === 0 ? 0 : Math.floor((worth * order.paid_fen) / order.total_fen)
  return Math.max(0, share - order.refunded_fen)
}

/** Methods whose own rules (codes, cards) are not built yet are refused, not guessed. */
const closedMethods: readonly PaymentMethod[] = ['pickup_code', 'member_card']
export const isMethodOpen = (method: PaymentMethod): boolean => !closedMethods.includes(method)

/** Why a machine may not sell this now; null when it may. */
export function orderRefusal(
  machine: Pick<MachineRef, 'operation' | 'licenceMode'>,
  method: PaymentMethod,
  slots: readonly { state: SlotState; medicineClass: MedicineClass | null }[],
): MessageRefusal | null {
  if (machine.operation === 'stopped') return 'machineStopped'
  if (!isMethodOpen(method)) return 'methodNotOpen'
  if (slots.some((slot) => !isSaleLawful(machine.licenceMode, slot.medicineClass))) return 'notLawful'
  // Prescription-only medicine needs an approved prescription, which no order can carry yet.
  if (slots.some((slot) => slot.medicineClass === 'rx')) return 'notLawful'
  if (slots.some((slot) => slot.state !== 'normal')) return 'slotNotForSale'
  return null
}

/** What a reported sale comes to: prices as the machine asked them, and whether the money fits. */
export function saleTotals(sale: { paidFen: number; items: readonly { priceFen: number }[] }): {
  totalFen: number
  discountFen: number
  problem: Problem | null
} {
  const totalFen = sale.items.reduce((sum, item) => sum + item.priceFen, 0)
  return { totalFen, discountFen: 0, problem: totalFen === sale.paidFen ? null : 'amount_mismatch' }
}
