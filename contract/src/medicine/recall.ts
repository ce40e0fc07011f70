import { z } from 'zod'
import { codedNameField } from '../catalog/product'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { batchNumberField, batchPlaceKinds } from './batch'

/** Who writes it, who starts it and who closes it are three people. */
export const recallState = stateTable({
  initial: 'draft',
  states: ['draft', 'active', 'closed', 'cancelled'],
  moves: {
    start: { from: ['draft'], to: 'active' },
    close: { from: ['active'], to: 'closed' },
    cancel: { from: ['draft'], to: 'cancelled' },
  },
  sets: { over: ['closed', 'cancelled'] },
})
export type RecallState = (typeof recallState.states)[number]

/** A place where some of the batch lies. Told, then it says that it sells none, then somebody has it in hand. */
export const targetState = stateTable({
  initial: 'pending',
  states: ['pending', 'notified', 'acknowledged', 'pulled', 'unreachable'],
  moves: {
    notify: { from: ['pending'], to: 'notified' },
    acknowledge: { from: ['pending', 'notified'], to: 'acknowledged' },
    pull: { from: ['pending', 'notified', 'acknowledged', 'unreachable'], to: 'pulled' },
    giveUp: { from: ['pending', 'notified', 'acknowledged'], to: 'unreachable' },
  },
  sets: { open: ['pending', 'notified', 'acknowledged'], told: ['notified', 'acknowledged'] },
})
export type TargetState = (typeof targetState.states)[number]

/** How bad it is, and within how many days all are to be told (Measures for the Recall of Drugs, 2022, article 19). */
export const recallClasses = ['i', 'ii', 'iii'] as const
export const recallDays: Record<(typeof recallClasses)[number], number> = { i: 1, ii: 3, iii: 7 }

export const recallRefusals = defineRefusals('medicine', {
  'recall.state': 409,
  /** This batch is being recalled already. */
  'recall.already': 409,
  'recall.batch': 422,
  /** The one who acts has written or started it: it takes another. */
  'recall.samePerson': 409,
  /** Places where nobody has yet said what became of it. */
  'recall.open': 409,
  'recall.target': 409,
  'recall.unsigned': 409,
})

const recall = z.object({
  id: z.int(),
  no: z.string(),
  batchId: z.int(),
  number: z.string(),
  productCode: z.string(),
  productName: z.string(),
  merchantName: z.string(),
  class: z.enum(recallClasses),
  isDrill: z.boolean(),
  state: z.enum(recallState.states),
  reason: z.string(),
  /** Else it is of a merchant above, who alone moves it; its places are pulled by whoever sees them. */
  isOwn: z.boolean(),
  /** By when all have to be told; null until it is started. */
  dueAt: zInstant.nullable(),
  isOverdue: z.boolean(),
  targets: z.int(),
  /** Of these: not told, told, have said that they sell none, in hand, and out of reach. */
  pending: z.int(),
  notified: z.int(),
  acknowledged: z.int(),
  pulled: z.int(),
  unreachable: z.int(),
  bookPieces: z.int(),
  pulledPieces: z.int(),
  createdAt: zInstant,
  startedAt: zInstant.nullable(),
  closedAt: zInstant.nullable(),
})
export type Recall = z.output<typeof recall>

export const listRecalls = listEndpoint({
  name: 'medicine.listRecalls',
  path: '/api/recalls',
  access: 'recall.read',
  summary: 'Recalls of batches of merchants in sight, newest first',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(recallState.states).optional(),
    class: zAnyOf(recallClasses).optional(),
    drill: z.enum(['yes', 'no']).optional(),
    batchId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: recall,
})

export const recallTones = { draft: 'warn', active: 'bad', closed: 'good', cancelled: 'idle' } as const
export const targetTones = {
  pending: 'bad',
  notified: 'warn',
  acknowledged: 'busy',
  pulled: 'good',
  unreachable: 'bad',
} as const

