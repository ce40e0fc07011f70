import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { thermostat } from './thermostat'
import { conditions, connections, shownOperations, slotStates } from './states'

export const machineCategories = ['drink', 'snack', 'combo', 'medicine'] as const
export const licenceModes = ['none', 'retail', 'hospital'] as const
/** How a cabinet keeps what is in it: specification, section 3, the machine's type. */
export const cabinetTypes = ['ambient', 'cooled', 'frozen', 'heated'] as const
export const slotModes = ['spiral', 'belt', 'pusher', 'locker'] as const
/** A retired one stands in no list unless it is asked for. */
export const services = ['in_service', 'retired'] as const

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
  operation: z.enum(shownOperations),
  conditions: z.array(z.enum(conditions)),
  service: z.enum(services),
  slotCount: z.int(),
  emptySlots: z.int(),
  lowSlots: z.int(),
  todayCount: z.int(),
  todayFen: z.int(),
})
export type Machine = z.output<typeof machine>

/** Of the list, the status query and the map alike: they show the same machines for the same question. */
export const machineFilters = {
  q: zSearch.optional(),
  code: zSearch.optional(),
  merchantId: zId.optional(),
  connection: zAnyOf(connections).optional(),
  operation: zAnyOf(shownOperations).optional(),
  condition: z.enum(conditions).optional(),
  /** Any slot empty or below its threshold, be it an alarm by the rule of its stock or not. */
  gaps: z.enum(['yes']).optional(),
  category: zAnyOf(machineCategories).optional(),
  province: zSearch.optional(),
  city: zSearch.optional(),
  pointId: zId.optional(),
  routeId: zId.optional(),
  groupId: zId.optional(),
  operatorId: zId.optional(),
  hospitalId: zId.optional(),
  version: zSearch.optional(),
  service: z.enum(services).optional(),
}

export const listMachines = listEndpoint({
  name: 'fleet.listMachines',
  path: '/api/machines',
  access: 'machine.read',
  summary: 'Machines in sight, worst first, with how many of their slots are empty and low',
  filters: machineFilters,
  sorts: ['worst', 'code', 'name', 'lastSeen', 'today'],
  item: machine,
  sums: { emptySlots: z.int(), lowSlots: z.int() },
})

export const machineFields = {
  code: { kind: 'code' },
  name: { kind: 'text' },
  category: { kind: 'state', words: 'category', tones: {} },
  merchantName: { kind: 'text' },
  pointName: { kind: 'text' },
  city: { kind: 'region' },
  connection: stateField('connection', connections, { online: 'good', offline: 'bad', unknown: 'idle' }),
  lastSeenAt: { kind: 'dateTime', saysNever: true },
  operation: stateField('operation', shownOperations, {
    in_operation: 'idle',
    stopped: 'warn',
    stop_wanted: 'warn',
    resume_wanted: 'warn',
  }),
  conditions: {
    kind: 'states',
    words: 'condition',
    tones: { fault: 'bad', temperature_abnormal: 'bad', low_stock: 'warn', low_change: 'warn' },
  },
  service: stateField('service', services, { in_service: 'good', retired: 'idle' }),
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
    /** By their own word. */
    stopped: z.int(),
    /** They were told to, and have not said that they did. */
    stopWanted: z.int(),
    fault: z.int(),
    temperature: z.int(),
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
    version: z.int(),
    pointId: z.int(),
    routeId: z.int().nullable(),
    routeName: z.string().nullable(),
    routeOrder: z.int(),
    operatorId: z.int().nullable(),
    operatorName: z.string().nullable(),
    country: z.string(),
    timeZone: z.string(),
    picture: z.string().nullable(),
    cabinetType: z.enum(cabinetTypes),
    cabinetCount: z.int(),
    slotMode: z.enum(slotModes),
    deployerId: z.int().nullable(),
    /** Name and account. */
    deployerName: z.string().nullable(),
    autoRefund: z.boolean(),
    shipsAfterJam: z.boolean(),
    locksStock: z.boolean(),
    shipsDirectly: z.boolean(),
    model: z.string(),
    manufacturer: z.string(),
    softwareVersion: z.string(),
    hardwareVersion: z.string(),
    manufacturedOn: z.string().nullable(),
    warrantyUntil: z.string().nullable(),
    licenceMode: z.enum(licenceModes),
    /** False: it changed here, and its command is not queued yet. */
    isLicenceQueued: z.boolean(),
    /** What it goes by, by its own word; null: it was told something else and has not said so far. */
    flagsTold: z.object({ shipsAfterJam: z.boolean(), shipsDirectly: z.boolean() }).nullable(),
    temperatureMinC: z.number().nullable(),
    temperatureMaxC: z.number().nullable(),
    humidityMin: z.number().nullable(),
    humidityMax: z.number().nullable(),
    thermostat: thermostat.nullable(),
    flowAlarmMb: z.int(),
    /** The data card that is in it. */
    flowCard: z.object({ iccid: z.string(), carrier: z.string(), cardType: z.string() }).nullable(),
    lotteryPermille: z.int(),
    upliftPermille: z.int(),
    createdAt: zInstant,
    updatedAt: zInstant,
    retiredAt: zInstant.nullable(),
    appVersion: z.string().nullable(),
    boardVersion: z.string().nullable(),
    temperatureC: z.number().nullable(),
    temperatureAt: zInstant.nullable(),
    humidity: z.number().nullable(),
    humidityAt: zInstant.nullable(),
    signalDbm: z.number().nullable(),
    network: z.string().nullable(),
    beatAt: zInstant.nullable(),
    doorOpen: z.boolean().nullable(),
    faults: z.array(z.string()),
    snapshotAt: zInstant.nullable(),
    clockSkewMs: z.int().nullable(),
    longitude: z.number(),
    latitude: z.number(),
    address: z.string(),
    deployedAt: zInstant.nullable(),
    secretRotatedAt: zInstant.nullable(),
    /** Too many were asked for that nobody gave out: until then none is taken, right or wrong. */
    codesBlockedUntil: zInstant.nullable(),
    cardsBlockedUntil: zInstant.nullable(),
    prescriptionsBlockedUntil: zInstant.nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One machine with its live state',
})

const slot = z.object({
  code: z.string(),
  layer: z.int(),
  position: z.int(),
  state: z.enum(slotStates),
  productId: z.int().nullable(),
  productCode: z.string().nullable(),
  productName: z.string().nullable(),
  picture: z.string().nullable(),
  priceFen: z.int().nullable(),
  capacity: z.int(),
  stock: z.int(),
  alarmThreshold: z.int(),
  /** What the machine's last snapshot says of this product in this slot; null where it says nothing. */
  reportedStock: z.int().nullable(),
  /** Our books less the machine's figure brought up to now; not 0: one of the two is wrong. Null as above. */
  stockDrift: z.int().nullable(),
})

export const listSlots = endpoint({
  name: 'fleet.listSlots',
  method: 'GET',
  path: '/api/machines/{id}/slots',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  output: z.object({ items: z.array(slot), reportedAt: zInstant.nullable() }),
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
  refusals: ['request.notFound', 'machine.retired'],
  summary: 'Make a new secret for a machine; shown once, the old one stops working now',
})
