import { z } from 'zod'
import { connections, machineOperation } from '../fleet/states'
import { machineCategories } from '../fleet/machine'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { commandState, commandTypes } from './commands'
import { askedData, plainTypes, sendableTypes, zReason } from './sendable'

/** More than this many are named by the filter that finds them, not one by one. */
export const MOST_NAMED = 500

export const batchRefusals = defineRefusals('device', {
  /** The filter finds another number of machines than the person saw when asked. */
  'batch.changed': 409,
  'batch.nobody': 422,
  'batch.nothingLeft': 409,
  /** Some are left, and none may have it any more. */
  'batch.noneMay': 409,
})

/** Why a machine can't be asked: not its fault, and it is told before anything is sent. */
const machineBlocks = ['retired', 'offline', 'already', 'unlawful'] as const
export type MachineBlock = (typeof machineBlocks)[number]
/**
 * Why a machine is left out of a batch. Of a plan that is sent again, `forbidden`: the licence mode forbids a product
 * of it by now; `planChanged`: its slots were changed since.
 */
export const blocks = [...machineBlocks, 'forbidden', 'planChanged'] as const
export type Block = (typeof blocks)[number]

export const machineFilter = {
  q: zSearch.optional(),
  merchantId: zId.optional(),
  category: z.enum(machineCategories).optional(),
  connection: z.enum(connections).optional(),
  operation: z.enum(machineOperation.states).optional(),
  province: zSearch.optional(),
  routeId: zId.optional(),
  groupId: zId.optional(),
  appVersion: zSearch.optional(),
}
export type MachineFilter = z.output<z.ZodObject<typeof machineFilter>>

/** Named one by one, or all that a filter finds, with the number of them that the person saw. */
export const machineTargets = z.union([
  z.strictObject({ machineIds: z.array(zId).min(1).max(MOST_NAMED) }),
  z.strictObject({ filter: z.strictObject(machineFilter), count: z.int().min(0).max(1_000_000) }),
])
export type MachineTargets = z.output<typeof machineTargets>

const asked = { type: z.enum(sendableTypes), ...askedData }

/** What would happen, before it does. */
export const previewBatch = endpoint({
  name: 'device.previewBatch',
  method: 'POST',
  path: '/api/machine-commands/preview',
  access: 'machine.operate',
  input: z.strictObject({
    type: z.enum(sendableTypes),
    machines: z.union([
      z.strictObject({ machineIds: z.array(zId).min(1).max(MOST_NAMED) }),
      z.strictObject({ filter: z.strictObject(machineFilter) }),
    ]),
  }),
  output: z.object({
    count: z.int(),
    willBeAsked: z.int(),
    /** Away now; asked when they come back, if that is before the expiry. */
    away: z.int(),
    leftOut: z.array(z.object({ block: z.enum(blocks), count: z.int(), codes: z.array(z.string()) })),
    expiresInMinutes: z.int(),
  }),
  summary: 'How many machines a command would go to, and which it can not go to and why',
})

export const sendBatch = endpoint({
  name: 'device.sendBatch',
  method: 'POST',
  path: '/api/machine-commands/batch',
  access: 'machine.operate',
  writes: true,
  input: z.strictObject({ ...asked, reason: zReason, machines: machineTargets }),
  output: z.object({ id: z.int(), asked: z.int(), leftOut: z.int() }),
  refusals: ['request.notFound', 'command.incomplete', ...batchRefusals],
  summary: 'Ask many machines for one thing; answers the id of the batch',
})

/** Rows ticked in a list of machines: each is queued or left out; what came of it is in the commands of the batch. */
export const sendToMachines = endpoint({
  name: 'device.sendToMachines',
  method: 'POST',
  path: '/api/machine-commands/batch-of-rows',
  access: 'machine.operate',
  writes: true,
  input: z.strictObject({ ids: z.array(zId).min(1).max(MOST_NAMED), type: z.enum(plainTypes), reason: zReason }),
  output: z.object({
    /** Null where nobody could be asked. */
    batchId: z.int().nullable(),
    outcomes: z.array(z.object({ id: z.int(), outcome: z.enum(['queued', ...blocks]) })),
  }),
  refusals: ['request.notFound', 'command.incomplete'],
  summary: 'Ask the machines that are ticked in a list for one thing that needs no more words',
})

const batch = z.object({
  id: z.int(),
  type: z.enum(commandTypes),
  reason: z.string(),
  createdBy: z.string().nullable(),
  createdAt: zInstant,
  cancelledAt: zInstant.nullable(),
  expiresAt: zInstant.nullable(),
  progress: z.enum(['running', 'over']),
  count: z.int(),
  waiting: z.int(),
  done: z.int(),
  failed: z.int(),
  expired: z.int(),
  cancelled: z.int(),
})
export type CommandBatch = z.output<typeof batch>

export const listBatches = listEndpoint({
  name: 'device.listBatches',
  path: '/api/command-batches',
  access: 'machine.read',
  summary: 'Batches of commands with machines in sight, newest first; counted are the machines in sight',
  filters: { type: zAnyOf(commandTypes).optional() },
  sorts: ['newest'],
  item: batch,
})

export const batchFields = {
  type: { kind: 'state', words: 'command', tones: {} },
  reason: { kind: 'text' },
  progress: stateField('progress', ['running', 'over'], { running: 'busy', over: 'idle' }),
  count: { kind: 'count' },
  waiting: { kind: 'count' },
  done: { kind: 'count' },
  failed: { kind: 'count' },
  expired: { kind: 'count' },
  cancelled: { kind: 'count' },
  createdBy: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
} satisfies Fields

export const getBatch = endpoint({
  name: 'device.getBatch',
  method: 'GET',
  path: '/api/command-batches/{id}',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  output: batch.extend({
    data: z.record(z.string(), z.unknown()),
    byState: z.array(z.object({ state: z.enum(commandState.states), count: z.int() })),
    /** Each with how far it is: what was not done first, then what is under way. All are in the list of commands. */
    machines: z.array(
      z.object({
        id: z.int(),
        machineCode: z.string(),
        machineName: z.string(),
        state: z.enum(commandState.states),
        detail: z.string().nullable(),
        /** When it came to be so. */
        at: zInstant,
      }),
    ),
    leftOut: z.array(z.object({ block: z.enum(blocks), count: z.int() })),
  }),
  refusals: ['request.notFound'],
  summary: 'One batch: how far it is, and where it failed',
})

export const retryBatch = endpoint({
  name: 'device.retryBatch',
  method: 'POST',
  path: '/api/command-batches/{id}/retry',
  access: 'machine.operate',
  writes: true,
  input: z.strictObject({ id: zId, reason: zReason }),
  output: z.object({ id: z.int(), asked: z.int() }),
  refusals: ['request.notFound', 'batch.nothingLeft', 'batch.noneMay'],
  summary: 'Ask the machines again where it failed, was refused or expired; a batch of its own',
})

export const cancelBatch = endpoint({
  name: 'device.cancelBatch',
  method: 'POST',
  path: '/api/command-batches/{id}/cancel',
  access: 'machine.operate',
  writes: true,
  input: z.strictObject({ id: zId, reason: zReason }),
  output: z.object({ cancelled: z.int() }),
  refusals: ['request.notFound', 'batch.nothingLeft'],
  summary: 'Take back what no machine has taken yet',
})
