import { z } from 'zod'
import { endpoint, listEndpoint, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { conditions, connections, machineOperation, slotStates } from './states'

export const machineCategories = ['drink', 'snack', 'combo', 'medicine'] as const
export const licenceModes = ['none', 'retail', 'hospital'] as const

const machine = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  category: z.enum(machineCategories),
  merchantId: z.int(),
  merchantName: z.string(),
  pointName: z.string(),
  province: z.string(),
  city: z.string(),
  connection: z.enum(connections),
  lastSeenAt: zInstant.nullable(),
  operation: z.enum(machineOperation.states),
  conditions: z.array(z.enum(conditions)),
  slotCount: z.int(),
  emptySlots: z.int(),
  lowSlots: z.int(),
  todayCount: z.int(),
  todayFen: z.int(),
})
export type Machine = z.output<typeof machine>

export const listMachines = listEndpoint({
  name: 'fleet.listMachines',
  path: '/api/machines',
  access: 'machine.read',
  summary: 'Machines in sight, worst first',
  filters: {
    q: zSearch.optional(),
    code: zSearch.optional(),
    merchantId: zId.optional(),
    connection: z.enum(connections).optional(),
    operation: z.enum(machineOperation.states).optional(),
    condition: z.enum(conditions).optional(),
    category: z.enum(machineCategories).optional(),
  },
  sorts: ['worst', 'code', 'name', 'lastSeen', 'today'],
  item: machine,
})

export const machineFields = {
  code: { kind: 'code' },
  name: { kind: 'text' },
  category: { kind: 'state', words: 'category', tones: {} },
  merchantName: { kind: 'text' },
  pointName: { kind: 'text' },
  city: { kind: 'region' },
  connection: stateField('connection', connections, { online: 'good', offline: 'bad', unknown: 'idle' }),
  lastSeenAt: { kind: 'dateTime' },
  operation: stateField('operation', machineOperation, { in_operation: 'good', stopped: 'idle' }),
  conditions: {
    kind: 'states',
    words: 'condition',
    tones: { fault: 'bad', temperature_abnormal: 'bad', low_stock: 'warn', low_change: 'warn' },
  },
  emptySlots: { kind: 'count' },
  lowSlots: { kind: 'count' },
  slotCount: { kind: 'count' },
  todayCount: { kind: 'count' },
  todayFen: { kind: 'money' },
} satisfies Fields

export const summariseMachines = endpoint({
  name: 'fleet.summariseMachines',
  method: 'GET',
  path: '/api/machines/summary',
  access: 'machine.read',
  input: z.strictObject({}),
  output: z.object({
    total: z.int(),
    online: z.int(),
    offline: z.int(),
    unknown: z.int(),
    stopped: z.int(),
    fault: z.int(),
    lowStock: z.int(),
  }),
  summary: 'How the fleet in sight is, in one line of counts',
})

export const getMachine = endpoint({
  name: 'fleet.getMachine',
  method: 'GET',
  path: '/api/machines/{id}',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  output: machine.extend({
    model: z.string(),
    manufacturer: z.string(),
    licenceMode: z.enum(licenceModes),
    timeZone: z.string(),
    autoRefund: z.boolean(),
    appVersion: z.string().nullable(),
    boardVersion: z.string().nullable(),
    temperatureC: z.number().nullable(),
    doorOpen: z.boolean().nullable(),
    faults: z.array(z.string()),
    snapshotAt: zInstant.nullable(),
    clockSkewMs: z.int().nullable(),
    longitude: z.number(),
    latitude: z.number(),
    address: z.string(),
    deployedAt: zInstant.nullable(),
    secretRotatedAt: zInstant.nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One machine with its live state',
})

const slot = z.object({
  code: z.string(),
  layer: z.int(),
  position: z.int(),
  state: z.enum(slotStates),
  productCode: z.string().nullable(),
  productName: z.string().nullable(),
  picture: z.string().nullable(),
  priceFen: z.int().nullable(),
  capacity: z.int(),
  stock: z.int(),
  alarmThreshold: z.int(),
})

export const listSlots = endpoint({
  name: 'fleet.listSlots',
  method: 'GET',
  path: '/api/machines/{id}/slots',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  output: z.object({ items: z.array(slot) }),
  refusals: ['request.notFound'],
  summary: 'The slots of a machine, as the cabinet stands: by layer and position',
})

export const rotateSecret = endpoint({
  name: 'fleet.rotateSecret',
  method: 'POST',
  path: '/api/machines/{id}/rotate-secret',
  access: 'machine.secret',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ code: z.string(), secret: z.string() }),
  refusals: ['request.notFound'],
  summary: 'Make a new secret for a machine; shown once, the old one stops working now',
})
