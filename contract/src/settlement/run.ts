import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals, fileRefusals } from '../kernel/refusal'
import { fundsModes, providers } from '../payment/states'
import { differenceKinds, differenceState, lights, runState } from './states'

export const runRefusals = defineRefusals('settlement', {
  'settlementRun.state': 409,
  /** Differences that nobody has decided. */
  'settlementRun.open': 409,
  'settlementRun.samePerson': 403,
  'statement.unreadable': 422,
  'statement.totals': 422,
  'statement.otherDay': 422,
  'statement.otherAccount': 422,
  'statement.other': 409,
})

const side = { count: z.int(), fen: zFen, refundCount: z.int(), refundFen: zFen }

const run = z.object({
  id: z.int(),
  day: zDay,
  provider: z.enum(providers),
  merchantName: z.string(),
  channelNo: z.string(),
  /** Under which the money of the day was collected, whatever its account is now. */
  fundsMode: z.enum(fundsModes),
  state: z.enum(runState.states),
  light: z.enum(lights),
  ourCount: z.int(),
  ourFen: zFen,
  theirCount: z.int(),
  theirFen: zFen,
  refundFen: zFen,
  feeFen: zFen,
  /** What the channel owes for the day: theirs less refunds and fees. */
  netFen: zFen,
  openCount: z.int(),
  waitingCount: z.int(),
  matchedAt: zInstant.nullable(),
  closedAt: zInstant.nullable(),
})
export type SettlementRun = z.output<typeof run>

export const listRuns = listEndpoint({
  name: 'settlement.listRuns',
  path: '/api/settlement-runs',
  access: 'settlement.read',
  summary: 'Days of channels: what we and they say of each, its light, and its differences',
  filters: {
    from: zDay.optional(),
    to: zDay.optional(),
    provider: zAnyOf(providers).optional(),
    light: zAnyOf(lights).optional(),
    state: zAnyOf(runState.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: run,
  sums: { ourFen: zFen, theirFen: zFen, refundFen: zFen, feeFen: zFen, netFen: zFen },
})

export const runFields = {
  day: { kind: 'day' },
  provider: { kind: 'state', words: 'provider', tones: {} },
  merchantName: { kind: 'text' },
  channelNo: { kind: 'text' },
  fundsMode: { kind: 'state', words: 'fundsMode', tones: {} },
  state: stateField('runState', runState, { waiting: 'idle', matched: 'busy', closing: 'warn', closed: 'good' }),
  light: stateField('light', lights, { none: 'idle', red: 'bad', amber: 'warn', green: 'good' }),
  ourCount: { kind: 'count' },
  ourFen: { kind: 'money' },
  theirCount: { kind: 'count' },
  theirFen: { kind: 'money' },
  refundFen: { kind: 'money' },
  feeFen: { kind: 'money' },
  netFen: { kind: 'money' },
  openCount: { kind: 'count' },
  waitingCount: { kind: 'count' },
  matchedAt: { kind: 'dateTime' },
  closedAt: { kind: 'dateTime' },
} satisfies Fields

export const summariseRuns = endpoint({
  name: 'settlement.summariseRuns',
  method: 'GET',
  path: '/api/settlement-runs/summary',
  access: 'settlement.read',
  input: z.strictObject({}),
  output: z.object({
    waiting: z.int(),
    red: z.int(),
    amber: z.int(),
    toClose: z.int(),
    /** Days of the last five weeks, each with the worst light of its runs. */
    days: z.array(z.object({ day: zDay, light: z.enum(lights), runs: z.int(), openCount: z.int() })),
  }),
  summary: 'How many days wait for a bill, a decision or a second person; the lights of the last five weeks',
})

export const getRun = endpoint({
  name: 'settlement.getRun',
  method: 'GET',
  path: '/api/settlement-runs/{id}',
  access: 'settlement.read',
  input: z.strictObject({ id: zId }),
  output: run.extend({
    version: z.int(),
    tries: z.int(),
    lastCode: z.string().nullable(),
    fetchedAt: zInstant.nullable(),
    askedBy: z.string().nullable(),
    /** The person who asks may not be the one who closes. */
    isAskedByMe: z.boolean(),
    closedBy: z.string().nullable(),
    ours: z.object(side),
    theirs: z.object(side),
    payoutFen: zFen,
    ourBalanceFen: zFen.nullable(),
    theirBalanceFen: zFen.nullable(),
    files: z.array(
      z.object({
        id: z.int(),
        kind: z.enum(['bill', 'trade', 'fund']),
        source: z.enum(['fetched', 'uploaded']),
        name: z.string(),
        hash: z.string(),
        lineCount: z.int(),
        importedAt: zInstant,
        importedBy: z.string().nullable(),
      }),
    ),
    differences: z.array(
      z.object({
        id: z.int(),
        kind: z.enum(differenceKinds),
        state: z.enum(differenceState.states),
        ourFen: zFen.nullable(),
        theirFen: zFen.nullable(),
        orderNo: z.string().nullable(),
      }),
    ),
    settlements: z.array(
      z.object({ id: z.int(), merchantName: z.string(), orders: z.int(), netFen: zFen, feeFen: zFen }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One day of a channel: both sides, its files, differences, and what was settled by closing it',
})

const written = { method: 'POST' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(runState.states) })

export const rerunRun = endpoint({
  ...written,
  name: 'settlement.rerunRun',
  path: '/api/settlement-runs/{id}/rerun',
  access: 'settlement.write',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'settlementRun.state'],
  summary: 'Match the day again with what has come since, or ask the channel for its bill at once',
})

export const LARGEST_STATEMENT_BYTES = 720_000

export const uploadStatement = endpoint({
  ...written,
  name: 'settlement.uploadStatement',
  path: '/api/settlement-runs/{id}/statement',
  access: 'settlement.write',
  input: z.strictObject({
    id: zId,
    name: z.string().trim().min(1).max(200),
    content: z
      .base64()
      .min(4)
      .max(Math.ceil((LARGEST_STATEMENT_BYTES * 4) / 3)),
  }),
  output: changed.extend({ isNew: z.boolean(), lineCount: z.int() }),
  refusals: [
    'request.notFound',
    'settlementRun.state',
    'statement.unreadable',
    'statement.totals',
    'statement.otherDay',
    'statement.otherAccount',
    'statement.other',
    ...fileRefusals,
  ],
  summary: 'Take in the file of a provider by hand; the same file a second time changes nothing',
})

export const askCloseRun = endpoint({
  ...written,
  name: 'settlement.askCloseRun',
  path: '/api/settlement-runs/{id}/ask-close',
  access: 'settlement.write',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'settlementRun.state', 'settlementRun.open'],
  summary: 'Ask a second person to close the day',
})

export const refuseCloseRun = endpoint({
  ...written,
  name: 'settlement.refuseCloseRun',
  path: '/api/settlement-runs/{id}/refuse-close',
  access: 'settlement.approve',
  input: z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) }),
  output: changed,
  refusals: ['request.notFound', 'settlementRun.state'],
  summary: 'Send the day back to who asked to close it',
})

export const closeRun = endpoint({
  ...written,
  name: 'settlement.closeRun',
  path: '/api/settlement-runs/{id}/close',
  access: 'settlement.approve',
  input: z.strictObject({ id: zId }),
  output: changed.extend({ settledFen: zFen }),
  refusals: ['request.notFound', 'settlementRun.state', 'settlementRun.open', 'settlementRun.samePerson'],
  summary: 'Close the day and settle what was sold: by another person than who asked',
})
