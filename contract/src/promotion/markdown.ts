import { z } from 'zod'
import { batchField, productNameField, type MedicineClass } from '../catalog/product'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

/** A lower price for a product or a batch of it, at machines, until a day or until it is gone. */
export const markdownState = stateTable({
  initial: 'planned',
  states: ['planned', 'active', 'ended', 'stopped'],
  moves: {
    start: { from: ['planned'], to: 'active' },
    /** Its time is over, or nothing is left. */
    end: { from: ['active'], to: 'ended' },
    stop: { from: ['planned', 'active'], to: 'stopped' },
  },
  sets: { over: ['ended', 'stopped'], lasting: ['planned', 'active'] },
})

/**
 * Whether goods of this class may be sold cheaper to anybody who comes: prescription medicines and OTC A never; of
 * OTC B outside pharmacies only the open price may be lowered, which this is.
 */
export const isMarkdownLawful = (medicineClass: MedicineClass | null): boolean =>
  medicineClass === null || medicineClass === 'otc_b'

/** Down to the whole fen; what is sold is never free. */
export const markedDownFen = (listFen: number, paidPercent: number): number =>
  Math.max(1, Math.floor((listFen * paidPercent) / 100))

export const markdownRefusals = defineRefusals('promotion', {
  'markdown.state': 409,
  'markdown.notLawful': 422,
  'markdown.batch': 422,
  'markdown.dates': 422,
  'markdown.noMachine': 422,
})

const markdown = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  productId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  batch: z.string().nullable(),
  expiresOn: zDay.nullable(),
  /** The share that is paid: 80 is 八折. */
  paidPercent: z.int(),
  state: z.enum(markdownState.states),
  startsAt: zInstant,
  /** Null: until it is gone. */
  endsAt: zInstant.nullable(),
  /** Machines that it names; none named is all of the merchant's. */
  machineCount: z.int(),
  /** Slots that sell at it now, and the pieces in them. */
  slotCount: z.int(),
  pieces: z.int(),
  reason: z.string(),
  createdBy: z.string().nullable(),
  createdAt: zInstant,
  endedAt: zInstant.nullable(),
})
export type Markdown = z.output<typeof markdown>

export const listMarkdowns = listEndpoint({
  name: 'promotion.listMarkdowns',
  path: '/api/markdowns',
  access: 'discount.read',
  summary: 'Products and batches that are sold cheaper, with where and until when',
  filters: {
    /** Product, its code or a batch. */
    q: zSearch.optional(),
    state: zAnyOf(markdownState.states).optional(),
    lasting: z.enum(['yes']).optional(),
    productId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest', 'ends'],
  item: markdown,
})

export const markdownFields = {
  productName: productNameField,
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  merchantName: { kind: 'text' },
  batch: batchField,
  expiresOn: { kind: 'day' },
  paidPercent: { kind: 'percent' },
  state: stateField('markdownState', markdownState, {
    planned: 'busy',
    active: 'good',
    ended: 'idle',
    stopped: 'idle',
  }),
  startsAt: { kind: 'dateTime' },
  endsAt: { kind: 'dateTime' },
  machineCount: { kind: 'count' },
  slotCount: { kind: 'count' },
  pieces: { kind: 'count' },
  reason: { kind: 'text' },
  createdBy: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
  endedAt: { kind: 'dateTime' },
} satisfies Fields

export const getMarkdown = endpoint({
  name: 'promotion.getMarkdown',
  method: 'GET',
  path: '/api/markdowns/{id}',
  access: 'discount.read',
  input: z.strictObject({ id: zId }),
  output: markdown.extend({
    version: z.int(),
    /** Pieces that went at the lower price, and what was asked less for them. */
    soldPieces: z.int(),
    forgoneFen: zFenPositive,
    slots: z.array(
      z.object({
        id: z.int(),
        machineCode: z.string(),
        slotCode: z.string(),
        listFen: zFenPositive,
        /** What may be struck through: never above what was paid there in the week before; null where nothing may. */
        struckFen: zFenPositive.nullable(),
        priceFen: zFenPositive,
        isBelowCost: z.boolean(),
        pieces: z.int(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One markdown with its slots, what they sell at and what was sold',
})

const zPaidPercent = z.coerce.number().int().min(1).max(99)
/** Inclusive, by the calendar of the merchant; none is until it is gone. */
const until = { endsOn: zDay.nullable().default(null), reason: zLine(200).default('') }
const written = { method: 'POST' as const, access: 'discount.write' as const, writes: true }

export const addMarkdown = endpoint({
  ...written,
  name: 'promotion.addMarkdown',
  path: '/api/markdowns',
  input: z.strictObject({
    productId: zId,
    /** One batch of it alone. */
    batch: zLine(120).nullable().default(null),
    paidPercent: zPaidPercent,
    startsOn: zDay.nullable().default(null),
    ...until,
    /** None named: all machines in sight that hold it. */
    machineCodes: z.array(z.string().trim().min(1).max(20)).max(200).default([]),
  }),
  output: z.object({ id: z.int(), state: z.enum(markdownState.states) }),
  refusals: ['request.notFound', 'markdown.notLawful', 'markdown.batch', 'markdown.dates', 'markdown.noMachine'],
  summary: 'Sell a product, or a batch of it, cheaper at machines',
})

export const stopMarkdown = endpoint({
  ...written,
  name: 'promotion.stopMarkdown',
  path: '/api/markdowns/{id}/stop',
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int(), state: z.enum(markdownState.states) }),
  refusals: ['request.notFound', 'markdown.state'],
  summary: 'Back to the usual price, at once',
})

export const markdownOutcomes = ['done', 'notLawful', 'gone', 'notFound', 'place'] as const

/** `ids` are of batches where they lie (the list of expiry). */
export const markDownBatches = endpoint({
  ...written,
  name: 'promotion.markDownBatches',
  path: '/api/markdowns/of-batches',
  input: z.strictObject({ ids: z.array(zId).min(1).max(200), paidPercent: zPaidPercent, ...until }),
  output: z.object({ outcomes: z.array(z.object({ id: z.int(), outcome: z.enum(markdownOutcomes) })) }),
  refusals: ['request.notFound', 'markdown.dates'],
  summary: 'Sell these batches cheaper where they lie; each is answered for by itself',
})
