import { z } from 'zod'
import { endpoint, listEndpoint, zId, zInstant } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { onOff } from '../kernel/states'
import { reportFormats, reportState } from './request'

/**
 * `fixed`: the days of the export that it was kept from. Two end with the day before it is made, unlike the presets of
 * lists, which count today in.
 */
export const keptPeriods = [
  'fixed',
  'yesterday',
  'sevenBefore',
  'lastWeek',
  'thisMonth',
  'lastMonth',
  'thirtyBefore',
] as const
export type KeptPeriod = (typeof keptPeriods)[number]
/** Weekly is on Mondays, monthly on the first. */
export const cadences = ['never', 'daily', 'weekly', 'monthly'] as const
export type Cadence = (typeof cadences)[number]

export const keptReportRefusals = defineRefusals('report', {
  'keptReport.state': 409,
  'keptReport.tooMany': 429,
  /** The list has no days, or they are not its own. */
  'keptReport.noPeriod': 422,
  'keptReport.notOwn': 403,
})

const editable = {
  name: z.string().trim().min(1).max(60),
  period: z.enum(keptPeriods),
  format: z.enum(reportFormats),
  cadence: z.enum(cadences),
  /** At the network's home. */
  atHour: z.coerce.number().int().min(0).max(23),
  /** Whoever has one of them may take it over; what each sees in it is decided by their own sight. */
  roleIds: z.array(zId).max(20).default([]),
}

const kept = z.object({
  id: z.int(),
  name: z.string(),
  /** Of the screen whose list it is, in the caller's language. */
  title: z.string(),
  state: z.enum(onOff.states),
  period: z.enum(keptPeriods),
  cadence: z.enum(cadences),
  atHour: z.int(),
  format: z.enum(reportFormats),
  nextAt: zInstant.nullable(),
  lastAt: zInstant.nullable(),
  /** Of the last file. */
  lastState: z.enum(reportState.states).nullable(),
  ownerName: z.string(),
  isOwn: z.boolean(),
  sharedWith: z.array(z.string()),
})
export type KeptReport = z.output<typeof kept>

export const listKeptReports = listEndpoint({
  name: 'report.listKeptReports',
  path: '/api/kept-reports',
  access: 'report.read',
  summary: "The caller's own kept reports, and those that are shared with a role of theirs",
  filters: { of: z.enum(['own', 'shared']).optional() },
  sorts: ['newest'],
  item: kept,
})

export const keptReportFields = {
  name: { kind: 'text' },
  title: { kind: 'text' },
  state: stateField('keptState', onOff, { active: 'good', stopped: 'idle' }),
  period: { kind: 'state', words: 'keptPeriod', tones: {} },
  cadence: { kind: 'state', words: 'cadence', tones: {} },
  atHour: { kind: 'count' },
  format: { kind: 'state', words: 'format', tones: {} },
  nextAt: { kind: 'dateTime' },
  lastAt: { kind: 'dateTime' },
  lastState: stateField('state', reportState, {
    queued: 'idle',
    running: 'busy',
    done: 'good',
    failed: 'bad',
    cancelled: 'idle',
    expired: 'idle',
  }),
  ownerName: { kind: 'text' },
} satisfies Fields

export const getKeptReport = endpoint({
  name: 'report.getKeptReport',
  method: 'GET',
  path: '/api/kept-reports/{id}',
  access: 'report.read',
  input: z.strictObject({ id: zId }),
  output: kept.extend({
    version: z.int(),
    roleIds: z.array(z.int()),
    /** Where the list stands, with the filter but for the days. */
    screen: z.string(),
    query: z.record(z.string(), z.string()),
    columns: z.array(z.string()),
    files: z.array(z.object({ id: z.int(), state: z.enum(reportState.states), rows: z.int(), requestedAt: zInstant })),
  }),
  refusals: ['request.notFound'],
  summary: 'A kept report with what it is of and its newest files',
})

const writing = { access: 'report.read' as const, writes: true, output: z.object({ id: z.int() }) }

/** From a file that was right: its list, filter and columns, and days that move on by themselves. */
export const keepReport = endpoint({
  ...writing,
  name: 'report.keepReport',
  method: 'POST',
  path: '/api/kept-reports',
  input: z.strictObject({ requestId: zId, ...editable }),
  refusals: ['request.notFound', 'keptReport.tooMany', 'keptReport.noPeriod', 'request.notPermitted'],
  summary: 'Keep an export under a name, to be made again by hand or by itself',
})

export const editKeptReport = endpoint({
  ...writing,
  name: 'report.editKeptReport',
  method: 'POST',
  path: '/api/kept-reports/{id}',
  input: z.strictObject({ id: zId, version: z.int(), ...editable }),
  refusals: ['request.notFound', 'keptReport.notOwn', 'keptReport.noPeriod', 'edit.stale'],
  summary: 'Name, days, format, hours and sharing of a kept report',
})

const verb = (name: string, path: string, summary: string) =>
  endpoint({
    ...writing,
    name: `report.${name}`,
    method: 'POST',
    path: `/api/kept-reports/{id}/${path}`,
    input: z.strictObject({ id: zId }),
    refusals: ['request.notFound', 'keptReport.state', 'keptReport.notOwn', 'keptReport.tooMany', 'report.tooMany'],
    summary,
  })

export const runKeptReport = verb('runKeptReport', 'run', 'Make the file now')
export const takeOverKeptReport = verb('takeOverKeptReport', 'take-over', 'A report of one’s own like a shared one')
export const stopKeptReport = verb('stopKeptReport', 'stop', 'Make it by itself no more')
export const resumeKeptReport = verb('resumeKeptReport', 'resume', 'Make it by itself again')
export const removeKeptReport = verb('removeKeptReport', 'remove', 'Keep it no more; its files stay')

/** Whom a kept report may be shared with. */
export const listShareRoles = listEndpoint({
  name: 'report.listShareRoles',
  path: '/api/share-roles',
  access: 'report.read',
  summary: "Roles of the caller's own merchant by name",
  filters: { q: z.string().trim().max(64).optional() },
  sorts: ['name'],
  item: z.object({ id: z.int(), name: z.string() }),
})
