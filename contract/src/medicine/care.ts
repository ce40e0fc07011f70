import { z } from 'zod'
import { batchField, productNameField } from '../catalog/product'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { storageClasses } from './medicine'

/** A batch at a place is looked at once a cycle. What nobody looked at stays as missed and is never dated back. */
export const careState = stateTable({
  initial: 'open',
  states: ['open', 'done', 'missed', 'gone'],
  moves: {
    sign: { from: ['open'], to: 'done' },
    miss: { from: ['open'], to: 'missed' },
    /** Nothing of the batch is left there. */
    drop: { from: ['open'], to: 'gone' },
  },
  sets: { asked: ['done', 'missed'] },
})

/** Key medicines are looked at more often. */
export const careKinds = ['normal', 'key'] as const
/** Why one is a key medicine for now. */
export const keyReasons = ['cold', 'limited', 'nearExpiry', 'missed'] as const
export type KeyReason = (typeof keyReasons)[number]

/** In order; not to be sold until somebody has looked; not to be sold again. */
export const careResults = ['ok', 'hold', 'scrap'] as const

export const careRefusals = defineRefusals('medicine', {
  'care.state': 409,
  'care.corrected': 409,
})

const zMonth = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)

const measured = {
  /** Lowest and highest of the period, as the place's own records have it; null where it has none. */
  lowestC: z.number().nullable(),
  highestC: z.number().nullable(),
  lowestHumidity: z.number().nullable(),
  highestHumidity: z.number().nullable(),
}

const task = z.object({
  id: z.int(),
  productId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  specification: z.string(),
  batchId: z.int(),
  batch: z.string(),
  expiresOn: zDay,
  /** Of the machine where it lies in one, else of the warehouse or the person. */
  placeName: z.string(),
  machineCode: z.string().nullable(),
  merchantName: z.string(),
  storage: z.enum(storageClasses).nullable(),
  kind: z.enum(careKinds),
  keyReasons: z.array(z.enum(keyReasons)),
  state: z.enum(careState.states),
  dueOn: zDay,
  /** By the place's calendar; below 0 it is overdue; null once it is over. */
  daysLeft: z.int().nullable(),
  /** By the books: now, or when it was signed. */
  quantity: z.int(),
  result: z.enum(careResults).nullable(),
  measures: z.string(),
  ...measured,
  signedBy: z.string().nullable(),
  signedAt: zInstant.nullable(),
})
export type CareTask = z.output<typeof task>

const filters = {
  /** Medicine, batch or place. */
  find: zSearch.optional(),
  machineCode: zSearch.optional(),
  batchId: zId.optional(),
  state: zAnyOf(careState.states).optional(),
  kind: z.enum(careKinds).optional(),
  result: zAnyOf(careResults).optional(),
  due: z.enum(['overdue', 'today', 'week']).optional(),
  /** Due, or signed, in this month. */
  month: zMonth.optional(),
  merchantId: zId.optional(),
}

export const listCareTasks = listEndpoint({
  name: 'medicine.listCareTasks',
  path: '/api/care-tasks',
  access: 'careRecord.read',
  summary: 'Care of stored medicines: what is due, overdue first, then what was done and what was missed',
  filters,
  sorts: ['due', 'newest'],
  item: task,
})

export const careFields = {
  productName: productNameField,
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  specification: { kind: 'text' },
  batch: batchField,
  expiresOn: { kind: 'day' },
  placeName: { kind: 'text' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  merchantName: { kind: 'text' },
  storage: { kind: 'state', words: 'storage', tones: {} },
  kind: { kind: 'state', words: 'careKind', tones: { key: 'warn', normal: 'idle' } },
  keyReasons: { kind: 'states', words: 'keyReason', tones: {} },
  state: stateField('careState', careState, { open: 'busy', done: 'good', missed: 'bad', gone: 'idle' }),
  dueOn: { kind: 'day' },
  daysLeft: { kind: 'count' },
  quantity: { kind: 'count' },
  result: stateField('careResult', careResults, { ok: 'good', hold: 'warn', scrap: 'bad' }),
  measures: { kind: 'text' },
  lowestC: { kind: 'count' },
  highestC: { kind: 'count' },
  lowestHumidity: { kind: 'count' },
  highestHumidity: { kind: 'count' },
  signedBy: { kind: 'text' },
  signedAt: { kind: 'dateTime' },
} satisfies Fields

export const summariseCare = endpoint({
  name: 'medicine.summariseCare',
  method: 'GET',
  path: '/api/care-tasks/summary',
  access: 'careRecord.read',
  input: z.strictObject({}),
  output: z.object({
    /** By the caller's merchant. */
    month: zMonth,
    overdue: z.int(),
    today: z.int(),
    week: z.int(),
    doneThisMonth: z.int(),
    missedThisMonth: z.int(),
  }),
  summary: 'How much care is overdue, due today and this week, and what this month came to so far',
})

const record = z.object({
  id: z.int(),
  result: z.enum(careResults),
  measures: z.string(),
  quantity: z.int(),
  ...measured,
  readings: z.int(),
  signedBy: z.string(),
  signedAt: zInstant,
  /** Why another was written in place of an earlier one. */
  reason: z.string(),
  correctedBy: z.int().nullable(),
})

export const getCareTask = endpoint({
  name: 'medicine.getCareTask',
  method: 'GET',
  path: '/api/care-tasks/{id}',
  access: 'careRecord.read',
  input: z.strictObject({ id: zId }),
  output: task.extend({
    /** The period that it speaks of. */
    since: zDay,
    producedOn: zDay.nullable(),
    /** Records of temperature in the period up to now, or to when it was signed. */
    readings: z.int(),
    slots: z.array(z.object({ code: z.string(), quantity: z.int() })),
    /** Newest first; none is ever changed. */
    records: z.array(record),
  }),
  refusals: ['request.notFound'],
  summary: 'One task of care with what was measured there and all that was signed',
})

const resultFields = {
  result: z.enum(careResults),
  measures: zLine(200).default(''),
}
const written = { method: 'POST' as const, access: 'careRecord.write' as const, writes: true }
const signed = z.object({ id: z.int(), state: z.enum(careState.states), isLocked: z.boolean() })

export const signCare = endpoint({
  ...written,
  name: 'medicine.signCare',
  path: '/api/care-tasks/{id}/sign',
  input: z.strictObject({ id: zId, ...resultFields }),
  output: signed,
  refusals: ['request.notFound', 'care.state'],
  summary: 'Sign what was found; a batch that is not in order is sold no longer',
})

export const correctCare = endpoint({
  ...written,
  name: 'medicine.correctCare',
  path: '/api/care-tasks/{id}/correct',
  input: z.strictObject({ id: zId, record: z.int().positive(), ...resultFields, reason: zNeeded(200) }),
  output: signed,
  refusals: ['request.notFound', 'care.corrected'],
  summary: 'Write another record in place of one that was wrong; both stay',
})

/** As many as a month's sheet holds; a network with more prints merchant by merchant. */
export const MOST_ON_SHEET = 1000

export const getCareSheet = endpoint({
  name: 'medicine.getCareSheet',
  method: 'GET',
  path: '/api/care-sheet',
  access: 'careRecord.read',
  input: z.strictObject({ month: zMonth, merchantId: zId.optional() }),
  output: z.object({ merchantName: z.string(), total: z.int(), items: z.array(task) }),
  refusals: ['request.notFound'],
  summary: 'The care of a month as it is printed: done, missed and still open',
})
