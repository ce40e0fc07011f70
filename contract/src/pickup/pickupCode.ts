import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { pickupScopes } from './batch'
import { CODE_LENGTH } from './code'
import { pickupCodeState } from './states'

const code = z.object({
  id: z.int(),
  /** Its last characters; the code itself is shown to nobody who need not know it. */
  tail: z.string(),
  batchId: z.int(),
  serial: z.int(),
  description: z.string(),
  state: z.enum(pickupCodeState.states),
  merchantName: z.string(),
  content: z.string(),
  goods: z.string(),
  /** Of one that is invalid: what of its content is offline; null where its machines are gone. */
  offlineGoods: z.string().nullable(),
  pieces: z.int(),
  shipped: z.int(),
  expiresAt: zInstant,
  createdAt: zInstant,
  createdByName: z.string().nullable(),
  endedAt: zInstant.nullable(),
})
export type PickupCode = z.output<typeof code>

export const listPickupCodes = listEndpoint({
  name: 'pickup.listPickupCodes',
  path: '/api/pickup-codes',
  access: 'pickupCode.read',
  summary: 'Pick-up codes of merchants in sight by their last characters, with what they gave and what is left',
  filters: {
    /** As much as is known of the end of the code; of a whole one only its end is looked for. */
    tail: z.string().trim().toUpperCase().min(1).max(CODE_LENGTH).optional(),
    state: zAnyOf(pickupCodeState.states).optional(),
    batchId: zId.optional(),
    description: zSearch.optional(),
    merchantId: zId.optional(),
    /** That had it in hand. */
    machineCode: zSearch.optional(),
    product: zSearch.optional(),
    /** Days on which it ends. */
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['newest', 'expiry'],
  item: code,
  /** At today's list prices: of all that the codes give, and of what can still be had. */
  sums: { valueFen: zFen, leftFen: zFen },
})

export const codeFields = {
  id: { kind: 'count' },
  tail: { kind: 'code' },
  batchId: { kind: 'count' },
  serial: { kind: 'count' },
  description: { kind: 'text' },
  state: stateField('pickupCodeState', pickupCodeState, {
    unused: 'good',
    in_use: 'busy',
    partly_shipped: 'warn',
    fully_shipped: 'idle',
    used: 'idle',
    expired: 'idle',
    cancelled: 'idle',
    invalid: 'bad',
    logged_out: 'idle',
  }),
  merchantName: { kind: 'text' },
  content: { kind: 'text' },
  goods: { kind: 'text' },
  offlineGoods: { kind: 'text' },
  pieces: { kind: 'count' },
  shipped: { kind: 'count' },
  machineCode: { kind: 'code' },
  expiresAt: { kind: 'dateTime' },
  createdAt: { kind: 'dateTime' },
  createdByName: { kind: 'text' },
  endedAt: { kind: 'dateTime' },
} satisfies Fields

/** What a machine is told that asks for a code which is one of ours and gives nothing there and then. */
export const codeRefusals = ['codeSpent', 'codeExpired', 'codeElsewhere', 'codeInvalid', 'contentDiffers'] as const

export const codeEvents = [
  'made',
  'held',
  'dispensed',
  'givenBack',
  'late',
  'refused',
  'released',
  'revealed',
  'ended',
] as const

const event = z.object({
  kind: z.enum(codeEvents),
  at: zInstant,
  machineCode: z.string().nullable(),
  machineName: z.string().nullable(),
  orderNo: z.string().nullable(),
  /** Pieces that were asked for, that came out or that are free again. */
  pieces: z.int().nullable(),
  /** Of late ones, those whose place had gone to another pick-up. */
  extra: z.int().nullable(),
  refusal: z.enum(codeRefusals).nullable(),
  byName: z.string().nullable(),
})
export type CodeEvent = z.output<typeof event>

export const getPickupCode = endpoint({
  name: 'pickup.getPickupCode',
  method: 'GET',
  path: '/api/pickup-codes/{id}',
  access: 'pickupCode.read',
  input: z.strictObject({ id: zId }),
  output: code.extend({
    scope: z.enum(pickupScopes),
    pickupsAllowed: z.int(),
    products: z.array(
      z.object({
        id: z.int(),
        code: z.string(),
        name: z.string(),
        isOffline: z.boolean(),
        /** It came out in the pick-up under way. */
        isOut: z.boolean(),
      }),
    ),
    reason: z.string(),
    endedByName: z.string().nullable(),
    batchCount: z.int(),
    /** Newest first; at most the last 100. */
    events: z.array(event),
  }),
  refusals: ['request.notFound'],
  summary: 'One code: its content, its batch, and all that happened to it with machine, order and time',
})

const ending = {
  method: 'POST',
  access: 'pickupCode.cancel',
  writes: true,
  input: z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'pickupCode.unseen', 'pickupCode.inHand', 'pickupCode.state'],
} as const

export const cancelPickupCode = endpoint({
  ...ending,
  name: 'pickup.cancelPickupCode',
  path: '/api/pickup-codes/{id}/cancel',
  summary: 'End a code before it is used up; the room that it took in the merchant’s limit is free again',
})

export const logOutPickupCode = endpoint({
  ...ending,
  name: 'pickup.logOutPickupCode',
  path: '/api/pickup-codes/{id}/log-out',
  summary: 'Take a code back from whoever had it',
})

export const markPickupCodeUsed = endpoint({
  ...ending,
  name: 'pickup.markPickupCodeUsed',
  path: '/api/pickup-codes/{id}/mark-used',
  summary: 'Say that what a machine still owes on a code was made good otherwise',
})

export const revealPickupCode = endpoint({
  name: 'pickup.revealPickupCode',
  method: 'POST',
  path: '/api/pickup-codes/{id}/reveal',
  access: 'pickupCode.reveal',
  writes: true,
  input: z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) }),
  output: z.object({ code: z.string() }),
  refusals: ['request.notFound', 'pickupCode.unseen', 'pickupCode.state'],
  summary: 'A code in clear, and why it is needed',
})

export const summarisePickupCodes = endpoint({
  name: 'pickup.summarisePickupCodes',
  method: 'GET',
  path: '/api/pickup-codes/summary',
  access: 'pickupCode.read',
  input: z.strictObject({}),
  output: z.object({
    unused: z.int(),
    inUse: z.int(),
    partlyShipped: z.int(),
    invalid: z.int(),
    /** In force, and over within seven days. */
    expiring: z.int(),
    /** The last of these days. */
    expiringTo: zDay,
    today: zDay,
  }),
  summary: 'Codes that give something, by state, and those that soon will not',
})
