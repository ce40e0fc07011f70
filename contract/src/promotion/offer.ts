import { z } from 'zod'
import { listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFenPositive } from '../kernel/money'

/** By what a slot is cheaper for whoever stands before it, or that it is for holders of cards alone. */
export const offerSources = ['plan', 'markdown', 'member'] as const

const offer = z.object({
  /** Of the slot. */
  id: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  slotCode: z.string(),
  productId: z.int(),
  productName: z.string(),
  listFen: zFenPositive,
  priceFen: zFenPositive,
  struckFen: zFenPositive.nullable(),
  /** What holders of cards pay from so much on, and by what; null where they pay what anybody does. */
  memberFen: zFenPositive.nullable(),
  memberReason: z.string(),
  source: z.enum(offerSources),
  /** The plans that made it, or the reason of the markdown. */
  reason: z.string(),
  planId: z.int().nullable(),
  priority: z.int(),
  /** What would make it cheaper too by now, and is passed over for this. */
  passedOver: z.string(),
  /** The last day, where there is one. */
  endsOn: zDay.nullable(),
  beganAt: zInstant,
  merchantName: z.string(),
})
export type Offer = z.output<typeof offer>

export const listOffers = listEndpoint({
  name: 'promotion.listOffers',
  path: '/api/price-offers',
  access: 'discount.read',
  summary:
    'Slots that are cheaper now for whoever stands before them or holds a card: by what, from when and until when',
  filters: {
    /** Product, machine or what it is cheaper by. */
    q: zSearch.optional(),
    source: zAnyOf(offerSources).optional(),
    code: zSearch.optional(),
    productId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest', 'priority', 'price'],
  item: offer,
})

export const offerFields = {
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  slotCode: { kind: 'code' },
  productName: { kind: 'text', to: 'spgl/wdsp', search: { open: 'productId' } },
  listFen: { kind: 'money' },
  priceFen: { kind: 'money' },
  struckFen: { kind: 'money' },
  memberFen: { kind: 'money' },
  memberReason: { kind: 'text' },
  source: { kind: 'state', words: 'offerSource', tones: { plan: 'good', markdown: 'busy', member: 'idle' } },
  reason: { kind: 'text', to: 'yxch/yxfagl', search: { open: 'planId' } },
  priority: { kind: 'count' },
  passedOver: { kind: 'text' },
  endsOn: { kind: 'day' },
  beganAt: { kind: 'dateTime' },
  merchantName: { kind: 'text' },
} satisfies Fields
