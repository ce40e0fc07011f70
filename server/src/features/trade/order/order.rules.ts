import { isSaleLawful, type MedicineClass } from '@aisle/contract/catalog/product'
import type { MessageRefusal } from '@aisle/contract/device/messages'
import { maskedCode } from '@aisle/contract/pickup/code'
import type { SlotState } from '@aisle/contract/fleet/states'
import type { BusinessType, ItemState, PaymentMethod, Problem, ShipState } from '@aisle/contract/trade/states'
import { stakeFen } from '../../lottery/public'
import type { MachineRef } from '../trade.types'

/** A broken wire, and a piece left in after a jam: the motor never turned. All else is a jam (docs/DEVICES.md). */
const NOT_TURNED: readonly (string | undefined)[] = ['101', '104']

/** Motor and sensor are kept apart: the light curtain decides what came out, the motor only how it failed. */
export function itemOutcome(result: { ok: boolean; motorCode?: string }): Exclude<ItemState, 'waiting' | 'no_answer'> {
  if (result.ok) return 'dispensed'
  return NOT_TURNED.includes(result.motorCode) ? 'failed' : 'jammed'
}

/** Whether a piece that is told of came out beside the one that was handed over for it meanwhile. */
export const isSecond = (item: { state: ItemState; redelivered_at: Date | null }, told: ItemState): boolean =>
  told === 'dispensed' && item.state === 'dispensed' && item.redelivered_at !== null

export type Finish = { shipState: ShipState; problem: Problem | null } | null

/**
 * Where an order ends once each item has its result; null while one is still waiting. Something came out: completed;
 * nothing: invalid. After a timeout the state stays and a late delivery is flagged, never silently flipped.
 */
export function finishOf(
  order: { ship_state: ShipState; problem: Problem | null; is_lottery: boolean },
  items: readonly ItemState[],
): Finish {
  const dispensed = items.filter((state) => state === 'dispensed').length
  // Came out though nothing was won: nobody told the machine to.
  if (order.ship_state === 'lottery_lost') return { shipState: 'lottery_lost', problem: 'late_result' }
  if (order.ship_state === 'timeout') {
    return dispensed > 0
      ? { shipState: 'timeout', problem: 'late_result' }
      : { shipState: 'timeout', problem: order.problem }
  }
  if (items.includes('waiting')) return null
  // No money is due back for a prize that hangs: its play keeps that it is owed (docs/decisions/0019).
  if (order.is_lottery) return { shipState: 'lottery_won', problem: order.problem }
  const problem = order.problem ?? (dispensed < items.length ? 'undelivered' : null)
  return { shipState: dispensed > 0 ? 'completed' : 'invalid', problem }
}

/** A machine alone can't take these: what was spent elsewhere meanwhile is only known here. */
const serverMethods: readonly PaymentMethod[] = ['pickup_code', 'member_card']
export const isMethodOpen = (method: PaymentMethod): boolean => !serverMethods.includes(method)

/** The code that comes with the request pays; there is nothing to wait for. */
export const paysByCode = (method: PaymentMethod): boolean => serverMethods.includes(method)

/** What an order keeps of the code that paid it: of a pick-up code no more than tells it apart, it may be good yet. */
export function keptCode({ method, code }: { method: PaymentMethod; code?: string }): string | null {
  if (!paysByCode(method) || code === undefined) return null
  return method === 'pickup_code' ? maskedCode(code) : code
}

/** What was paid for elsewhere and is only picked up here costs nothing here; a play costs its stake. */
export function askedFen(
  order: { method: string; isLottery?: boolean },
  slot: { price_fen: number | null },
  machine: Pick<MachineRef, 'lotteryPermille' | 'upliftPermille'>,
): number {
  if (order.isLottery) return stakeFen(slot.price_fen ?? 0, machine)
  return order.method === 'pickup_code' ? 0 : (slot.price_fen ?? 0)
}

/** Whose price may be lowered: not of what was paid for elsewhere, nor of a stake. */
export const isReducible = (order: { method: string; isLottery?: boolean | undefined }): boolean =>
  !order.isLottery && order.method !== 'pickup_code'

export type Asked = { method: PaymentMethod; code?: string; prescription?: string; isPlay?: boolean }

/** Spec §3, business type of an order; a play stays one whatever it is paid with. */
export function businessTypeOf(asked: Asked, classes: readonly (MedicineClass | null)[]): BusinessType {
  if (asked.isPlay) return 'lottery'
  if (asked.method === 'pickup_code') return 'pickup'
  if (classes.includes('rx')) return 'prescription'
  return asked.method === 'member_card' ? 'member' : 'sale'
}

/** Why a machine may not sell this now; null when it may, as far as slots and law say. */
export function orderRefusal(
  machine: Pick<MachineRef, 'operation' | 'licenceMode'>,
  asked: Asked,
  slots: readonly { state: SlotState; medicineClass: MedicineClass | null }[],
): MessageRefusal | null {
  if (machine.operation === 'stopped') return 'machineStopped'
  if (paysByCode(asked.method) && asked.code === undefined) return 'codeUnknown'
  if (slots.some((slot) => !isSaleLawful(machine.licenceMode, slot.medicineClass))) return 'notLawful'
  const hasRx = slots.some((slot) => slot.medicineClass === 'rx')
  if (hasRx && asked.prescription === undefined) return 'prescriptionMissing'
  // Nobody plays for medicine.
  if (asked.isPlay && slots.some((slot) => slot.medicineClass !== null)) return 'notLawful'
  // Of a code whose product is offline the code itself says that it is not valid.
  const isByCode = asked.method === 'pickup_code'
  if (!isByCode && slots.some((slot) => slot.state === 'offline')) return 'productOffline'
  const isForSale = (state: SlotState) =>
    state === 'normal' || (isByCode && (state === 'reserved_only' || state === 'offline'))
  if (!slots.every((slot) => isForSale(slot.state))) return 'slotNotForSale'
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
