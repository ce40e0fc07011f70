import { z } from 'zod'
import { batchField, productNameField } from '../catalog/product'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { zScans } from '../merchant/scans'

/** Goods scrapped. Above a limit another person has to agree first; until then nothing has moved. */
export const writeOffState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'done', 'refused', 'reversed'],
  moves: {
    approve: { from: ['waiting'], to: 'done' },
    refuse: { from: ['waiting'], to: 'refused' },
    /** It was a slip: what was written off is where it lay again. */
    reverse: { from: ['done'], to: 'reversed' },
  },
})

export const writeOffReasons = ['expired', 'damaged', 'missing', 'quality', 'recalled', 'other'] as const

export const writeOffRefusals = defineRefusals('stock', {
  'writeOff.state': 409,
  'writeOff.ownRequest': 403,
  'writeOff.less': 409,
  /** What is broken can be shown. */
  'writeOff.picture': 422,
  'writeOff.twice': 422,
  /** Some of it waits for another person already. */
  'writeOff.waits': 409,
  /** Only on the day on which it was written off. */
  'writeOff.day': 409,
})

/** Where goods lie that the books keep. */
export const lyingKinds = ['warehouse', 'replenisher', 'slot'] as const

const writeOff = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  productId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  batch: z.string(),
  expiresOn: zDay.nullable(),
  placeKind: z.enum(lyingKinds),
  placeName: z.string(),
  machineCode: z.string().nullable(),
  slotCode: z.string().nullable(),
  quantity: z.int(),
  costFen: zFenPositive,
  why: z.enum(writeOffReasons),
  note: z.string(),
  pictures: z.array(z.string()),
  endReason: z.string(),
  state: z.enum(writeOffState.states),
  askedBy: z.string(),
  askedAt: zInstant,
  decidedBy: z.string().nullable(),
  decidedAt: zInstant.nullable(),
})
export type WriteOff = z.output<typeof writeOff>

export const listWriteOffs = listEndpoint({
  name: 'stock.listWriteOffs',
  path: '/api/write-offs',
  access: 'writeOff.read',
  summary: 'Goods written off, and what waits for another person to agree',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(writeOffState.states).optional(),
    why: zAnyOf(writeOffReasons).optional(),
    placeKind: zAnyOf(lyingKinds).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: writeOff,
  sums: { costFen: zFen },
})

