import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { productNameField } from '../catalog/product'
import { batchNumberField } from './batch'
import { storageClasses } from './medicine'

/** By its day alone: good to the end of the day that the pack says. */
export const expiryStandings = ['expired', 'near'] as const
/** Why a batch is sold no longer, whatever its day. */
export const batchStops = ['locked', 'recalled', 'rejected'] as const

const row = z.object({
  id: z.int(),
  productId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  specification: z.string(),
  batchId: z.int(),
  batch: z.string(),
  expiresOn: zDay,
  /** By the place's calendar; 0 is its last day, below 0 it has expired. */
  daysLeft: z.int(),
  standing: z.enum(expiryStandings),
  stop: z.enum(batchStops).nullable(),
  placeName: z.string(),
  machineCode: z.string().nullable(),
  slotCode: z.string().nullable(),
  merchantName: z.string(),
  storage: z.enum(storageClasses).nullable(),
  quantity: z.int(),
  /** At cost, and at the price that is asked for it there. */
  costFen: zFenPositive,
  valueFen: zFenPositive,
  /** An expired front piece stops the slot: so many good pieces behind it can't be sold. */
  isBlocking: z.boolean(),
  trapped: z.int(),
  trappedFen: zFenPositive,
  /** Work to take it out is open. */
  isPulled: z.boolean(),
})
export type ExpiryRow = z.output<typeof row>

export const listExpiring = listEndpoint({
  name: 'medicine.listExpiring',
  path: '/api/expiring-batches',
  access: 'batch.read',
  summary: 'Batches where they lie that have expired or soon will, by day and by the money at stake',
  filters: {
    /** Medicine, batch or place. */
    find: zSearch.optional(),
    standing: z.enum(expiryStandings).optional(),
    /** Of those that are near: in so many days. */
    within: z.enum(['7', '30', '90']).optional(),
    blocking: z.enum(['yes']).optional(),
    storage: zAnyOf(storageClasses).optional(),
    machineCode: zSearch.optional(),
    batchId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['expiry', 'money'],
  item: row,
  sums: { valueFen: zFen, costFen: zFen },
})

export const expiryFields = {
  productName: productNameField,
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  specification: { kind: 'text' },
  batch: batchNumberField,
  expiresOn: { kind: 'day' },
  daysLeft: { kind: 'count' },
  standing: stateField('standing', expiryStandings, { expired: 'bad', near: 'warn' }),
  stop: stateField('batchStop', batchStops, { locked: 'warn', recalled: 'bad', rejected: 'bad' }),
  placeName: { kind: 'text' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  slotCode: { kind: 'code' },
  merchantName: { kind: 'text' },
  storage: { kind: 'state', words: 'storage', tones: {} },
  quantity: { kind: 'count' },
  costFen: { kind: 'money' },
  valueFen: { kind: 'money' },
  isBlocking: { kind: 'boolean' },
  trapped: { kind: 'count' },
  trappedFen: { kind: 'money' },
  isPulled: { kind: 'boolean' },
} satisfies Fields

export const summariseExpiry = endpoint({
  name: 'medicine.summariseExpiry',
  method: 'GET',
  path: '/api/expiring-batches/summary',
  access: 'batch.read',
  input: z.strictObject({}),
  output: z.object({
    expired: z.int(),
    expiredFen: zFenPositive,
    near: z.int(),
    nearFen: zFenPositive,
    within30: z.int(),
    within30Fen: zFenPositive,
    blocking: z.int(),
    trappedFen: zFenPositive,
  }),
  summary: 'How many places hold what has expired or soon will, and the money in it',
})

export const lockOutcomes = ['done', 'stoppedBefore', 'notFound'] as const

/** `ids` are of batches where they lie; the whole batch is stopped, at every place. */
export const lockExpiring = endpoint({
  name: 'medicine.lockExpiring',
  method: 'POST',
  path: '/api/expiring-batches/lock',
  access: 'batch.write',
  writes: true,
  input: z.strictObject({ ids: z.array(zId).min(1).max(200), reason: zNeeded(200) }),
  output: z.object({ outcomes: z.array(z.object({ id: z.int(), outcome: z.enum(lockOutcomes) })) }),
  refusals: ['request.notFound'],
  summary: 'Stop the sale of these batches everywhere until somebody releases them',
})
