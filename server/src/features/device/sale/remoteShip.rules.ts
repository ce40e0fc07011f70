import { isSaleLawful, type MedicineClass } from '@aisle/contract/catalog/product'
import type { remoteShipRefusals } from '@aisle/contract/device/remoteShip'
import type { Connection } from '@aisle/contract/fleet/states'

export type ShipRefusal = (typeof remoteShipRefusals)[number] | 'command.retired' | 'command.offline'

export type ShipQuestion = {
  machine: { id: number; isRetired: boolean; connection: Connection; licenceMode: 'none' | 'retail' | 'hospital' }
  slot: {
    productId: number | null
    stock: number
    fault: string | null
    /** By hand, by an excursion or by a recall. */
    isLocked: boolean
    /** Why medicine in it may not come out, whatever the machine is asked. */
    medicine: 'batchNotForSale' | 'prescriptionMissing' | null
    medicineClass: MedicineClass | null
  } | null
  /** Undefined: given away. Null: the order that was named is not there. */
  order: OrderDue | null | undefined
}

/** An order with what of it had not come out. */
export type OrderDue = {
  machineId: number
  isPaid: boolean
  isRepaid: boolean
  /** Items that were paid for and did not come out, of any product. */
  due: readonly { index: number; productId: number }[]
  /** Of these, items that are on their way by another remote dispense, or may have come out by one. */
  underWay: readonly number[]
}

/** The item of the order that this slot makes good; null when there is none. */
export function itemFor(order: OrderDue, productId: number | null): number | null {
  return order.due.find((item) => item.productId === productId && !order.underWay.includes(item.index))?.index ?? null
}

/** Why nothing may be let out; null when it may. The law is the same as for any order (domain rules, medicine). */
export function shipRefusal({ machine, slot, order }: ShipQuestion): ShipRefusal | null {
  if (machine.isRetired) return 'command.retired'
  if (machine.connection !== 'online') return 'command.offline'
  if (!slot || slot.productId === null) return 'remoteShip.noSlot'
  if (slot.isLocked) return 'remoteShip.locked'
  if (slot.fault) return 'remoteShip.fault'
  if (slot.stock <= 0) return 'remoteShip.empty'
  if (!isSaleLawful(machine.licenceMode, slot.medicineClass)) return 'remoteShip.unlawful'
  // Without an order there is no prescription that could allow it.
  if (slot.medicineClass === 'rx' && !order) return 'remoteShip.prescription'
  if (slot.medicine === 'batchNotForSale') return 'remoteShip.batch'
  if (slot.medicine === 'prescriptionMissing') return 'remoteShip.limited'
  return order === undefined ? null : orderRefusal(order, machine.id, slot.productId)
}

function orderRefusal(order: OrderDue | null, machineId: number, productId: number): ShipRefusal | null {
  if (!order) return 'remoteShip.noOrder'
  if (order.machineId !== machineId) return 'remoteShip.otherMachine'
  if (order.isRepaid) return 'remoteShip.repaid'
  if (!order.isPaid || order.due.length === 0) return 'remoteShip.nothingDue'
  if (!order.due.some((item) => item.productId === productId)) return 'remoteShip.otherProduct'
  return itemFor(order, productId) === null ? 'remoteShip.again' : null
}
