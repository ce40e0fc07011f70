import { z } from 'zod'
import { batchField, codedNameField } from '../catalog/product'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { zScans } from '../merchant/scans'
import { traceSchemes } from './traceCode'
import { traceState, traceTones, traceVerbs } from './trace.states'

/** What bears the code: the pack that is sold, or what holds packs. */
export const traceLevels = ['pack', 'middle', 'case'] as const

export const MOST_REGISTERED = 5_000

export const traceRefusals = defineRefusals('medicine', {
  'trace.machineUnknown': 422,
  'trace.slotUnknown': 422,
  'trace.productUnknown': 422,
  'trace.batchUnknown': 422,
  /** A holder has to be known, or be entered with a level above that of what it holds. */
  'trace.holder': 422,
})

const trace = z.object({
  id: z.int(),
  trace: z.string(),
  scheme: z.enum(traceSchemes),
  level: z.enum(traceLevels),
  state: z.enum(traceState.states),
  merchantName: z.string(),
  productCode: z.string().nullable(),
  productName: z.string().nullable(),
  batch: z.string().nullable(),
  machineCode: z.string().nullable(),
  slotCode: z.string().nullable(),
  /** Under which order it counts as sold, where that order is in sight. */
  orderNo: z.string().nullable(),
  holder: z.string().nullable(),
  /** How often it was said to be sold and can't have been. */
  soldAgain: z.int(),
  addedAt: zInstant,
  changedAt: zInstant,
})
export type Trace = z.output<typeof trace>

export const listTraces = listEndpoint({
  name: 'medicine.listTraces',
  path: '/api/trace-codes',
  access: 'batch.read',
  summary: 'Trace codes of the merchants in sight, what each stands for and where it is',
  filters: {
    trace: zSearch.optional(),
    state: zAnyOf(traceState.states).optional(),
    scheme: zAnyOf(traceSchemes).optional(),
    productCode: zSearch.optional(),
    batch: zSearch.optional(),
    machineCode: zSearch.optional(),
    merchantId: zId.optional(),
    twice: z.enum(['yes']).optional(),
  },
  sorts: ['newest'],
  item: trace,
})

export const traceFields = {
  trace: { kind: 'code' },
  scheme: { kind: 'state', words: 'traceScheme', tones: {} },
  level: { kind: 'state', words: 'traceLevel', tones: {} },
  state: stateField('traceState', traceState, traceTones),
  merchantName: { kind: 'text' },
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  productName: codedNameField,
  batch: batchField,
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  slotCode: { kind: 'text' },
  orderNo: { kind: 'ref', to: 'jygl/ddgl', by: 'orderNo' },
  holder: { kind: 'code' },
  soldAgain: { kind: 'count' },
  addedAt: { kind: 'dateTime' },
  changedAt: { kind: 'dateTime' },
} satisfies Fields

const event = z.object({
  id: z.int(),
  at: zInstant,
  verb: z.enum(traceVerbs),
  machineCode: z.string().nullable(),
  slotCode: z.string().nullable(),
  batch: z.string().nullable(),
  /** An order's number, a document, or what the machine's message is called; null where it is out of sight. */
  reference: z.string().nullable(),
  note: z.string(),
  byName: z.string().nullable(),
  merchantName: z.string(),
})

const story = trace.extend({
  producedOn: zDay.nullable(),
  expiresOn: zDay.nullable(),
  manufacturer: z.string().nullable(),
  approvalNumber: z.string().nullable(),
  events: z.array(event),
  /** The first of what it holds; all are counted. */
  holds: z.array(z.object({ id: z.int(), code: z.string(), state: z.enum(traceState.states) })),
  holdCount: z.int(),
})
export type TraceStory = z.output<typeof story>

export const getTrace = endpoint({
  name: 'medicine.getTrace',
  method: 'GET',
  path: '/api/trace-codes/{id}',
  access: 'batch.read',
  input: z.strictObject({ id: zId }),
  output: story,
  refusals: ['request.notFound'],
  summary: 'One trace code from where it came to where it went',
})

