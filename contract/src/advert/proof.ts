import { z } from 'zod'
import { listEndpoint, zDay, zId, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFenPositive } from '../kernel/money'
import { priceKinds } from './booking'

const proof = z.object({
  id: z.int(),
  bookingName: z.string(),
  advertiser: z.string(),
  contractNo: z.string(),
  machineCode: z.string(),
  machineName: z.string(),
  pointName: z.string(),
  firstDay: zDay,
  lastDay: zDay,
  days: z.int(),
  bookedPlays: z.int(),
  provenPlays: z.int(),
  offlineHours: z.int(),
  priceKind: z.enum(priceKinds),
  /** Null where the price is for all of the booking. */
  dueFen: zFenPositive.nullable(),
})
export type Proof = z.output<typeof proof>

/** What an advertiser is shown. Nothing in it is estimated: an hour of which a machine said nothing has no plays. */
export const listProof = listEndpoint({
  name: 'advert.listProof',
  path: '/api/advert-proof',
  access: 'advert.read',
  summary: 'By booking and machine: plays that were booked, plays that the machine proved, hours offline, and the due',
  filters: {
    /** Booking, advertiser or contract number. */
    q: zSearch.optional(),
    bookingId: zId.optional(),
    machineCode: zSearch.optional(),
    merchantId: zId.optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['booking', 'proven'],
  item: proof,
  sums: { bookedPlays: z.int(), provenPlays: z.int(), offlineHours: z.int(), dueFen: z.int() },
})

export const proofFields = {
  bookingName: { kind: 'text' },
  advertiser: { kind: 'text' },
  contractNo: { kind: 'text' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  pointName: { kind: 'text' },
  firstDay: { kind: 'day' },
  lastDay: { kind: 'day' },
  days: { kind: 'count' },
  bookedPlays: { kind: 'count' },
  provenPlays: { kind: 'count' },
  offlineHours: { kind: 'count' },
  priceKind: { kind: 'state', words: 'priceKind', tones: {} },
  dueFen: { kind: 'money' },
} satisfies Fields
