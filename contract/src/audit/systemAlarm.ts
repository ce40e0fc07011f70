import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

export const systemAlarmKinds = [
  'outbox_lag',
  'outbox_failed',
  'job_failed',
  'seal_lag',
  'audit_broken',
  'books_differ',
  'gateway_silent',
  'backup_failed',
  'backup_old',
] as const
export type SystemAlarmKind = (typeof systemAlarmKinds)[number]

/** Only the detector closes: an alarm ends when its cause does, not when somebody is tired of it. */
export const systemAlarmState = stateTable({
  initial: 'open',
  states: ['open', 'acknowledged', 'closed'],
  moves: {
    acknowledge: { from: ['open'], to: 'acknowledged' },
    close: { from: ['open', 'acknowledged'], to: 'closed' },
  },
})

export const systemAlarmRefusals = defineRefusals('audit', { 'systemAlarm.state': 409 })

const alarm = z.object({
  id: z.int(),
  kind: z.enum(systemAlarmKinds),
  /** Which job, table or book; empty where the kind says it all. */
  cause: z.string(),
  state: z.enum(systemAlarmState.states),
  openedAt: zInstant,
  seenAt: zInstant,
  closedAt: zInstant.nullable(),
  acknowledgedBy: z.string(),
})
export type SystemAlarm = z.output<typeof alarm>

export const listSystemAlarms = listEndpoint({
  name: 'audit.listSystemAlarms',
  path: '/api/system-alarms',
  access: 'systemAlarm.read',
  summary: "The platform's own alarms, open ones first; seen by the platform only",
  filters: {
    kind: zAnyOf(systemAlarmKinds).optional(),
    state: zAnyOf(systemAlarmState.states).optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['openFirst'],
  item: alarm,
})

export const systemAlarmFields = {
  kind: { kind: 'state', words: 'alarmKind', tones: {} },
  cause: { kind: 'code' },
  state: stateField('alarmState', systemAlarmState, { open: 'bad', acknowledged: 'warn', closed: 'idle' }),
  openedAt: { kind: 'dateTime' },
  seenAt: { kind: 'dateTime' },
  closedAt: { kind: 'dateTime' },
  acknowledgedBy: { kind: 'text' },
} satisfies Fields

export const getSystemAlarm = endpoint({
  name: 'audit.getSystemAlarm',
  method: 'GET',
  path: '/api/system-alarms/{id}',
  access: 'systemAlarm.read',
  input: z.strictObject({ id: zId }),
  output: alarm.extend({
    facts: z.record(z.string(), z.unknown()),
    acknowledgedAt: zInstant.nullable(),
    note: z.string(),
  }),
  refusals: ['request.notFound'],
  summary: 'One alarm with its facts',
})

export const acknowledgeSystemAlarm = endpoint({
  name: 'audit.acknowledgeSystemAlarm',
  method: 'POST',
  path: '/api/system-alarms/{id}/acknowledge',
  access: 'systemAlarm.write',
  writes: true,
  input: z.strictObject({ id: zId, note: z.string().trim().min(2).max(200) }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'systemAlarm.state'],
  summary: 'Somebody looks after it; it closes when its cause ends',
})
