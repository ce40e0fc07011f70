import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

export const reportFormats = ['xlsx', 'csv'] as const

/** A report is made by a job: it can be left, found again, and cancelled while it is made. */
export const reportState = stateTable({
  initial: 'queued',
  states: ['queued', 'running', 'done', 'failed', 'cancelled', 'expired'],
  moves: {
    start: { from: ['queued', 'running'], to: 'running' },
    finish: { from: ['running'], to: 'done' },
    fail: { from: ['queued', 'running'], to: 'failed' },
    cancel: { from: ['queued', 'running'], to: 'cancelled' },
    expire: { from: ['done'], to: 'expired' },
  },
  /** What the owner of a kept report hears of. */
  sets: { underWay: ['queued', 'running'], told: ['done', 'failed'] },
})

export const reportRefusals = defineRefusals('report', {
  'report.unknownList': 422,
  'report.tooMany': 429,
  'report.notReady': 409,
  'report.state': 409,
})

const request = z.object({
  id: z.int(),
  /** Of the screen whose list it is, in the caller's language. */
  title: z.string(),
  format: z.enum(reportFormats),
  state: z.enum(reportState.states),
  rowsDone: z.int(),
  /** Null where the list does not count itself. */
  rowsTotal: z.int().nullable(),
  bytes: z.int().nullable(),
  requestedAt: zInstant,
  finishedAt: zInstant.nullable(),
  expiresAt: zInstant.nullable(),
})
export type ReportRequest = z.output<typeof request>

export const listReportRequests = listEndpoint({
  name: 'report.listReportRequests',
  path: '/api/report-requests',
  access: 'report.read',
  summary: "The caller's own reports, newest first",
  filters: { state: zAnyOf(reportState.states).optional() },
  sorts: ['newest'],
  item: request,
})

export const reportFields = {
  title: { kind: 'text' },
  format: { kind: 'state', words: 'format', tones: {} },
  state: stateField('state', reportState, {
    queued: 'idle',
    running: 'busy',
    done: 'good',
    failed: 'bad',
    cancelled: 'idle',
    expired: 'idle',
  }),
  rowsDone: { kind: 'count' },
  rowsTotal: { kind: 'count' },
  bytes: { kind: 'count' },
  requestedAt: { kind: 'dateTime' },
  finishedAt: { kind: 'dateTime' },
  expiresAt: { kind: 'dateTime' },
} satisfies Fields

export const getReport = endpoint({
  name: 'report.getReport',
  method: 'GET',
  path: '/api/report-requests/{id}',
  access: 'report.read',
  input: z.strictObject({ id: zId }),
  output: request,
  refusals: ['request.notFound'],
  summary: "One of the caller's own reports",
})

/** The list's own permission decides; who may not open the list can't have it as a file. */
export const requestReport = endpoint({
  name: 'report.requestReport',
  method: 'POST',
  path: '/api/report-requests',
  access: 'report.read',
  writes: true,
  input: z.strictObject({
    /** Name of the list's endpoint. */
    list: z.string().max(80),
    /** The filter as in the list's address. */
    query: z.record(z.string().max(40), z.string().max(200)),
    columns: z.array(z.string().max(40)).min(1).max(60),
    format: z.enum(reportFormats),
  }),
  output: z.object({ id: z.int() }),
  refusals: ['report.unknownList', 'report.tooMany', 'request.notPermitted', 'request.invalid'],
  summary: 'Export what a list shows under a filter; the file lands in the download centre',
})

export const cancelReport = endpoint({
  name: 'report.cancelReport',
  method: 'POST',
  path: '/api/report-requests/{id}/cancel',
  access: 'report.read',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'report.state'],
  summary: 'Stop making a report',
})

export const getReportLink = endpoint({
  name: 'report.getReportLink',
  method: 'POST',
  path: '/api/report-requests/{id}/link',
  access: 'report.read',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ url: z.string() }),
  refusals: ['request.notFound', 'report.notReady'],
  summary: 'An address that gives the file to its owner for one minute',
})