export const writeOffFields = {
  productName: productNameField,
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  merchantName: { kind: 'text' },
  batch: batchField,
  expiresOn: { kind: 'day' },
  placeKind: { kind: 'state', words: 'placeKind', tones: {} },
  placeName: { kind: 'text' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  slotCode: { kind: 'code' },
  quantity: { kind: 'count' },
  costFen: { kind: 'money' },
  why: { kind: 'state', words: 'why', tones: {} },
  note: { kind: 'text' },
  endReason: { kind: 'text' },
  state: stateField('writeOffState', writeOffState, {
    waiting: 'warn',
    done: 'good',
    refused: 'idle',
    reversed: 'idle',
  }),
  askedBy: { kind: 'text' },
  askedAt: { kind: 'dateTime' },
  decidedBy: { kind: 'text' },
  decidedAt: { kind: 'dateTime' },
} satisfies Fields

export const getWriteOff = endpoint({
  name: 'stock.getWriteOff',
  method: 'GET',
  path: '/api/write-offs/{id}',
  access: 'writeOff.read',
  input: z.strictObject({ id: zId }),
  /** Whether the asker may decide it, or reverse it today. */
  output: writeOff.extend({ mayDecide: z.boolean(), mayReverse: z.boolean() }),
  refusals: ['request.notFound'],
  summary: 'One write-off with its pictures',
})

const lying = z.object({
  id: z.int(),
  placeId: z.int(),
  placeKind: z.enum(lyingKinds),
  placeName: z.string(),
  machineCode: z.string().nullable(),
  slotCode: z.string().nullable(),
  productId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  specification: z.string(),
  /** Empty where the books do not say which. */
  batch: z.string(),
  expiresOn: zDay.nullable(),
  quantity: z.int(),
  costFen: zFenPositive,
})
export type LyingGoods = z.output<typeof lying>

/** What write-offs are chosen from. */
export const listLyingGoods = listEndpoint({
  name: 'stock.listLyingGoods',
  path: '/api/lying-goods',
  access: 'writeOff.read',
  summary: 'What lies in warehouses, bags and slots in sight, batch by batch; what ends first stands first',
  filters: { q: zSearch.optional(), placeKind: zAnyOf(lyingKinds).optional() },
  sorts: ['expiry'],
  item: lying,
})

/** `waiting`: its cost is above the limit, and another person has to agree. */
export const writeOffOutcomes = ['done', 'waiting', 'waitsAlready', 'gone', 'onWay', 'notFound'] as const

const written = { method: 'POST' as const, access: 'writeOff.write' as const, writes: true }
const reasonFields = { why: z.enum(writeOffReasons), note: zNeeded(200), pictures: zScans }
const wholly = {
  output: z.object({ done: z.int(), waiting: z.int() }),
  refusals: ['request.notFound', 'writeOff.picture', 'writeOff.waits'] as const,
}

/** `ids` are of batches where they lie: all that the books have of them there. */
export const writeOffBatches = endpoint({
  ...written,
  name: 'stock.writeOffBatches',
  path: '/api/write-offs',
  input: z.strictObject({ ids: z.array(zId).min(1).max(200), ...reasonFields }),
  output: z.object({ outcomes: z.array(z.object({ id: z.int(), outcome: z.enum(writeOffOutcomes) })) }),
  refusals: ['request.notFound', 'writeOff.picture'],
  summary: 'Write off what lies there; above the limit another person has to agree',
})

export const writeOffGoods = endpoint({
  ...written,
  ...wholly,
  name: 'stock.writeOffGoods',
  path: '/api/write-offs/goods',
  input: z.strictObject({
    lines: z
      .array(
        z.strictObject({
          placeId: zId,
          productId: zId,
          batch: zLine(120).default(''),
          quantity: z.coerce.number().int().min(1).max(1_000_000),
        }),
      )
      .min(1)
      .max(100),
    ...reasonFields,
  }),
  refusals: [...wholly.refusals, 'writeOff.less', 'writeOff.twice'],
  summary: 'Write off so many pieces where they lie, all lines or none; above the limit another person has to agree',
})

export const writeOffWholeBatch = endpoint({
  ...written,
  ...wholly,
  name: 'stock.writeOffWholeBatch',
  path: '/api/write-offs/batch',
  input: z.strictObject({ productId: zId, batch: zNeeded(120), ...reasonFields }),
  summary: 'Write off all of a batch in every warehouse, bag and slot in sight, as after a recall',
})

const changed = z.object({ id: z.int(), state: z.enum(writeOffState.states) })
const decided = { ...written, input: z.strictObject({ id: zId }), output: changed }
const withReason = { ...written, input: z.strictObject({ id: zId, reason: zNeeded(200) }), output: changed }

export const approveWriteOff = endpoint({
  ...decided,
  name: 'stock.approveWriteOff',
  path: '/api/write-offs/{id}/approve',
  refusals: ['request.notFound', 'writeOff.state', 'writeOff.ownRequest', 'writeOff.less'],
  summary: 'Agree to what another person asked to write off',
})

export const refuseWriteOff = endpoint({
  ...withReason,
  name: 'stock.refuseWriteOff',
  path: '/api/write-offs/{id}/refuse',
  refusals: ['request.notFound', 'writeOff.state'],
  summary: 'It stays in the books, and why',
})

export const reverseWriteOff = endpoint({
  ...withReason,
  name: 'stock.reverseWriteOff',
  path: '/api/write-offs/{id}/reverse',
  refusals: ['request.notFound', 'writeOff.state', 'writeOff.ownRequest', 'writeOff.day'],
  summary: 'It was a slip, by another person and on the same day: the goods are back where they lay',
})
