import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { pickupCodeState } from './states'
import { stateNames } from '../kernel/states'

export const pickupRefusals = defineRefusals('pickup', {
  'pickupCode.overLimit': 409,
  'pickupCode.unknownProduct': 422,
  'pickupCode.offSale': 422,
  'pickupCode.unknownPlace': 422,
  'pickupCode.badExpiry': 422,
  'pickupCode.beyond': 403,
  /** What is asked of the codes touches machines out of the caller's sight. */
  'pickupCode.unseen': 403,
  'pickupCode.inHand': 409,
  'pickupCode.state': 409,
  'pickupCode.cancelled': 409,
  'pickupCode.nothingLeft': 409,
})

export const MOST_CODES = 100_000
export const MOST_PIECES = 20
/** Cards that are looked at and printed at once. */
export const MOST_PRINTED = 500
const MOST_PLACES = 200

/** Spec §5: product codes, separated by an asterisk. */
export const contentOf = (text: string): string[] => text.split('*').map((code) => code.trim())

export const pickupScopes = ['all', 'machines', 'points', 'groups'] as const
/** How a batch stands as a whole; its codes have states of their own. */
export const pickupBatchStates = ['making', 'ready', 'usedUp', 'invalid', 'expired', 'cancelled'] as const
export const pickupBatchState = stateNames(pickupBatchStates, { over: ['usedUp', 'expired', 'cancelled'] })

const places = z.array(zId).max(MOST_PLACES).default([])
const zReason = z.string().trim().min(2).max(200)

const wanted = z
  .strictObject({
    merchantId: zId,
    description: z.string().trim().min(1).max(80),
    content: z
      .string()
      .trim()
      .min(2)
      .max(850)
      .refine((text) => contentOf(text).every((code) => code.length >= 2)),
    quantity: z.coerce.number().int().min(1).max(MOST_PIECES).default(1),
    pickupsAllowed: z.coerce.number().int().min(1).max(99).default(1),
    count: z.coerce.number().int().min(1).max(MOST_CODES).default(1),
    scope: z.enum(pickupScopes).default('all'),
    machineIds: places,
    pointIds: places,
    groupIds: places,
    /** The last day on which they are good; half a year when it is left open (spec §9). */
    expiresOn: zDay.nullable().default(null),
  })
  .refine(({ content, quantity }) => contentOf(content).length === quantity, {
    path: ['content'],
    params: { domain: 'pickup', rule: 'contentQuantity' },
  })
  .refine(placesFit('machines', 'machineIds'), { path: ['machineIds'], params: { domain: 'pickup', rule: 'places' } })
  .refine(placesFit('points', 'pointIds'), { path: ['pointIds'], params: { domain: 'pickup', rule: 'places' } })
  .refine(placesFit('groups', 'groupIds'), { path: ['groupIds'], params: { domain: 'pickup', rule: 'places' } })
export type WantedBatch = z.output<typeof wanted>

/** Places are named for the scope that they are of, and for no other. */
function placesFit(scope: string, name: 'machineIds' | 'pointIds' | 'groupIds') {
  return (input: { scope: string } & Record<typeof name, readonly number[]>) =>
    input.scope === scope ? input[name].length > 0 : input[name].length === 0
}

const wantedRefusals = [
  'request.notFound',
  'pickupCode.unknownProduct',
  'pickupCode.offSale',
  'pickupCode.unknownPlace',
  'pickupCode.badExpiry',
  'pickupCode.beyond',
] as const

const goods = z.object({ code: z.string(), name: z.string(), quantity: z.int() })

/** What would be made, before it is. */
export const previewBatch = endpoint({
  name: 'pickup.previewBatch',
  method: 'POST',
  path: '/api/pickup-batches/preview',
  access: 'pickupCode.write',
  input: wanted,
  output: z.object({
    goods: z.array(
      goods.extend({
        isPrescription: z.boolean(),
        /** Machines of the scope that have it in a slot, filled or not. */
        machines: z.int(),
      }),
    ),
    count: z.int(),
    /** What one code gives over all its pick-ups. */
    pieces: z.int(),
    expiresAt: zInstant,
    machines: z.int(),
    /** Of these, machines that have all of the content. */
    complete: z.int(),
    /** Machines of the scope that take no codes for the moment, since too many wrong ones were typed. */
    blocked: z.array(z.object({ code: z.string(), name: z.string(), until: zInstant })),
    limit: z.int().nullable(),
    inForce: z.int(),
    isOverLimit: z.boolean(),
    /** Of what is to be had at today's list prices, all codes together. */
    valueFen: zFenPositive,
  }),
  refusals: [...wantedRefusals],
  summary: 'What a batch of pick-up codes would give, where, until when, and whether the limit allows it',
})

export const addBatch = endpoint({
  name: 'pickup.addBatch',
  method: 'POST',
  path: '/api/pickup-batches',
  access: 'pickupCode.write',
  writes: true,
  input: wanted,
  output: z.object({ id: z.int() }),
  refusals: [...wantedRefusals, 'pickupCode.overLimit'],
  summary: 'Make one pick-up code or up to 100,000; many are made by a job that shows how far it is',
})

const batch = z.object({
  id: z.int(),
  description: z.string(),
  state: z.enum(pickupBatchStates),
  merchantName: z.string(),
  content: z.string(),
  goods: z.string(),
  pickupsAllowed: z.int(),
  scope: z.enum(pickupScopes),
  count: z.int(),
  made: z.int(),
  expiresAt: zInstant,
  createdAt: zInstant,
  createdByName: z.string().nullable(),
})
export type PickupBatch = z.output<typeof batch>

