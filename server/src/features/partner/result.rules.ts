import type { ShipmentResult } from '@aisle/contract/partner/states'

/** What came of a shipment as a whole; a machine that was silent may still have handed something out. */
export function resultOf(shipState: string, items: readonly string[]): ShipmentResult {
  const dispensed = items.filter((state) => state === 'dispensed').length
  if (dispensed === items.length) return 'dispensed'
  if (dispensed > 0) return 'partly'
  if (shipState === 'timeout') return 'timeout'
  return shipState === 'in_transit' ? 'shipping' : 'failed'
}
