import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { commandDetails, commandState, commandTypes, lateState, systemReasons } from './commands'
import { askedData, sendableTypes, zReason } from './sendable'

export const commandRefusals = defineRefusals('device', {
  /** The machine has it already, or it is over. */
  'command.tooLate': 409,
  /** Nobody asked for it, so nobody takes it back: an order to ship, a slot that an excursion holds. */
  'command.systems': 409,
  /** Something that this command needs was not said. */
  'command.incomplete': 422,
  'command.retired': 409,
  'command.offline': 409,
  'command.already': 409,
  'command.unlawful': 422,
})

const cancelRefusals: readonly string[] = ['command.tooLate', 'command.systems']
const sendRefusals = commandRefusals.filter((code) => !cancelRefusals.includes(code))

const command = z.object({
  id: z.int(),
  cmdId: z.string(),
  type: z.enum(commandTypes),
  state: z.enum(commandState.states),
  lateState: z.enum(lateState.states).nullable(),
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  merchantName: z.string(),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  /** Null for what the system asked by itself. */
  createdBy: z.string().nullable(),
  batchId: z.int().nullable(),
  createdAt: zInstant,
  expiresAt: zInstant,
  sentAt: zInstant.nullable(),
  receivedAt: zInstant.nullable(),
  finishedAt: zInstant.nullable(),
})
export type MachineCommand = z.output<typeof command>

export const commandTones = {
  queued: 'busy',
  sent: 'busy',
  received: 'busy',
  done: 'good',
  failed: 'bad',
  refused: 'bad',
  expired: 'warn',
  cancelled: 'idle',
} as const

/** `by`: people's are what somebody asked; the system's are mostly orders to ship. `from` and `to` are days. */
export const listCommands = listEndpoint({
  name: 'device.listCommands',
  path: '/api/machine-commands',
  access: 'machine.read',
  summary: 'Commands to machines in sight, newest first',
  filters: {
    machineCode: zSearch.optional(),
    machineId: zId.optional(),
    type: zAnyOf(commandTypes).optional(),
    state: zAnyOf(commandState.states).optional(),
    by: z.enum(['person', 'system']).optional(),
    createdBy: zSearch.optional(),
    batchId: zId.optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['newest'],
  item: command,
})

export const commandFields = {
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  merchantName: { kind: 'text' },
  type: { kind: 'state', words: 'command', tones: {} },
  state: stateField('commandState', commandState, commandTones),
  lateState: stateField('lateState', lateState.states, {
    received: 'warn',
    done: 'warn',
    failed: 'warn',
    refused: 'idle',
  }),
  reason: { kind: 'text', words: 'commandReason', states: systemReasons },
  detail: { kind: 'text', words: 'detail', states: commandDetails },
  createdBy: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
  expiresAt: { kind: 'dateTime' },
  finishedAt: { kind: 'dateTime' },
  by: { kind: 'state', words: 'askedBy', tones: {} },
} satisfies Fields

export const getCommand = endpoint({
  name: 'device.getCommand',
  method: 'GET',
  path: '/api/machine-commands/{id}',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  output: command.extend({
    data: z.record(z.string(), z.unknown()),
    result: z.record(z.string(), z.unknown()).nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One command with what was asked, its life and what the machine said of it',
})

export const cancelCommand = endpoint({
  name: 'device.cancelCommand',
  method: 'POST',
  path: '/api/machine-commands/{id}/cancel',
  access: 'machine.operate',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'command.tooLate', 'command.systems'],
  summary: 'Take a command back that its machine has not taken yet',
})

export const sendCommand = endpoint({
  name: 'device.sendCommand',
  method: 'POST',
  path: '/api/machines/{id}/send-command',
  access: 'machine.operate',
  writes: true,
  input: z.strictObject({ id: zId, type: z.enum(sendableTypes), ...askedData, reason: zReason }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', ...sendRefusals],
  summary: 'Ask a machine for something; answers the id of the command',
})
