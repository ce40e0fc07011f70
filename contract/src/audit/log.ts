import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'

export const logKinds = ['operation', 'signIn'] as const
/** Of a sign-in; an operation that was refused left nothing behind, so it has none. */
export const signInOutcomes = ['ok', 'wrong', 'code', 'throttled', 'disabled', 'halfway', 'factor'] as const

const log = z.object({
  /** Even for operations, odd for sign-ins: two tables in one list. */
  id: z.int(),
  at: zInstant,
  kind: z.enum(logKinds),
  account: z.string(),
  displayName: z.string(),
  merchantName: z.string(),
  /** An endpoint's name, or `signIn`; worded `action.<name>`. */
  action: z.string(),
  objectKind: z.string(),
  objectId: z.string(),
  outcome: z.enum(signInOutcomes).nullable(),
  ip: z.string(),
})
export type Log = z.output<typeof log>

/** `from` and `to` are days of the network's home, both included. */
export const listLogs = listEndpoint({
  name: 'audit.listLogs',
  path: '/api/logs',
  access: 'log.read',
  summary: 'Who changed what, and who signed in or tried to, newest first',
  filters: {
    account: zSearch.optional(),
    objectId: zSearch.optional(),
    kind: z.enum(logKinds).optional(),
    action: z.string().max(80).optional(),
    objectKind: z.string().max(40).optional(),
    outcome: zAnyOf(signInOutcomes).optional(),
    ip: zSearch.optional(),
    merchantId: zId.optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['newest'],
  item: log,
})

export const logFields = {
  at: { kind: 'dateTime' },
  account: { kind: 'code' },
  displayName: { kind: 'text' },
  merchantName: { kind: 'text' },
  action: { kind: 'state', words: 'action', tones: {} },
  kind: stateField('logKind', logKinds, { operation: 'idle', signIn: 'idle' }),
  objectKind: { kind: 'state', words: 'object', tones: {} },
  objectId: { kind: 'code' },
  outcome: stateField('outcome', signInOutcomes, {
    ok: 'good',
    wrong: 'bad',
    code: 'warn',
    throttled: 'bad',
    disabled: 'warn',
    halfway: 'idle',
    factor: 'bad',
  }),
  ip: { kind: 'code' },
} satisfies Fields

const facts = z.record(z.string(), z.unknown()).nullable()

export const getLog = endpoint({
  name: 'audit.getLog',
  method: 'GET',
  path: '/api/logs/{id}',
  access: 'log.read',
  input: z.strictObject({ id: zId }),
  output: log.extend({
    before: facts,
    after: facts,
    agent: z.string(),
    traceId: z.string(),
    /** When the row was sealed into the hash chain; null for a sign-in, and for the last minute's operations. */
    sealedAt: zInstant.nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One entry with what was before and after',
})

export const getSealState = endpoint({
  name: 'audit.getSealState',
  method: 'GET',
  path: '/api/log-seal',
  access: 'log.read',
  input: z.strictObject({}),
  output: z.object({
    sealedRows: z.int(),
    waitingRows: z.int(),
    sealedAt: zInstant.nullable(),
    checkedAt: zInstant.nullable(),
    checkedRows: z.int(),
    problems: z.int(),
  }),
  summary: 'How far the log is sealed, and what the last check of the chain found',
})
