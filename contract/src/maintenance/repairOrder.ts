import { z } from 'zod'
import { alarmCauseNames, alarmState } from '../alarm/states'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { zScans } from '../merchant/scans'

/** Work on a machine. Done only after a test vend passed; closed by who has looked at it. */
export const repairOrderState = stateTable({
  initial: 'open',
  states: ['open', 'assigned', 'in_progress', 'done', 'closed', 'cancelled'],
  moves: {
    assign: { from: ['open', 'assigned'], to: 'assigned' },
    start: { from: ['open', 'assigned'], to: 'in_progress' },
    finish: { from: ['in_progress'], to: 'done' },
    /** It was not good after all. */
    resume: { from: ['done'], to: 'in_progress' },
    close: { from: ['done'], to: 'closed' },
    cancel: { from: ['open', 'assigned', 'in_progress'], to: 'cancelled' },
  },
  sets: { over: ['closed', 'cancelled'], undone: ['open', 'assigned', 'in_progress'] },
})
export type RepairOrderState = (typeof repairOrderState.states)[number]

export const repairKinds = ['repair', 'maintenance'] as const
export const repairSources = ['alarm', 'person', 'plan', 'recall', 'recall_drill'] as const

export const repairOrderRefusals = defineRefusals('maintenance', {
  'repairOrder.state': 409,
  'repairOrder.slot': 422,
  'repairOrder.noMachine': 422,
  'repairOrder.assigneeDoesNotSee': 422,
  'repairOrder.untested': 409,
  'repairOrder.alarm': 422,
  'repairOrder.part': 409,
})

const order = z.object({
  id: z.int(),
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  pointName: z.string(),
  merchantName: z.string(),
  kind: z.enum(repairKinds),
  source: z.enum(repairSources),
  problem: z.string(),
  slots: z.array(z.string()),
  state: z.enum(repairOrderState.states),
  assigneeName: z.string().nullable(),
  dueOn: zDay.nullable(),
  /** Until it is due, by the machine's calendar; below 0 it is overdue; null where it is over or has no date. */
  daysLeft: z.int().nullable(),
  marks: z.array(z.enum(['overdue', 'due_soon'])),
  createdAt: zInstant,
  startedAt: zInstant.nullable(),
  doneAt: zInstant.nullable(),
  closedAt: zInstant.nullable(),
  costFen: z.int(),
})
export type RepairOrder = z.output<typeof order>

