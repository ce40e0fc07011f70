import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { zScans } from '../merchant/scans'

/**
 * One visit to one machine. Who counts is told nothing of the books; where the difference is large another person
 * counts again; then somebody looks at what it costs and posts it.
 */
export const countState = stateTable({
  initial: 'counting',
  states: ['counting', 'recounting', 'review', 'posted', 'cancelled'],
  moves: {
    finish: { from: ['counting', 'recounting'], to: 'review' },
    askAgain: { from: ['counting', 'review'], to: 'recounting' },
    post: { from: ['review'], to: 'posted' },
    cancel: { from: ['counting', 'recounting', 'review'], to: 'cancelled' },
  },
  sets: { blind: ['counting'], counted: ['counting', 'recounting'], open: ['counting', 'recounting', 'review'] },
})
export type CountState = (typeof countState.states)[number]

/**
 * All slots; those that are empty by the books and three more by what is at stake; those that somebody chose; or those
 * of which the machine itself says something.
 */
export const countScopes = ['all', 'cycle', 'slots', 'machine'] as const
export const differenceReasons = ['miscount', 'wrongSlot', 'jam', 'theft', 'damage', 'unrecordedFill', 'other'] as const

export const countRefusals = defineRefusals('counting', {
  'count.state': 409,
  /** Another open count has these slots. */
  'count.already': 409,
  'count.noSlots': 422,
  /** Nothing was counted. */
  'count.nothing': 422,
  'count.secondMissing': 409,
  'count.samePerson': 409,
  'count.otherCounter': 409,
  'count.reason': 422,
  /** What it comes to is no longer what was shown. */
  'count.changed': 409,
  /** A dear difference is posted by somebody who has not counted it. */
  'count.ownCount': 409,
  'count.unknownSlot': 422,
  'count.unknownProduct': 422,
})

const count = z.object({
  id: z.int(),
  no: z.string(),
  state: z.enum(countState.states),
  scope: z.enum(countScopes),
  machineCode: z.string(),
  machineName: z.string(),
  pointName: z.string(),
  routeName: z.string().nullable(),
  hospitalName: z.string().nullable(),
  merchantName: z.string(),
  lines: z.int(),
  counted: z.int(),
  /** Null before it is posted. */
  differing: z.int().nullable(),
  deltaPieces: z.int().nullable(),
  /** At cost: what was found less is below zero. */
  costFen: zFen.nullable(),
  openedBy: z.string().nullable(),
  openedAt: zInstant,
  countedBy: z.string(),
  countedAt: zInstant.nullable(),
  postedBy: z.string().nullable(),
  postedAt: zInstant.nullable(),
})
export type Count = z.output<typeof count>

export const listCounts = listEndpoint({
  name: 'counting.listCounts',
  path: '/api/stock-counts',
  access: 'stockCount.read',
  summary: 'Counts of machines in sight, newest first',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(countState.states).optional(),
    scope: zAnyOf(countScopes).optional(),
    machineCode: zSearch.optional(),
    routeId: zId.optional(),
    hospitalId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: count,
  sums: { costFen: zFen },
})

export const countFields = {
  no: { kind: 'text' },
  state: stateField('countState', countState, {
    counting: 'busy',
    recounting: 'warn',
    review: 'warn',
    posted: 'good',
    cancelled: 'idle',
  }),
  scope: { kind: 'state', words: 'countScope', tones: {} },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  pointName: { kind: 'text' },
  routeName: { kind: 'text' },
  hospitalName: { kind: 'text' },
  merchantName: { kind: 'text' },
  lines: { kind: 'count' },
  counted: { kind: 'count' },
  differing: { kind: 'count' },
  deltaPieces: { kind: 'count' },
  costFen: { kind: 'money' },
  openedBy: { kind: 'text' },
  openedAt: { kind: 'dateTime' },
  countedBy: { kind: 'text' },
  countedAt: { kind: 'dateTime' },
  postedBy: { kind: 'text' },
  postedAt: { kind: 'dateTime' },
  reason: { kind: 'state', words: 'differenceReason', tones: {} },
} satisfies Fields

const line = z.object({
  id: z.int(),
  slotCode: z.string(),
  productCode: z.string(),
  productName: z.string(),
  isMedicine: z.boolean(),
  batch: z.string().nullable(),
  expiresOn: zDay.nullable(),
  capacity: z.int(),
  counted: z.int().nullable(),
  countedBy: z.string().nullable(),
  countedAt: zInstant.nullable(),
  needsSecond: z.boolean(),
  second: z.int().nullable(),
  secondBy: z.string().nullable(),
  secondAt: zInstant.nullable(),
  /** Whether the asker may type into it now. */
  mayCount: z.boolean(),
  /** By the books at the moment of counting. Null while it is counted blind, and of what was not counted. */
  book: z.int().nullable(),
  difference: z.int().nullable(),
  /** Of the difference. */
  costFen: z.int().nullable(),
  /** Pieces that came or went before the count and were heard after it was posted; the difference is that much less. */
  late: z.int(),
  /** A newer count stands in its place. */
  isSuperseded: z.boolean(),
  reason: z.enum(differenceReasons).nullable(),
  note: z.string(),
  pictures: z.array(z.string()),
})
export type CountLine = z.output<typeof line>

