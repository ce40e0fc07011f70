import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Field, type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { productNameField } from '../catalog/product'
import { batchState } from './batchState'

export const batchRefusals = defineRefusals('medicine', {
  'medicineBatch.state': 409,
  'medicineBatch.numberTaken': 409,
  /** Only of a medicine of a merchant in sight. */
  'medicineBatch.product': 422,
  'medicineBatch.dates': 422,
  /** More than lies there by the books. */
  'medicineBatch.quantity': 409,
  /** Is being recalled: it ends by its recall. */
  'medicineBatch.recalled': 409,
})

/** As the list shows them: expired follows from the day and stands before nothing but what a person decided. */
export const shownBatchStates = [...batchState.states, 'expired'] as const
export const batchTones = {
  available: 'good',
  locked: 'warn',
  recalled: 'bad',
  rejected: 'idle',
  expired: 'bad',
} as const

const quantities = {
  /** Pieces that lie there by the books, in what the asker sees. */
  inWarehouses: z.int(),
  withReplenishers: z.int(),
  inSlots: z.int(),
  machineCount: z.int(),
}

const batch = z.object({
  id: z.int(),
  productId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  specification: z.string(),
  manufacturer: z.string(),
  merchantName: z.string(),
  number: z.string(),
  producedOn: zDay.nullable(),
  expiresOn: zDay,
  /** Until its last day, today counted as 0; below 0 it has expired. */
  daysLeft: z.int(),
  state: z.enum(batchState.states),
  shown: z.enum(shownBatchStates),
  reason: z.string(),
  /** Else it is of a merchant above, who alone changes it. */
  isOwn: z.boolean(),
  changedAt: zInstant,
  ...quantities,
})
export type Batch = z.output<typeof batch>

export const batchDues = ['expired', 'month', 'quarter', 'halfYear'] as const
/** Days ahead that each asks for. */
export const dueDays: Record<(typeof batchDues)[number], number> = {
  expired: -1,
  month: 30,
  quarter: 90,
  halfYear: 180,
}

