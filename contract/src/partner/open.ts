import { z } from 'zod'
import { defineRefusals } from '../kernel/refusal'

/** What shipments are refused, beside what any signed call may be (docs/PARTNERS.md). */
export const shipmentRefusals = defineRefusals('partner', {
  'shipment.reused': 409,
  'shipment.noMachine': 404,
  'shipment.machineOffline': 409,
  'shipment.tooMany': 422,
  'shipment.noProduct': 422,
  'shipment.refused': 422,
  'partnerCallback.waiting': 409,
  'partnerCallback.none': 409,
})

export const MOST_PIECES = 20

const code = z.string().trim().min(1).max(40)
const item = z.union([
  z.strictObject({ slot: z.string().trim().min(1).max(12), quantity: z.int().min(1).max(MOST_PIECES).default(1) }),
  z.strictObject({ product: code, quantity: z.int().min(1).max(MOST_PIECES).default(1) }),
])

export const shipmentRequest = z.strictObject({
  /** Theirs, unique for the interface: asked again with it, nothing is handed out twice. */
  requestNo: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
  machine: code,
  items: z.array(item).min(1).max(MOST_PIECES),
})
export type ShipmentRequest = z.output<typeof shipmentRequest>

export const slotsQuery = z.strictObject({
  cursor: z.string().max(40).optional(),
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
})
