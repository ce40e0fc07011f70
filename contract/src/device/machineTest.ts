import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { zReason } from './sendable'

/** `stopped`: the machine could not be asked any more, or a person ended it. */
export const testState = stateTable({
  initial: 'running',
  states: ['running', 'passed', 'failed', 'stopped'],
  moves: {
    pass: { from: ['running'], to: 'passed' },
    fail: { from: ['running'], to: 'failed' },
    stop: { from: ['running'], to: 'stopped' },
  },
  sets: { proven: ['passed', 'failed'] },
})
export type TestState = (typeof testState.states)[number]

/** `skipped`: its motor was not turned, so it neither passed nor failed. */
export const testSlotState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'running', 'passed', 'failed', 'skipped'],
  moves: {
    begin: { from: ['waiting'], to: 'running' },
    pass: { from: ['running'], to: 'passed' },
    fail: { from: ['running'], to: 'failed' },
    skip: { from: ['waiting', 'running'], to: 'skipped' },
  },
  sets: { ahead: ['waiting', 'running'] },
})
export type TestSlotState = (typeof testSlotState.states)[number]

export const testScopes = ['slot', 'layer', 'all'] as const

export const testRefusals = defineRefusals('device', {
  'test.running': 409,
  'test.inOrder': 409,
  'test.noSlots': 422,
  'test.over': 409,
})

const test = z.object({
  id: z.int(),
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  scope: z.enum(testScopes),
  state: z.enum(testState.states),
  putsBack: z.boolean(),
  reason: z.string(),
  startedBy: z.string().nullable(),
  startedAt: zInstant,
  endedAt: zInstant.nullable(),
  slots: z.int(),
  passed: z.int(),
  failed: z.int(),
})
export type MachineTest = z.output<typeof test>

export const testTones = { running: 'busy', passed: 'good', failed: 'bad', stopped: 'warn' } as const
export const testSlotTones = {
  waiting: 'idle',
  running: 'busy',
  passed: 'good',
  failed: 'bad',
  skipped: 'warn',
} as const

export const testFields = {
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  state: stateField('testState', testState, testTones),
  slotState: stateField('testSlotState', testSlotState, testSlotTones),
  scope: { kind: 'state', words: 'testScope', tones: {} },
} satisfies Fields

export const listTests = listEndpoint({
  name: 'device.listTests',
  path: '/api/machine-tests',
  access: 'machine.operate',
  summary: 'Tests of machines in sight, newest first',
  filters: { machineId: zId.optional(), machineCode: zSearch.optional(), state: zAnyOf(testState.states).optional() },
  sorts: ['newest'],
  item: test,
})

export const getTest = endpoint({
  name: 'device.getTest',
  method: 'GET',
  path: '/api/machine-tests/{id}',
  access: 'machine.operate',
  input: z.strictObject({ id: zId }),
  output: test.extend({
    note: z.string(),
    results: z.array(
      z.object({
        slot: z.string(),
        layer: z.int(),
        productName: z.string().nullable(),
        state: z.enum(testSlotState.states),
        motorCode: z.string().nullable(),
        sensorCode: z.string().nullable(),
        durationMs: z.int().nullable(),
        detail: z.string().nullable(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One test with what motor and sensor said of each slot',
})

/** A slot by its code, a layer by its number; neither for all. */
export const startTest = endpoint({
  name: 'device.startTest',
  method: 'POST',
  path: '/api/machines/{id}/start-test',
  access: 'machine.operate',
  writes: true,
  input: z
    .strictObject({
      id: zId,
      scope: z.enum(testScopes),
      slot: z.string().trim().min(1).max(12).optional(),
      layer: z.coerce.number().int().min(1).max(10).optional(),
      putsBack: z.boolean(),
      reason: zReason,
    })
    .refine(({ scope, slot }) => scope !== 'slot' || slot !== undefined, { path: ['slot'] })
    .refine(({ scope, layer }) => scope !== 'layer' || layer !== undefined, { path: ['layer'] }),
  output: z.object({ id: z.int() }),
  refusals: [
    'request.notFound',
    'command.retired',
    'command.offline',
    ...testRefusals.filter((c) => c !== 'test.over'),
  ],
  summary: 'Turn motors one after the other; no sale, and refused while the machine serves an order',
})

export const stopTest = endpoint({
  name: 'device.stopTest',
  method: 'POST',
  path: '/api/machine-tests/{id}/stop',
  access: 'machine.operate',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'test.over'],
  summary: 'Turn no further motor',
})

export const noteTest = endpoint({
  name: 'device.noteTest',
  method: 'POST',
  path: '/api/machine-tests/{id}/note',
  access: 'machine.operate',
  writes: true,
  input: z.strictObject({ id: zId, note: z.string().trim().min(1).max(200) }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound'],
  summary: 'Write down what was seen at the machine',
})