export const getCount = endpoint({
  name: 'counting.getCount',
  method: 'GET',
  path: '/api/stock-counts/{id}',
  access: 'stockCount.read',
  input: z.strictObject({ id: zId }),
  output: count.extend({
    version: z.int(),
    machineId: z.int(),
    isBlind: z.boolean(),
    /** Sold and filled since it was counted may not all be here yet. */
    lastSeenAt: zInstant.nullable(),
    isConnected: z.boolean(),
    cancelReason: z.string(),
    items: z.array(line),
    story: z.array(
      z.object({ id: z.int(), at: zInstant, verb: z.string(), who: z.string().nullable(), note: z.string() }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One count with its sheet; what the books say is not in it while somebody counts blind',
})

const written = { method: 'POST' as const, writes: true, access: 'stockCount.write' as const }
const changed = z.object({ id: z.int(), state: z.enum(countState.states) })
const scope = z.enum(['all', 'cycle']).default('cycle')
const opened = z.object({
  /** The count, where it is one. */
  id: z.int().nullable(),
  opened: z.int(),
  /** Machines whose slots are all in open counts already. */
  already: z.int(),
})

export const openCount = endpoint({
  ...written,
  name: 'counting.openCount',
  path: '/api/stock-counts',
  input: z.strictObject({ machineCode: zNeeded(20), scope }),
  output: opened,
  refusals: ['count.already', 'count.noSlots'],
  summary: 'Begin a count of a machine: all of it, or what a visit should look at',
})

export const openRouteCounts = endpoint({
  ...written,
  name: 'counting.openRouteCounts',
  path: '/api/stock-counts/of-route',
  input: z.strictObject({ routeId: zId, scope }),
  output: opened,
  refusals: ['request.notFound', 'count.already', 'count.noSlots'],
  summary: 'Begin a count in each machine of a route',
})

export const openHospitalCounts = endpoint({
  ...written,
  name: 'counting.openHospitalCounts',
  path: '/api/stock-counts/of-hospital',
  input: z.strictObject({ hospitalId: zId, scope }),
  output: opened,
  refusals: ['request.notFound', 'count.already', 'count.noSlots'],
  summary: 'Begin a count in each machine in sight that stands in a hospital',
})

export const slotOutcomes = ['done', 'open', 'notFound'] as const

export const openSlotCounts = endpoint({
  ...written,
  name: 'counting.openSlotCounts',
  path: '/api/stock-counts/of-slots',
  input: z.strictObject({ ids: z.array(zId).min(1).max(200) }),
  output: z.object({ outcomes: z.array(z.object({ id: z.int(), outcome: z.enum(slotOutcomes) })) }),
  summary: 'Begin a count of these slots, one for each of their machines',
})

export const lineOutcomes = ['kept', 'same', 'notFound'] as const

/** Times are by the clock of who sends; `sentAt` tells by how much that is wrong. */
export const saveCount = endpoint({
  ...written,
  name: 'counting.saveCount',
  path: '/api/stock-counts/{id}/lines',
  input: z.strictObject({
    id: zId,
    sentAt: zInstant,
    lines: z
      .array(
        z.strictObject({
          id: zId,
          /** Null takes back one's own. */
          counted: z.int().min(0).max(9999).nullable(),
          countedAt: zInstant,
        }),
      )
      .min(1)
      .max(400),
  }),
  output: z.object({ outcomes: z.array(z.object({ id: z.int(), outcome: z.enum(lineOutcomes) })) }),
  refusals: ['request.notFound', 'count.state', 'count.samePerson', 'count.otherCounter'],
  summary: 'What somebody found in slots, each with its time',
})

export const addCountLine = endpoint({
  ...written,
  name: 'counting.addCountLine',
  path: '/api/stock-counts/{id}/found',
  input: z.strictObject({
    id: zId,
    slotCode: zNeeded(12),
    /** Empty: of the product that should stand there. */
    productCode: zLine(40).default(''),
    batch: zLine(120).default(''),
  }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'count.state', 'count.already', 'count.unknownSlot', 'count.unknownProduct'],
  summary: 'Something stands in a slot that the sheet does not name: another batch, or another product',
})

export const finishCount = endpoint({
  ...written,
  name: 'counting.finishCount',
  path: '/api/stock-counts/{id}/finish',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'count.state', 'count.nothing', 'count.secondMissing'],
  summary: 'All is counted; what differs much goes to another person',
})

export const recountLines = endpoint({
  ...written,
  access: 'stockCount.post',
  name: 'counting.recountLines',
  path: '/api/stock-counts/{id}/recount',
  input: z.strictObject({ id: zId, lineIds: z.array(zId).min(1).max(400) }),
  output: changed,
  refusals: ['request.notFound', 'count.state', 'count.nothing'],
  summary: 'Somebody else is to count these again',
})

export const explainLines = endpoint({
  ...written,
  name: 'counting.explainLines',
  path: '/api/stock-counts/{id}/explain',
  input: z.strictObject({
    id: zId,
    lineIds: z.array(zId).min(1).max(400),
    reason: z.enum(differenceReasons),
    note: zLine(200).default(''),
    pictures: zScans,
  }),
  output: changed,
  refusals: ['request.notFound', 'count.state'],
  summary: 'Why it differs, with a picture where there is one',
})

export const postCount = endpoint({
  ...written,
  access: 'stockCount.post',
  name: 'counting.postCount',
  path: '/api/stock-counts/{id}/post',
  /** `costFen`: what it comes to as it was shown; sales that were heard since have changed it. */
  input: z.strictObject({ id: zId, costFen: zFen }),
  output: changed,
  refusals: ['request.notFound', 'count.state', 'count.changed', 'count.reason', 'count.ownCount'],
  summary: 'The books follow by the differences, and the machine is told',
})

export const cancelCount = endpoint({
  ...written,
  name: 'counting.cancelCount',
  path: '/api/stock-counts/{id}/cancel',
  input: z.strictObject({ id: zId, reason: zNeeded(200) }),
  output: changed,
  refusals: ['request.notFound', 'count.state'],
  summary: 'Nothing of it is posted, and why',
})
