import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { alarmCauseNames, alarmLevels, alarmState } from './states'

export const alarmRefusals = defineRefusals('alarm', {
  'alarm.state': 409,
  'alarm.assigneeDoesNotSee': 422,
})

/** Those that last, unless somebody asks for what is over. */
export const alarmPhases = ['lasting', 'closed', 'all'] as const

const alarm = z.object({
  id: z.int(),
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  merchantName: z.string(),
  pointName: z.string(),
  cause: z.enum(alarmCauseNames),
  slotCode: z.string(),
  /** What the figures say, in the reader's language; '' where the cause says it all. */
  detail: z.string(),
  level: z.enum(alarmLevels),
  state: z.enum(alarmState.states),
  openedAt: zInstant,
  seenAt: zInstant,
  closedAt: zInstant.nullable(),
  /** How often it was said. */
  count: z.int(),
  /** Machines of the same point with the same cause at the same time, this one among them. */
  machines: z.int(),
  /** Of all alarms of the line: what is usually sold an hour × the hours it lasts; null where nothing stops. */
  stakeFen: z.int().nullable(),
  assigneeName: z.string().nullable(),
  repairOrderId: z.int().nullable(),
})
export type Alarm = z.output<typeof alarm>

export const listAlarms = listEndpoint({
  name: 'alarm.listAlarms',
  path: '/api/alarms',
  access: 'alarm.read',
  summary: 'Alarms of machines in sight, worst first; one cause at one point at once is one line',
  filters: {
    q: zSearch.optional(),
    code: zSearch.optional(),
    phase: z.enum(alarmPhases).optional(),
    state: zAnyOf(alarmState.states).optional(),
    level: zAnyOf(alarmLevels).optional(),
    cause: zAnyOf(alarmCauseNames).optional(),
    merchantId: zId.optional(),
    machineId: zId.optional(),
    assignee: z.enum(['me', 'nobody']).optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['worst', 'newest'],
  item: alarm,
  /** Of the alarms themselves, however few lines they make. */
  sums: { alarms: z.int(), stakeFen: z.int() },
})

export const alarmFields = {
  machineCode: { kind: 'code' },
  machineName: { kind: 'text' },
  merchantName: { kind: 'text' },
  pointName: { kind: 'text' },
  cause: { kind: 'state', words: 'cause', tones: {} },
  slotCode: { kind: 'code' },
  detail: { kind: 'text' },
  level: stateField('level', alarmLevels, { critical: 'bad', warning: 'warn', notice: 'idle' }),
  state: stateField('alarmState', alarmState, {
    open: 'bad',
    acknowledged: 'warn',
    assigned: 'busy',
    closed: 'good',
  }),
  openedAt: { kind: 'dateTime' },
  seenAt: { kind: 'dateTime' },
  closedAt: { kind: 'dateTime' },
  count: { kind: 'count' },
  machines: { kind: 'count' },
  alarms: { kind: 'count' },
  stakeFen: { kind: 'money' },
  assigneeName: { kind: 'text' },
  /** Asked for, not shown. */
  phase: stateField('phase', alarmPhases, { lasting: 'warn', closed: 'good', all: 'idle' }),
} satisfies Fields

export const summariseAlarms = endpoint({
  name: 'alarm.summariseAlarms',
  method: 'GET',
  path: '/api/alarms/summary',
  access: 'alarm.read',
  input: z.strictObject({}),
  output: z.object({
    critical: z.int(),
    warning: z.int(),
    notice: z.int(),
    unseen: z.int(),
    mine: z.int(),
    stakeFen: z.int(),
  }),
  summary: 'How many alarms last, by level, and what they cost so far',
})

const moment = z.object({
  id: z.int(),
  at: zInstant,
  verb: z.enum(['acknowledge', 'assign', 'close', 'repair']),
  who: z.string().nullable(),
  assignee: z.string().nullable(),
  note: z.string(),
})

export const getAlarm = endpoint({
  name: 'alarm.getAlarm',
  method: 'GET',
  path: '/api/alarms/{id}',
  access: 'alarm.read',
  input: z.strictObject({ id: zId }),
  output: alarm.extend({
    version: z.int(),
    facts: z.record(z.string(), z.union([z.string(), z.number()])),
    usualFenHour: z.int().nullable(),
    closedBy: z.string().nullable(),
    closedNote: z.string(),
    story: z.array(moment),
    /** The others of its line. */
    others: z.array(
      z.object({
        id: z.int(),
        machineCode: z.string(),
        machineName: z.string(),
        slotCode: z.string(),
        state: z.enum(alarmState.states),
        openedAt: zInstant,
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One alarm with its story and the others of its line',
})

const zIds = z.array(zId).min(1).max(200)
/** Also the alarms that stand in the same line. */
const zWhole = z.boolean().default(true)
const outcomes = z.object({
  outcomes: z.array(z.object({ id: z.int(), outcome: z.enum(['done', 'state', 'doesNotSee']) })),
  /** Alarms that changed, those of the lines included. */
  changed: z.int(),
})
const verb = { method: 'POST' as const, access: 'alarm.handle' as const, writes: true, output: outcomes }

export const acknowledgeAlarms = endpoint({
  ...verb,
  name: 'alarm.acknowledgeAlarms',
  path: '/api/alarms/acknowledge',
  input: z.strictObject({ ids: zIds, wholeLine: zWhole }),
  refusals: ['request.notFound', 'alarm.state'],
  summary: 'Say that somebody knows of these alarms',
})

export const assignAlarms = endpoint({
  ...verb,
  name: 'alarm.assignAlarms',
  path: '/api/alarms/assign',
  input: z.strictObject({
    ids: zIds,
    assigneeId: zId,
    note: z.string().trim().max(200).default(''),
    wholeLine: zWhole,
  }),
  refusals: ['request.notFound', ...alarmRefusals],
  summary: 'Give alarms to somebody who sees their machines',
})

export const closeAlarms = endpoint({
  ...verb,
  name: 'alarm.closeAlarms',
  path: '/api/alarms/close',
  input: z.strictObject({ ids: zIds, note: z.string().trim().min(2).max(200), wholeLine: zWhole }),
  refusals: ['request.notFound', 'alarm.state'],
  summary: 'Close alarms by hand, and why; a cause that still holds opens a new one',
})

const assignee = z.object({
  id: z.int(),
  name: z.string(),
  account: z.string(),
  merchantName: z.string(),
  lasting: z.int(),
})

export const listAssignees = listEndpoint({
  name: 'alarm.listAssignees',
  path: '/api/alarm-assignees',
  access: 'alarm.handle',
  summary: 'People of merchants in sight to whom an alarm can be given, and how many each has',
  filters: { q: zSearch.optional() },
  sorts: ['name'],
  item: assignee,
})
