import { z } from 'zod'
import { productNameField } from '../catalog/product'
import { endpoint, listEndpoint, zDay, zId, zInstant, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

/** Goods scrapped. Above a limit another person has to agree first; until then nothing has moved. */
export const writeOffState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'done', 'refused'],
  moves: {
    approve: { from: ['waiting'], to: 'done' },
    refuse: { from: ['waiting'], to: 'refused' },
  },
})

export const writeOffReasons = ['expired', 'damaged', 'quality', 'recalled', 'other'] as const

export const writeOffRefusals = defineRefusals('stock', {
  'writeOff.state': 409,
  'writeOff.ownRequest': 403,
  'writeOff.less': 409,
})

const writeOff = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  productId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  batch: z.string(),
  expiresOn: zDay.nullable(),
  placeName: z.string(),
  machineCode: z.string().nullable(),
  slotCode: z.string().nullable(),
  quantity: z.int(),
  costFen: zFenPositive,
  why: z.enum(writeOffReasons),
  note: z.string(),
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
    state: z.enum(writeOffState.states).optional(),
    why: z.enum(writeOffReasons).optional(),
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
  batch: { kind: 'code' },
  expiresOn: { kind: 'day' },
  placeName: { kind: 'text' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  slotCode: { kind: 'code' },
  quantity: { kind: 'count' },
  costFen: { kind: 'money' },
  why: { kind: 'state', words: 'why', tones: {} },
  note: { kind: 'text' },
  state: stateField('writeOffState', writeOffState, { waiting: 'warn', done: 'good', refused: 'idle' }),
  askedBy: { kind: 'text' },
  askedAt: { kind: 'dateTime' },
  decidedBy: { kind: 'text' },
  decidedAt: { kind: 'dateTime' },
} satisfies Fields

/** `waiting`: its cost is above the limit, and another person has to agree. */
export const writeOffOutcomes = ['done', 'waiting', 'waitsAlready', 'gone', 'onWay', 'notFound'] as const

const written = { method: 'POST' as const, access: 'writeOff.write' as const, writes: true }
const reasonFields = { why: z.enum(writeOffReasons), note: zNeeded(200) }

/** `ids` are of batches where they lie: all that the books have of them there. */
export const writeOffBatches = endpoint({
  ...written,
  name: 'stock.writeOffBatches',
  path: '/api/write-offs',
  input: z.strictObject({ ids: z.array(zId).min(1).max(200), ...reasonFields }),
  output: z.object({ outcomes: z.array(z.object({ id: z.int(), outcome: z.enum(writeOffOutcomes) })) }),
  refusals: ['request.notFound'],
  summary: 'Write off what lies there; above the limit another person has to agree',
})

const decided = {
  ...written,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int(), state: z.enum(writeOffState.states) }),
}

export const approveWriteOff = endpoint({
  ...decided,
  name: 'stock.approveWriteOff',
  path: '/api/write-offs/{id}/approve',
  refusals: ['request.notFound', 'writeOff.state', 'writeOff.ownRequest', 'writeOff.less'],
  summary: 'Agree to what another person asked to write off',
})

export const refuseWriteOff = endpoint({
  ...decided,
  name: 'stock.refuseWriteOff',
  path: '/api/write-offs/{id}/refuse',
  refusals: ['request.notFound', 'writeOff.state'],
  summary: 'It stays in the books',
})
