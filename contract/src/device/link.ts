import { z } from 'zod'
import { endpoint, zDay, zId, zInstant } from '../kernel/endpoint'
import { commandState, commandTypes } from './commands'

const command = z.object({
  id: z.string(),
  type: z.enum(commandTypes),
  state: z.enum(commandState.states),
  reason: z.string().nullable(),
  createdBy: z.string().nullable(),
  createdAt: zInstant,
  finishedAt: zInstant.nullable(),
})

export const logLevels = ['debug', 'info', 'warn', 'error'] as const

const refusal = z.object({
  id: z.int(),
  at: zInstant,
  reason: z.string(),
  type: z.string().nullable(),
  detail: z.string(),
  count: z.int(),
})

/** What went over the wire to and from one machine, and what was refused: for the administrator who asks why. */
export const getDeviceLink = endpoint({
  name: 'device.getDeviceLink',
  method: 'GET',
  path: '/api/machines/{id}/link',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  output: z.object({
    /** Where machines reach the broker; null until an administrator has said it. */
    brokerAddress: z.string().nullable(),
    messagesToday: z.int(),
    lastMessages: z.array(
      z.object({
        msgId: z.string(),
        type: z.string(),
        state: z.string(),
        reason: z.string().nullable(),
        at: zInstant,
        /** What it said, of kinds that are kept whole: doors, cash, own alarms, what was counted. */
        data: z.record(z.string(), z.unknown()).nullable(),
      }),
    ),
    commands: z.array(command),
    refusals: z.array(refusal),
    /** Numbers that nobody heard yet, of the program's run that they belong to. */
    gaps: z.array(z.object({ id: z.int(), first: z.int(), last: z.int(), since: zInstant })),
    log: z.array(z.object({ id: z.int(), at: zInstant, level: z.enum(logLevels), lines: z.array(z.string()) })),
    /** On the machine's newest day that it said anything of. */
    plays: z.array(z.object({ day: zDay, ad: z.string(), plays: z.int(), seconds: z.int() })),
  }),
  refusals: ['request.notFound'],
  summary: 'The last messages, commands and refused messages of a machine',
})

export const requestSnapshot = endpoint({
  name: 'device.requestSnapshot',
  method: 'POST',
  path: '/api/machines/{id}/request-snapshot',
  access: 'machine.operate',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ commandId: z.string() }),
  refusals: ['request.notFound'],
  summary: 'Ask a machine for its full state now',
})