/** As it is scanned or typed: in any way in which the same code is printed. */
export const findTrace = endpoint({
  name: 'medicine.findTrace',
  method: 'GET',
  path: '/api/trace-code',
  access: 'batch.read',
  input: z.strictObject({ code: z.string().trim().min(1).max(200) }),
  output: z.object({ found: story.nullable() }),
  summary: 'The trace code that somebody holds in the hand, and its story; nothing where nobody in sight has it',
})

export const summariseTraces = endpoint({
  name: 'medicine.summariseTraces',
  method: 'GET',
  path: '/api/trace-codes/summary',
  access: 'batch.read',
  input: z.strictObject({ productId: zId.optional() }),
  output: z.object({
    ...(Object.fromEntries(traceState.states.map((state) => [state, z.int()])) as Record<
      (typeof traceState.states)[number],
      z.ZodInt
    >),
    twice: z.int(),
  }),
  summary: 'How many trace codes stand in each state, and how many were said to be sold twice',
})

/** What became of each line: `bound` and `known` are good, with the others nothing happened. */
export const traceOutcomes = [
  'bound',
  'known',
  'unreadable',
  'doubled',
  'otherProduct',
  'otherBatch',
  'sold',
  'destroyed',
  'elsewhere',
  'notHere',
] as const
export type TraceOutcome = (typeof traceOutcomes)[number]
const outcome = z.object({ line: z.int(), code: z.string(), outcome: z.enum(traceOutcomes) })

const codes = z.array(z.string().max(200)).min(1).max(MOST_REGISTERED)
const registered = z.object({
  bound: z.int(),
  known: z.int(),
  /** Lines with which nothing happened, to be corrected and entered again. */
  left: z.array(outcome),
})
export type TraceTold = z.output<typeof registered>

const written = { method: 'POST' as const, access: 'batch.write' as const, writes: true, output: registered }

export const registerTraces = endpoint({
  ...written,
  name: 'medicine.registerTraces',
  path: '/api/trace-codes/register',
  input: z.strictObject({
    merchantId: zId,
    productCode: zNeeded(40),
    /** Of a medicine it must be one that was entered. */
    batch: zNeeded(120),
    level: z.enum(traceLevels).default('pack'),
    /** In a slot; both empty: with the merchant. */
    machineCode: zLine(20).default(''),
    slotCode: zLine(12).default(''),
    /** What holds them all. */
    holder: zLine(200).default(''),
    /** A delivery note, say. */
    reference: zLine(120).default(''),
    codes,
    pictures: zScans,
  }),
  refusals: ['request.notFound', ...traceRefusals],
  summary: 'Bind codes to a batch at a place, each line for itself: what came in, or was loaded',
})

const ofCodes = z.strictObject({ merchantId: zId, codes, reason: zNeeded(200) })

export const takeBackTraces = endpoint({
  ...written,
  name: 'medicine.takeBackTraces',
  path: '/api/trace-codes/take-back',
  input: ofCodes,
  refusals: ['request.notFound'],
  summary: 'Packs that were sold came back; each line for itself',
})

export const destroyTraces = endpoint({
  ...written,
  name: 'medicine.destroyTraces',
  path: '/api/trace-codes/destroy',
  input: ofCodes,
  refusals: ['request.notFound'],
  summary: 'Packs were destroyed and can be sold no more; each line for itself',
})

const uncoded = z.object({
  id: z.int(),
  merchantName: z.string(),
  productCode: z.string(),
  productName: z.string(),
  machineCode: z.string().nullable(),
  machineName: z.string().nullable(),
  slotCode: z.string().nullable(),
  pieces: z.int(),
  codes: z.int(),
  missing: z.int(),
})

export const listUncoded = listEndpoint({
  name: 'medicine.listUncoded',
  path: '/api/uncoded-stock',
  access: 'batch.read',
  summary: 'Stock of medicines that bear codes, where fewer codes are known than packs are there; most missing first',
  filters: { productCode: zSearch.optional(), machineCode: zSearch.optional(), merchantId: zId.optional() },
  sorts: ['missing'],
  item: uncoded,
})

export const uncodedFields = {
  productName: codedNameField,
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  merchantName: { kind: 'text' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  slotCode: { kind: 'text' },
  pieces: { kind: 'count' },
  codes: { kind: 'count' },
  missing: { kind: 'count' },
} satisfies Fields