export const listRepairOrders = listEndpoint({
  name: 'maintenance.listRepairOrders',
  path: '/api/repair-orders',
  access: 'repairOrder.read',
  summary: 'Work on machines in sight: overdue first, then by the day it is due; what is over last',
  filters: {
    q: zSearch.optional(),
    code: zSearch.optional(),
    state: zAnyOf(repairOrderState.states).optional(),
    kind: z.enum(repairKinds).optional(),
    assignee: z.enum(['me', 'nobody']).optional(),
    due: z.enum(['overdue', 'week']).optional(),
    machineId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['due', 'newest'],
  item: order,
})

export const repairOrderFields = {
  id: { kind: 'count' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  pointName: { kind: 'text' },
  merchantName: { kind: 'text' },
  kind: { kind: 'state', words: 'kind', tones: {} },
  source: { kind: 'state', words: 'source', tones: {} },
  problem: { kind: 'text' },
  state: stateField('repairOrderState', repairOrderState, {
    open: 'warn',
    assigned: 'busy',
    in_progress: 'busy',
    done: 'good',
    closed: 'idle',
    cancelled: 'idle',
  }),
  assigneeName: { kind: 'text' },
  dueOn: { kind: 'day' },
  daysLeft: { kind: 'count' },
  marks: { kind: 'states', words: 'mark', tones: { overdue: 'bad', due_soon: 'warn' } },
  createdAt: { kind: 'dateTime' },
  startedAt: { kind: 'dateTime' },
  doneAt: { kind: 'dateTime' },
  closedAt: { kind: 'dateTime' },
  costFen: { kind: 'money' },
} satisfies Fields

export const summariseRepairOrders = endpoint({
  name: 'maintenance.summariseRepairOrders',
  method: 'GET',
  path: '/api/repair-orders/summary',
  access: 'repairOrder.read',
  input: z.strictObject({}),
  output: z.object({
    overdue: z.int(),
    unassigned: z.int(),
    inProgress: z.int(),
    done: z.int(),
    mine: z.int(),
  }),
  summary: 'How much work is overdue, given to nobody, under way, and waits for somebody to close it',
})

const part = z.object({
  id: z.int(),
  name: z.string(),
  quantity: z.int(),
  costFen: z.int(),
  addedBy: z.string().nullable(),
  addedAt: zInstant,
})

export const getRepairOrder = endpoint({
  name: 'maintenance.getRepairOrder',
  method: 'GET',
  path: '/api/repair-orders/{id}',
  access: 'repairOrder.read',
  input: z.strictObject({ id: zId }),
  output: order.extend({
    version: z.int(),
    assigneeId: z.int().nullable(),
    solution: z.string(),
    pictures: z.array(z.string()),
    cancelReason: z.string(),
    createdBy: z.string().nullable(),
    planName: z.string().nullable(),
    parts: z.array(part),
    alarms: z.array(
      z.object({
        id: z.int(),
        cause: z.enum(alarmCauseNames),
        slotCode: z.string(),
        state: z.enum(alarmState.states),
        seenAt: zInstant,
      }),
    ),
    /** Test vends since the work began: each slot that has to pass, and when it last did; '' is any slot. */
    tests: z.array(z.object({ slot: z.string(), passedAt: zInstant.nullable() })),
    story: z.array(
      z.object({ id: z.int(), at: zInstant, verb: z.string(), who: z.string().nullable(), note: z.string() }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One repair order with its parts, alarms, test vends and story',
})

const about = {
  problem: z.string().trim().min(2).max(200),
  slots: z.string().trim().max(400).default(''),
  dueOn: zDay.nullable().default(null),
  pictures: zScans,
}

export const addRepairOrder = endpoint({
  name: 'maintenance.addRepairOrder',
  method: 'POST',
  path: '/api/repair-orders',
  access: 'repairOrder.write',
  writes: true,
  input: z.strictObject({
    machineCode: z.string().trim().min(1).max(20),
    kind: z.enum(repairKinds).default('repair'),
    ...about,
    assigneeId: zId.nullable().default(null),
    /** The alarm that it is for. */
    alarmId: zId.nullable().default(null),
  }),
  output: z.object({ id: z.int() }),
  refusals: [
    'request.notFound',
    'repairOrder.noMachine',
    'repairOrder.slot',
    'repairOrder.assigneeDoesNotSee',
    'repairOrder.alarm',
  ],
  summary: 'Open a repair order, from an alarm or by hand',
})

const written = { method: 'POST' as const, access: 'repairOrder.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(repairOrderState.states) })
const refusals = ['request.notFound', 'repairOrder.state'] as const

export const editRepairOrder = endpoint({
  ...written,
  name: 'maintenance.editRepairOrder',
  path: '/api/repair-orders/{id}/edit',
  input: z.strictObject({ id: zId, version: z.int().positive(), ...about }),
  output: changed,
  refusals: [...refusals, 'edit.stale', 'repairOrder.slot'],
  summary: 'Change what is to be done, until when, and its pictures',
})

export const assignRepairOrder = endpoint({
  ...written,
  name: 'maintenance.assignRepairOrder',
  path: '/api/repair-orders/{id}/assign',
  input: z.strictObject({ id: zId, assigneeId: zId }),
  output: changed,
  refusals: [...refusals, 'repairOrder.assigneeDoesNotSee'],
  summary: 'Give the work to somebody who sees the machine',
})

export const startRepairOrder = endpoint({
  ...written,
  name: 'maintenance.startRepairOrder',
  path: '/api/repair-orders/{id}/start',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals,
  summary: 'The work begins; test vends count from now on',
})

export const addRepairPart = endpoint({
  ...written,
  name: 'maintenance.addRepairPart',
  path: '/api/repair-orders/{id}/parts',
  input: z.strictObject({
    id: zId,
    name: z.string().trim().min(1).max(60),
    quantity: z.coerce.number().int().min(1).max(999),
    costFen: z.int().min(0).max(100_000_000),
  }),
  output: changed,
  refusals,
  summary: 'A part that was used, with its price',
})

export const removeRepairPart = endpoint({
  ...written,
  name: 'maintenance.removeRepairPart',
  path: '/api/repair-orders/{id}/remove-part',
  input: z.strictObject({ id: zId, part: z.int().positive() }),
  output: changed,
  refusals: [...refusals, 'repairOrder.part'],
  summary: 'Take back a part that was not used',
})

export const finishRepairOrder = endpoint({
  ...written,
  name: 'maintenance.finishRepairOrder',
  path: '/api/repair-orders/{id}/finish',
  input: z.strictObject({ id: zId, solution: z.string().trim().min(2).max(500) }),
  output: changed,
  refusals: [...refusals, 'repairOrder.untested'],
  summary: 'Say what was done; refused until the repaired slots have passed a test vend since the work began',
})

export const resumeRepairOrder = endpoint({
  ...written,
  name: 'maintenance.resumeRepairOrder',
  path: '/api/repair-orders/{id}/resume',
  input: z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) }),
  output: changed,
  refusals,
  summary: 'It was not good after all: the work goes on',
})

export const closeRepairOrder = endpoint({
  ...written,
  name: 'maintenance.closeRepairOrder',
  path: '/api/repair-orders/{id}/close',
  input: z.strictObject({ id: zId }),
  output: changed.extend({
    /** Alarms that were closed with it, and those whose cause was seen again since the work was done. */
    closedAlarms: z.int(),
    stillHold: z.int(),
  }),
  refusals: [...refusals, 'repairOrder.untested'],
  summary: 'Close it; its alarms close with it unless their cause was seen again since the work was done',
})

export const cancelRepairOrder = endpoint({
  ...written,
  name: 'maintenance.cancelRepairOrder',
  path: '/api/repair-orders/{id}/cancel',
  input: z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) }),
  output: changed,
  refusals,
  summary: 'It is not to be done, and why',
})