export const listBatches = listEndpoint({
  name: 'medicine.listBatches',
  path: '/api/medicine-batches',
  access: 'batch.read',
  summary: 'Batches of medicines of merchants in sight, with what lies where: first to expire first',
  filters: {
    q: zSearch.optional(),
    productCode: zSearch.optional(),
    productId: zId.optional(),
    machineId: zId.optional(),
    state: zAnyOf(shownBatchStates).optional(),
    due: z.enum(batchDues).optional(),
    stock: z.enum(['some', 'none']).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['expiry', 'newest'],
  item: batch,
})

/** The number of a batch in a row that holds its `batchId`: it opens the batch. */
export const batchNumberField = { kind: 'text', to: 'ypgl/yppc', search: { open: 'batchId' } } satisfies Field

export const batchFields = {
  number: { kind: 'text' },
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  productName: productNameField,
  specification: { kind: 'text' },
  manufacturer: { kind: 'text' },
  merchantName: { kind: 'text' },
  producedOn: { kind: 'day' },
  expiresOn: { kind: 'day' },
  daysLeft: { kind: 'count' },
  shown: stateField('batchState', shownBatchStates, batchTones),
  state: stateField('batchState', shownBatchStates, batchTones),
  due: {
    kind: 'state',
    words: 'batchDue',
    tones: { expired: 'bad', month: 'warn', quarter: 'idle', halfYear: 'idle' },
  },
  stock: { kind: 'state', words: 'batchStock', tones: { some: 'good', none: 'idle' } },
  reason: { kind: 'text' },
  changedAt: { kind: 'dateTime' },
  inWarehouses: { kind: 'count' },
  withReplenishers: { kind: 'count' },
  inSlots: { kind: 'count' },
  machineCount: { kind: 'count' },
} satisfies Fields

export const summariseBatches = endpoint({
  name: 'medicine.summariseBatches',
  method: 'GET',
  path: '/api/medicine-batches/summary',
  access: 'batch.read',
  input: z.strictObject({}),
  output: z.object({ expired: z.int(), month: z.int(), locked: z.int(), recalled: z.int() }),
  summary: 'How many batches of which something is left have expired, soon will, are locked and are recalled',
})

export const getBatch = endpoint({
  name: 'medicine.getBatch',
  method: 'GET',
  path: '/api/medicine-batches/{id}',
  access: 'batch.read',
  input: z.strictObject({ id: zId }),
  output: batch.extend({
    version: z.int(),
    changedBy: z.string().nullable(),
    createdBy: z.string().nullable(),
    /** Days before its last that its merchant stops selling it. */
    marginDays: z.int(),
    /** Good pieces of whichever batch that stand behind one of this, and what they would sell for. */
    trapped: z.object({ slots: z.int(), pieces: z.int(), amountFen: z.int() }),
    recalls: z.array(z.object({ id: z.int(), no: z.string(), state: z.string(), isDrill: z.boolean() })),
    story: z.array(
      z.object({ id: z.int(), at: zInstant, verb: z.string(), who: z.string().nullable(), note: z.string() }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One batch with its dates, what stands behind it, its recalls and its story',
})

/** What is on its way between warehouses lies in neither until it arrives. */
export const batchPlaceKinds = ['warehouse', 'transit', 'replenisher', 'slot'] as const

const place = z.object({
  id: z.int(),
  kind: z.enum(batchPlaceKinds),
  placeName: z.string(),
  merchantName: z.string(),
  machineCode: z.string().nullable(),
  machineName: z.string().nullable(),
  slotCode: z.string().nullable(),
  quantity: z.int(),
  /** Pieces of other batches that come out before it. */
  ahead: z.int().nullable(),
  /** Good pieces behind it, where it blocks them, and what they would sell for. */
  trapped: z.int(),
  trappedFen: z.int(),
  /** The order in the slot is not certain: to be counted at the next visit. */
  isDoubtful: z.boolean(),
})

export const listBatchPlaces = listEndpoint({
  name: 'medicine.listBatchPlaces',
  path: '/api/batch-places',
  access: 'batch.read',
  summary: 'Where a batch lies in what the asker sees: warehouses, replenishers, and slots with what is behind it',
  filters: { batchId: zId, kind: zAnyOf(batchPlaceKinds).optional(), machineCode: zSearch.optional() },
  sorts: ['place'],
  item: place,
})

export const batchPlaceFields = {
  kind: { kind: 'state', words: 'placeKind', tones: {} },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  placeName: { kind: 'text' },
  slotCode: { kind: 'text' },
  quantity: { kind: 'count' },
  trapped: { kind: 'count' },
  trappedFen: { kind: 'money' },
  isDoubtful: { kind: 'boolean' },
} satisfies Fields

export const listProductBatches = listEndpoint({
  name: 'medicine.listProductBatches',
  path: '/api/product-batches',
  access: 'batch.read',
  summary: 'What of a product lies where, batch by batch, in what the asker sees: first to expire first',
  filters: { productId: zId },
  sorts: ['expiry'],
  item: z.object({
    id: z.int(),
    /** Null where somebody named a batch that nobody has entered; it has no dates then. */
    batchId: z.int().nullable(),
    number: z.string(),
    shown: z.enum(shownBatchStates).nullable(),
    expiresOn: zDay.nullable(),
    daysLeft: z.int().nullable(),
    kind: z.enum(batchPlaceKinds),
    placeName: z.string(),
    machineCode: z.string().nullable(),
    slotCode: z.string().nullable(),
    quantity: z.int(),
  }),
})

/** A day as the pack says it; one with a month only is good through its last day. */
export const zLabelDay = z
  .string()
  .trim()
  .regex(/^[12]\d{3}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/)

/** @returns null for a day that no calendar has */
export function dayOfLabel(label: string): string | null {
  const [year = 0, month = 0, day] = label.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  if (day === undefined) return lastOfMonth
  return label <= lastOfMonth ? label : null
}

const written = { method: 'POST' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(batchState.states) })
const zReason = zNeeded(200)

export const addBatch = endpoint({
  ...written,
  name: 'medicine.addBatch',
  path: '/api/medicine-batches',
  access: 'batch.write',
  input: z.strictObject({
    productId: zId,
    number: zNeeded(40),
    producedOn: zDay.nullable().default(null),
    /** As the label says; left out, it follows from the day of production and the product's shelf life. */
    expiresOn: zLabelDay.nullable().default(null),
  }),
  output: z.object({ id: z.int(), expiresOn: zDay }),
  refusals: ['medicineBatch.product', 'medicineBatch.dates', 'medicineBatch.numberTaken'],
  summary: 'Make a batch of a medicine; the label wins over the shelf life',
})

export const editBatch = endpoint({
  ...written,
  name: 'medicine.editBatch',
  path: '/api/medicine-batches/{id}/edit',
  access: 'batch.write',
  input: z.strictObject({
    id: zId,
    version: z.int().positive(),
    producedOn: zDay.nullable(),
    expiresOn: zLabelDay,
    reason: zReason,
  }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'medicineBatch.dates', 'medicineBatch.state'],
  summary: 'Correct the dates of a batch, and say why',
})

export const lockBatch = endpoint({
  ...written,
  name: 'medicine.lockBatch',
  path: '/api/medicine-batches/{id}/lock',
  access: 'batch.write',
  input: z.strictObject({ id: zId, reason: zReason }),
  output: changed,
  refusals: ['request.notFound', 'medicineBatch.state'],
  summary: 'Nothing of it is sold until it is released; it may be counted, scrapped and returned',
})

export const releaseBatch = endpoint({
  ...written,
  name: 'medicine.releaseBatch',
  path: '/api/medicine-batches/{id}/release',
  access: 'batch.release',
  input: z.strictObject({ id: zId, reason: zReason }),
  output: changed,
  refusals: ['request.notFound', 'medicineBatch.state'],
  summary: 'A pharmacist lets it be sold again',
})

export const rejectBatch = endpoint({
  ...written,
  name: 'medicine.rejectBatch',
  path: '/api/medicine-batches/{id}/reject',
  access: 'batch.release',
  input: z.strictObject({ id: zId, reason: zReason }),
  output: changed,
  refusals: ['request.notFound', 'medicineBatch.state', 'medicineBatch.recalled'],
  summary: 'None of it is ever sold again',
})

export const scrapBatch = endpoint({
  ...written,
  name: 'medicine.scrapBatch',
  path: '/api/medicine-batches/{id}/scrap',
  access: 'batch.scrap',
  input: z.strictObject({
    id: zId,
    placeId: zId,
    quantity: z.coerce.number().int().min(1).max(9999),
    reason: zLine(200).pipe(z.string().min(2)),
  }),
  /** `waits`: its cost is above the limit, and another person has to agree. */
  output: changed.extend({ waits: z.boolean() }),
  refusals: ['request.notFound', 'medicineBatch.quantity', 'writeOff.waits'],
  summary: 'Pieces of it that lie in one place are thrown away, and why',
})