export const listBatches = listEndpoint({
  name: 'pickup.listBatches',
  path: '/api/pickup-batches',
  access: 'pickupCode.read',
  summary: 'Batches of pick-up codes, newest first; a single code is a batch of one',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(pickupBatchStates).optional(),
    merchantId: zId.optional(),
    product: zSearch.optional(),
  },
  sorts: ['newest'],
  item: batch,
})

export const batchFields = {
  id: { kind: 'count' },
  description: { kind: 'text' },
  state: stateField('batchState', pickupBatchStates, {
    making: 'busy',
    ready: 'good',
    usedUp: 'idle',
    invalid: 'bad',
    expired: 'idle',
    cancelled: 'idle',
  }),
  merchantName: { kind: 'text' },
  merchantId: { kind: 'ref', to: 'shgl/wdsh', by: 'id' },
  content: { kind: 'text' },
  goods: { kind: 'text' },
  quantity: { kind: 'count' },
  pickupsAllowed: { kind: 'count' },
  scope: { kind: 'state', words: 'scope', tones: {} },
  count: { kind: 'count' },
  made: { kind: 'count' },
  expiresAt: { kind: 'dateTime' },
  createdAt: { kind: 'dateTime' },
  createdByName: { kind: 'text' },
} satisfies Fields

const place = z.object({ kind: z.enum(['machine', 'point', 'group']), code: z.string(), name: z.string() })

export const getBatch = endpoint({
  name: 'pickup.getBatch',
  method: 'GET',
  path: '/api/pickup-batches/{id}',
  access: 'pickupCode.read',
  input: z.strictObject({ id: zId }),
  output: batch.extend({
    products: z.array(goods),
    places: z.array(place),
    byState: z.array(z.object({ state: z.enum(pickupCodeState.states), count: z.int() })),
    pieces: z.int(),
    shipped: z.int(),
    cancelledAt: zInstant.nullable(),
    cancelledByName: z.string().nullable(),
    cancelReason: z.string(),
    /** Its codes still have to follow a cancellation or a later expiry. */
    isFollowing: z.boolean(),
    /** Codes that can still be printed: in force, or invalid for the moment. */
    living: z.int(),
  }),
  refusals: ['request.notFound'],
  summary: 'One batch: how far it is made, what it gives where, and how its codes stand',
})

const changed = z.object({ id: z.int() })

export const cancelBatch = endpoint({
  name: 'pickup.cancelBatch',
  method: 'POST',
  path: '/api/pickup-batches/{id}/cancel',
  access: 'pickupCode.cancel',
  writes: true,
  input: z.strictObject({ id: zId, reason: zReason }),
  output: changed,
  refusals: ['request.notFound', 'pickupCode.unseen', 'pickupCode.cancelled', 'pickupCode.nothingLeft'],
  summary: 'End all codes of a batch that are not used up; what is not made yet is not made',
})

export const extendBatch = endpoint({
  name: 'pickup.extendBatch',
  method: 'POST',
  path: '/api/pickup-batches/{id}/extend',
  access: 'pickupCode.write',
  writes: true,
  input: z.strictObject({ id: zId, expiresOn: zDay }),
  output: changed,
  refusals: [
    'request.notFound',
    'pickupCode.cancelled',
    'pickupCode.badExpiry',
    'pickupCode.beyond',
    'pickupCode.nothingLeft',
  ],
  summary: 'Let the codes of a batch that are still in force be good for longer',
})

export const releaseUses = ['print', 'export'] as const

/** Every time that codes leave the house in clear begins here, so that who had them stands in the log. */
export const releaseCodes = endpoint({
  name: 'pickup.releaseCodes',
  method: 'POST',
  path: '/api/pickup-batches/{id}/release',
  access: 'pickupCode.reveal',
  writes: true,
  input: z
    .strictObject({
      id: zId,
      use: z.enum(releaseUses),
      fromSerial: z.coerce.number().int().min(1).max(MOST_CODES).default(1),
      toSerial: z.coerce.number().int().min(1).max(MOST_CODES),
    })
    .refine(({ fromSerial, toSerial }) => fromSerial <= toSerial, { path: ['toSerial'] })
    .refine(({ use, fromSerial, toSerial }) => use !== 'print' || toSerial - fromSerial < MOST_PRINTED, {
      path: ['toSerial'],
      params: { domain: 'pickup', rule: 'mostPrinted' },
    }),
  output: z.object({ releaseId: z.int(), count: z.int() }),
  refusals: ['request.notFound', 'pickupCode.unseen', 'pickupCode.nothingLeft'],
  summary: 'Open codes of a batch in clear for printing or a file, for the caller alone and for a day',
})

const released = z.object({
  id: z.int(),
  serial: z.int(),
  code: z.string(),
  description: z.string(),
  goods: z.string(),
  merchantName: z.string(),
  expiresAt: zInstant,
})
export type ReleasedCode = z.output<typeof released>

export const listReleased = listEndpoint({
  name: 'pickup.listReleased',
  path: '/api/pickup-codes/released',
  access: 'pickupCode.reveal',
  summary: 'Codes in clear that the caller has opened, for cards and files',
  filters: { releaseId: zId },
  sorts: ['serial'],
  item: released,
})

export const releasedFields = {
  serial: { kind: 'count' },
  code: { kind: 'code' },
  description: { kind: 'text' },
  goods: { kind: 'text' },
  merchantName: { kind: 'text' },
  expiresAt: { kind: 'dateTime' },
} satisfies Fields

export const listContentProducts = listEndpoint({
  name: 'pickup.listContentProducts',
  path: '/api/pickup-products',
  access: 'pickupCode.write',
  summary: 'Products on sale that a merchant may give for a code: its own and those of the merchants above',
  filters: { merchantId: zId, q: zSearch.optional() },
  sorts: ['name'],
  item: z.object({ id: z.int(), code: z.string(), name: z.string(), specification: z.string() }),
})
