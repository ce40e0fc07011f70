import { z } from 'zod'
import { machineCategories } from '../fleet/machine'
import { connections } from '../fleet/states'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'

/** What a machine can look at of itself; a motor names its slot. */
export const machineParts = [
  'main_board',
  'driver_board',
  'motor',
  'light_curtain',
  'door_sensor',
  'temperature_sensor',
  'humidity_sensor',
  'compressor',
  'coin_acceptor',
  'bill_acceptor',
  'card_reader',
  'scanner',
  'network',
  'printer',
  'screen',
  'storage',
] as const
export type MachinePart = (typeof machineParts)[number]

/** As it comes in the result of `self_check`. */
export const checkedPart = z.object({
  part: z.enum(machineParts),
  slot: z.string().min(1).max(12).optional(),
  ok: z.boolean(),
  /** The part's own code, e.g. of the motor. */
  code: z.string().max(40).optional(),
  value: z.string().max(60).optional(),
})
export type CheckedPart = z.output<typeof checkedPart>
export const selfCheckResult = z.object({ parts: z.array(checkedPart).min(1).max(500) })

/** `never`: nobody has asked yet, which is not "fine". */
export const checkOutcomes = ['failing', 'good', 'never'] as const

const row = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  merchantName: z.string(),
  pointName: z.string(),
  connection: z.enum(connections),
  appVersion: z.string().nullable(),
  outcome: z.enum(checkOutcomes),
  failingParts: z.array(z.enum(machineParts)),
  failing: z.int(),
  checkedAt: zInstant.nullable(),
  isAsked: z.boolean(),
})
export type CheckedMachine = z.output<typeof row>

export const listSelfChecks = listEndpoint({
  name: 'device.listSelfChecks',
  path: '/api/self-checks',
  access: 'machine.read',
  summary: 'Machines in sight with what their last self-check said, worst first',
  filters: {
    q: zSearch.optional(),
    code: zSearch.optional(),
    outcome: zAnyOf(checkOutcomes).optional(),
    part: zAnyOf(machineParts).optional(),
    category: zAnyOf(machineCategories).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['worst', 'code', 'newest'],
  item: row,
})

export const checkFields = {
  code: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  name: { kind: 'text' },
  merchantName: { kind: 'text' },
  pointName: { kind: 'text' },
  connection: stateField('connection', connections, { online: 'good', offline: 'bad', unknown: 'idle' }),
  appVersion: { kind: 'text' },
  outcome: stateField('checkOutcome', checkOutcomes, { failing: 'bad', good: 'good', never: 'idle' }),
  failingParts: {
    kind: 'states',
    words: 'machinePart',
    tones: Object.fromEntries(machineParts.map((each) => [each, 'bad'])),
  },
  failing: { kind: 'count' },
  checkedAt: { kind: 'dateTime' },
  isAsked: { kind: 'boolean' },
  part: { kind: 'state', words: 'machinePart', tones: {} },
  category: { kind: 'state', words: 'category', tones: {} },
} satisfies Fields

export const getSelfChecks = endpoint({
  name: 'device.getSelfChecks',
  method: 'GET',
  path: '/api/machines/{id}/self-checks',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  output: z.object({
    machine: row,
    /** Of the newest check. */
    parts: z.array(checkedPart),
    history: z.array(z.object({ id: z.int(), checkedAt: zInstant, partCount: z.int(), failing: z.array(z.string()) })),
  }),
  refusals: ['request.notFound'],
  summary: 'What a machine said of its parts, now and before',
})