export const recallFields = {
  no: { kind: 'text' },
  number: batchNumberField,
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  productName: codedNameField,
  merchantName: { kind: 'text' },
  class: { kind: 'state', words: 'recallClass', tones: { i: 'bad', ii: 'warn', iii: 'idle' } },
  isDrill: { kind: 'boolean' },
  drill: { kind: 'state', words: 'recallDrill', tones: {} },
  state: stateField('recallState', recallState, recallTones),
  reason: { kind: 'text' },
  dueAt: { kind: 'dateTime' },
  targets: { kind: 'count' },
  pending: { kind: 'count' },
  acknowledged: { kind: 'count' },
  pulled: { kind: 'count' },
  unreachable: { kind: 'count' },
  bookPieces: { kind: 'count' },
  pulledPieces: { kind: 'count' },
  createdAt: { kind: 'dateTime' },
  startedAt: { kind: 'dateTime' },
  closedAt: { kind: 'dateTime' },
} satisfies Fields

export const recallNoteKinds = ['notice', 'return', 'disposal'] as const

export const getRecall = endpoint({
  name: 'medicine.getRecall',
  method: 'GET',
  path: '/api/recalls/{id}',
  access: 'recall.read',
  input: z.strictObject({ id: zId }),
  output: recall.extend({
    version: z.int(),
    createdBy: z.string().nullable(),
    startedBy: z.string().nullable(),
    closedBy: z.string().nullable(),
    summary: z.string(),
    /** Whether the asker may start or close it, as far as who wrote and started it says. */
    mayStart: z.boolean(),
    mayClose: z.boolean(),
    /** Pieces that customers brought back. */
    returnedPieces: z.int(),
    soldPieces: z.int(),
    hasProof: z.boolean(),
    story: z.array(
      z.object({ id: z.int(), at: zInstant, verb: z.string(), who: z.string().nullable(), note: z.string() }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One recall with how far its places are, and its story',
})

const target = z.object({
  id: z.int(),
  kind: z.enum(batchPlaceKinds),
  placeName: z.string(),
  merchantName: z.string(),
  machineCode: z.string().nullable(),
  slotCode: z.string().nullable(),
  book: z.int(),
  pulled: z.int().nullable(),
  state: z.enum(targetState.states),
  note: z.string(),
  notifiedAt: zInstant.nullable(),
  acknowledgedAt: zInstant.nullable(),
  settledAt: zInstant.nullable(),
  settledBy: z.string().nullable(),
})

export const listRecallTargets = listEndpoint({
  name: 'medicine.listRecallTargets',
  path: '/api/recall-targets',
  access: 'recall.read',
  summary: 'The places of a recall in sight: what is still open first',
  filters: {
    recallId: zId,
    state: zAnyOf(targetState.states).optional(),
    q: zSearch.optional(),
  },
  sorts: ['open'],
  item: target,
})

export const targetFields = {
  kind: { kind: 'state', words: 'placeKind', tones: {} },
  placeName: { kind: 'text' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  slotCode: { kind: 'text' },
  merchantName: { kind: 'text' },
  book: { kind: 'count' },
  pulled: { kind: 'count' },
  state: stateField('targetState', targetState, targetTones),
  note: { kind: 'text' },
  notifiedAt: { kind: 'dateTime' },
  acknowledgedAt: { kind: 'dateTime' },
  settledAt: { kind: 'dateTime' },
  settledBy: { kind: 'text' },
} satisfies Fields

/** By what somebody who has the batch can be reached: what is not known is told where it was sold. */
export const contactKinds = ['prescription', 'member', 'notice'] as const

const soldOrder = z.object({
  id: z.int(),
  orderNo: z.string(),
  machineCode: z.string(),
  pointName: z.string(),
  soldAt: zInstant,
  pieces: z.int(),
  /** The machine named no batch; what stood in front of its slot was this one. */
  isInferred: z.boolean(),
  contact: z.enum(contactKinds),
  /** The prescription or the card, only for who may read those. */
  contactCode: z.string().nullable(),
})

export const listRecallOrders = listEndpoint({
  name: 'medicine.listRecallOrders',
  path: '/api/recall-orders',
  access: 'recall.read',
  summary: 'Orders in sight that had the batch of a recall, newest first, and how their customers can be told',
  filters: { recallId: zId },
  sorts: ['newest'],
  item: soldOrder,
})

export const soldOrderFields = {
  orderNo: { kind: 'ref', to: 'jygl/ddgl', by: 'orderNo' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  pointName: { kind: 'text' },
  soldAt: { kind: 'dateTime' },
  pieces: { kind: 'count' },
  isInferred: { kind: 'boolean' },
  contact: { kind: 'state', words: 'recallContact', tones: {} },
  contactCode: { kind: 'text' },
} satisfies Fields

const written = { method: 'POST' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(recallState.states) })

export const addRecall = endpoint({
  ...written,
  name: 'medicine.addRecall',
  path: '/api/recalls',
  access: 'recall.write',
  input: z.strictObject({
    batchId: zId,
    class: z.enum(recallClasses),
    isDrill: z.boolean().default(false),
    reason: zNeeded(200),
  }),
  output: z.object({ id: z.int(), no: z.string() }),
  refusals: ['request.notFound', 'recall.batch', 'recall.already'],
  summary: 'Write a recall of a batch; nothing happens until another person starts it',
})

export const startRecall = endpoint({
  ...written,
  name: 'medicine.startRecall',
  path: '/api/recalls/{id}/start',
  access: 'recall.start',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'recall.state', 'recall.samePerson', 'recall.already', 'recall.batch'],
  summary: 'From this moment no slot sells the batch; machines are told and the field has it to pull',
})

export const cancelRecall = endpoint({
  ...written,
  name: 'medicine.cancelRecall',
  path: '/api/recalls/{id}/cancel',
  access: 'recall.write',
  input: z.strictObject({ id: zId, reason: zNeeded(200) }),
  output: changed,
  refusals: ['request.notFound', 'recall.state'],
  summary: 'It is not to be started, and why',
})

export const noteRecall = endpoint({
  ...written,
  name: 'medicine.noteRecall',
  path: '/api/recalls/{id}/notes',
  access: 'recall.write',
  input: z.strictObject({
    id: zId,
    kind: z.enum(recallNoteKinds),
    note: zNeeded(400),
    /** Pieces that came back or were destroyed. */
    quantity: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
  output: changed,
  refusals: ['request.notFound', 'recall.state'],
  summary: 'Who was told, what customers brought back, and how it was destroyed with the number of its paper',
})

const settled = z.object({ id: z.int(), state: z.enum(targetState.states) })

export const acknowledgeTarget = endpoint({
  ...written,
  name: 'medicine.acknowledgeTarget',
  path: '/api/recall-targets/{id}/acknowledge',
  access: 'recall.pull',
  input: z.strictObject({ id: zId, note: zLine(200).default('') }),
  output: settled,
  refusals: ['request.notFound', 'recall.state', 'recall.target'],
  summary: 'Somebody there has said that nothing of it goes out any more',
})

export const pullTarget = endpoint({
  ...written,
  name: 'medicine.pullTarget',
  path: '/api/recall-targets/{id}/pull',
  access: 'recall.pull',
  input: z.strictObject({
    id: zId,
    /** Pieces that were found; what the books say beside is kept with it. */
    pulled: z.coerce.number().int().min(0).max(9999),
    note: zLine(200).default(''),
  }),
  output: settled,
  refusals: ['request.notFound', 'recall.state', 'recall.target'],
  summary: 'It was taken out of there: so many pieces; the books follow, and a difference is kept',
})

export const giveUpTarget = endpoint({
  ...written,
  name: 'medicine.giveUpTarget',
  path: '/api/recall-targets/{id}/give-up',
  access: 'recall.pull',
  input: z.strictObject({ id: zId, note: zNeeded(200) }),
  output: settled,
  refusals: ['request.notFound', 'recall.state', 'recall.target'],
  summary: 'Nobody gets at it, and why; it stays stopped',
})

export const closeRecall = endpoint({
  ...written,
  name: 'medicine.closeRecall',
  path: '/api/recalls/{id}/close',
  access: 'recall.close',
  input: z.strictObject({ id: zId, summary: zNeeded(500) }),
  output: changed,
  refusals: ['request.notFound', 'recall.state', 'recall.samePerson', 'recall.open'],
  summary: 'All places have their end; what was done is signed',
})

export const getRecallProof = endpoint({
  name: 'medicine.getRecallProof',
  method: 'GET',
  path: '/api/recalls/{id}/proof',
  access: 'recall.read',
  input: z.strictObject({ id: zId }),
  output: z.object({
    id: z.int(),
    no: z.string(),
    signedAt: zInstant,
    /** What was signed, word for word. */
    record: z.string(),
    hash: z.string(),
    /** Of the recall that was signed before; empty for the first. */
    hashBefore: z.string(),
    /** Whether the record still is what was signed. */
    isWhole: z.boolean(),
    madeOn: zDay,
  }),
  refusals: ['request.notFound', 'recall.unsigned'],
  summary: 'The signed record of a closed recall, checked against its signature',
})
