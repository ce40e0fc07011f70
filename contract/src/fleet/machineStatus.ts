import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { machineFields, machineFilters } from './machine'
import { conditions, connections, shownOperations } from './states'

/** Where a value comes from: the machine's words, or our own books. Worded as `origin.<name>` in the admin catalog. */
export const origins = ['heartbeat', 'measurement', 'snapshot', 'presence', 'books'] as const

/** A value as last heard: how old it is, who said it, and whether the machine has been silent since. */
const reading = <T extends z.ZodType>(value: T) =>
  z.object({ value: value.nullable(), at: zInstant.nullable(), origin: z.enum(origins), isStale: z.boolean() })

export const changeLevels = ['enough', 'low'] as const

const status = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  pointName: z.string(),
  city: z.string(),
  merchantName: z.string(),
  connection: z.enum(connections),
  lastSeenAt: zInstant.nullable(),
  operation: z.enum(shownOperations),
  conditions: z.array(z.enum(conditions)),
  temperature: reading(z.number()),
  humidity: reading(z.number()),
  /** Of what fits in, what is in it, in percent. */
  stock: reading(z.int()),
  emptySlots: z.int(),
  change: reading(z.enum(changeLevels)),
  faults: reading(z.string()),
  versions: reading(z.string()),
  signal: reading(z.number()),
})
export type MachineStatus = z.output<typeof status>

export const listMachineStatus = listEndpoint({
  name: 'fleet.listMachineStatus',
  path: '/api/machine-status',
  access: 'machine.read',
  summary: 'The fleet in sight now, worst first, each value with its age and who said it',
  filters: machineFilters,
  sorts: ['worst', 'code', 'lastSeen'],
  item: status,
})

export const statusFields = {
  code: { kind: 'code' },
  name: { kind: 'text' },
  pointName: { kind: 'text' },
  city: { kind: 'region' },
  merchantName: { kind: 'text' },
  connection: machineFields.connection,
  lastSeenAt: { kind: 'dateTime', saysNever: true },
  operation: machineFields.operation,
  conditions: machineFields.conditions,
  temperature: { kind: 'reading', unit: 'celsius' },
  humidity: { kind: 'reading', unit: 'percent' },
  stock: { kind: 'reading', unit: 'percent' },
  emptySlots: { kind: 'count' },
  change: { kind: 'reading', words: 'changeLevel', tones: { enough: 'good', low: 'warn' } },
  faults: { kind: 'reading' },
  versions: { kind: 'reading' },
  signal: { kind: 'reading', unit: 'dBm' },
  condition: machineFields.conditions,
  category: machineFields.category,
  service: machineFields.service,
} satisfies Fields

const counts = {
  total: z.int(),
  online: z.int(),
  offline: z.int(),
  unknown: z.int(),
  fault: z.int(),
  temperature: z.int(),
  lowStock: z.int(),
  stopped: z.int(),
  stopWanted: z.int(),
}

export const mapMachines = endpoint({
  name: 'fleet.mapMachines',
  method: 'GET',
  path: '/api/machine-status/map',
  access: 'machine.read',
  input: z.strictObject(machineFilters),
  output: z.object({
    items: z.array(
      z.object({ province: z.string(), city: z.string(), longitude: z.number(), latitude: z.number(), ...counts }),
    ),
  }),
  summary: 'The machines that the status query finds, a point a city, each with how they are',
})
export type CityStatus = z.output<typeof mapMachines.output>['items'][number]

/** Of temperature only what somebody said lately counts; a silent cabinet is unknown, never fine. */
const wardCounts = {
  machineCount: z.int(),
  online: z.int(),
  offline: z.int(),
  unknown: z.int(),
  faulty: z.int(),
  stockOut: z.int(),
  emptySlots: z.int(),
  warm: z.int(),
  coolKnown: z.int(),
  coolUnknown: z.int(),
}

const hospitalStatus = z.object({
  id: z.int(),
  name: z.string(),
  city: z.string(),
  province: z.string(),
  ...wardCounts,
})
export type HospitalStatus = z.output<typeof hospitalStatus>

export const listHospitalStatus = listEndpoint({
  name: 'fleet.listHospitalStatus',
  path: '/api/hospital-status',
  access: 'hospital.read',
  summary: 'Hospitals with machines in sight, worst first: what is online, broken, sold out and too warm',
  filters: {
    hospital: machineFilters.q,
    province: machineFilters.province,
    condition: z.enum(conditions).optional(),
    connection: zAnyOf(connections).optional(),
  },
  sorts: ['worst', 'name', 'machines'],
  item: hospitalStatus,
})

const wardMachine = status.pick({
  id: true,
  code: true,
  name: true,
  pointName: true,
  connection: true,
  lastSeenAt: true,
  operation: true,
  conditions: true,
  temperature: true,
  stock: true,
  emptySlots: true,
  faults: true,
})

export const getHospitalStatus = endpoint({
  name: 'fleet.getHospitalStatus',
  method: 'GET',
  path: '/api/hospitals/{id}/status',
  access: 'hospital.read',
  input: z.strictObject({ id: zId }),
  output: z.object({
    buildings: z.array(
      z.object({
        /** '' where nobody said. */
        name: z.string(),
        ...wardCounts,
        floors: z.array(z.object({ name: z.string(), ...wardCounts, machines: z.array(wardMachine) })),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One hospital by building and floor, down to its machines in sight',
})
export type WardCounts = z.output<z.ZodObject<typeof wardCounts>>

export const hospitalStatusFields = {
  name: { kind: 'text' },
  city: { kind: 'region' },
  province: { kind: 'region' },
  machineCount: { kind: 'count' },
  online: { kind: 'count' },
  offline: { kind: 'count' },
  unknown: { kind: 'count' },
  faulty: { kind: 'count' },
  stockOut: { kind: 'count' },
  emptySlots: { kind: 'count' },
  warm: { kind: 'count' },
  coolUnknown: { kind: 'count' },
  condition: machineFields.conditions,
  connection: machineFields.connection,
} satisfies Fields
