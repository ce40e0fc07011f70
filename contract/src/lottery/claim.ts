import { z } from 'zod'
import { productNameField } from '../catalog/product'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zPictureUrl, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { claimState, prizeState } from './states'

export const claimRefusals = defineRefusals('lottery', {
  'claim.noPlay': 422,
  'claim.notOwed': 409,
  'claim.open': 409,
  'claim.state': 409,
  'claim.ownClaim': 403,
  'claim.noStock': 409,
})

const claim = z.object({
  id: z.int(),
  orderNo: z.string(),
  machineCode: z.string(),
  machineName: z.string(),
  merchantName: z.string(),
  productId: z.int(),
  productName: z.string(),
  prizeFen: zFenPositive,
  claimant: z.string(),
  state: z.enum(claimState.states),
  createdAt: zInstant,
  createdByName: z.string(),
  reviewedAt: zInstant.nullable(),
  reviewedByName: z.string().nullable(),
})
export type Claim = z.output<typeof claim>

export const listClaims = listEndpoint({
  name: 'lottery.listClaims',
  path: '/api/prize-claims',
  access: 'lotteryRecord.read',
  summary: 'Claims to collect a prize at the counter, what waits first and longest first',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(claimState.states).optional(),
    machineCode: zSearch.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['waiting', 'newest'],
  item: claim,
})

export const claimFields = {
  id: { kind: 'count' },
  orderNo: { kind: 'code' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  merchantName: { kind: 'text' },
  productName: productNameField,
  prizeFen: { kind: 'money' },
  claimant: { kind: 'text' },
  phone: { kind: 'phone' },
  note: { kind: 'longText' },
  state: stateField('claimState', claimState, { pending: 'warn', passed: 'good', rejected: 'idle' }),
  createdAt: { kind: 'dateTime' },
  createdByName: { kind: 'text' },
  reviewedAt: { kind: 'dateTime' },
  reviewedByName: { kind: 'text' },
} satisfies Fields

export const getClaim = endpoint({
  name: 'lottery.getClaim',
  method: 'GET',
  path: '/api/prize-claims/{id}',
  access: 'lotteryRecord.read',
  input: z.strictObject({ id: zId }),
  output: claim.extend({
    playId: z.int(),
    wonAt: zInstant,
    prizeState: z.enum(prizeState.states),
    slotCode: z.string(),
    phone: z.string(),
    note: z.string(),
    pictures: z.array(z.string()),
    reviewNote: z.string(),
    placeName: z.string().nullable(),
    /** The reader wrote it: somebody else decides. */
    isOwn: z.boolean(),
    /** Where the prize can be taken from: stores and fillers of its merchant that have it. */
    places: z.array(z.object({ id: z.int(), name: z.string(), kind: z.string(), quantity: z.int() })),
  }),
  refusals: ['request.notFound'],
  summary: 'One claim with its proof and where the prize can be taken from',
})

const changed = z.object({ id: z.int() })

export const addClaim = endpoint({
  name: 'lottery.addClaim',
  method: 'POST',
  path: '/api/prize-claims',
  access: 'lotteryRecord.claim',
  writes: true,
  input: z.strictObject({
    orderNo: zSearch,
    claimant: z.string().trim().min(1).max(40),
    phone: z.string().trim().max(20).default(''),
    note: z.string().trim().min(1).max(200),
    pictures: z.array(zPictureUrl).min(1).max(5),
  }),
  output: changed,
  refusals: ['claim.noPlay', 'claim.notOwed', 'claim.open'],
  summary: 'Write down that a customer claims a prize which the machine did not hand out',
})

export const passClaim = endpoint({
  name: 'lottery.passClaim',
  method: 'POST',
  path: '/api/prize-claims/{id}/pass',
  access: 'lotteryRecord.review',
  writes: true,
  input: z.strictObject({
    id: zId,
    /** Null: from outside the stock that is kept here. */
    placeId: zId.nullable().default(null),
    reviewNote: z.string().trim().max(200).default(''),
  }),
  output: changed,
  refusals: ['request.notFound', 'claim.state', 'claim.ownClaim', 'claim.notOwed', 'claim.noStock'],
  summary: 'Let a prize be collected; it leaves the stock with it',
})

export const rejectClaim = endpoint({
  name: 'lottery.rejectClaim',
  method: 'POST',
  path: '/api/prize-claims/{id}/reject',
  access: 'lotteryRecord.review',
  writes: true,
  input: z.strictObject({ id: zId, reviewNote: z.string().trim().min(1).max(200) }),
  output: changed,
  refusals: ['request.notFound', 'claim.state', 'claim.ownClaim'],
  summary: 'Refuse a claim, with the reason; a better one may follow',
})

export const summariseClaims = endpoint({
  name: 'lottery.summariseClaims',
  method: 'GET',
  path: '/api/prize-claims/summary',
  access: 'lotteryRecord.read',
  input: z.strictObject({}),
  output: z.object({ pending: z.int(), passed: z.int(), rejected: z.int(), owed: z.int() }),
  summary: 'Claims by state, and prizes owed that nobody has claimed',
})
