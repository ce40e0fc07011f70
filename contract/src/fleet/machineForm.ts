import { z } from 'zod'
import { endpoint, zDay, zId, zInstant } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { cabinetTypes, licenceModes, machineCategories, slotModes } from './machine'
import { thermostat } from './thermostat'

export const machineRefusals = defineRefusals('fleet', {
  'machine.codeTaken': 409,
  /** Its point, route or operator belongs to somebody beside the machine's merchant. */
  'machine.otherMerchant': 422,
  'machine.pointStopped': 409,
  'machine.licenceForbids': 422,
  /** Its merchant's pharmacy is off. */
  'machine.noPharmacy': 409,
  'machine.hasStock': 409,
  'machine.hasOrders': 409,
  'machine.retired': 409,
  'machine.notRetired': 409,
})

export const MOST_LAYERS = 10
export const MOST_IN_LAYER = 10

/** Goes into topics and order numbers: letters and digits only, and for good. */
export const zMachineCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9]{3,20}$/)
const zName = z.string().trim().min(1).max(60)
const line = (most: number) => z.string().trim().max(most).default('')
const zCelsius = z.number().min(-40).max(90).nullable().default(null)
const zHumidity = z.number().min(0).max(100).nullable().default(null)

export const isTimeZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** Specification, section 3, machine; what the machine says of itself (versions that run, state) is read, not typed. */
export const editable = {
  name: zName,
  category: z.enum(machineCategories),
  licenceMode: z.enum(licenceModes).default('none'),
  pointId: zId,
  routeId: zId.nullable().default(null),
  routeOrder: z.int().min(0).max(9999).default(0),
  operatorId: zId.nullable().default(null),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .default('CN'),
  timeZone: z.string().max(60).refine(isTimeZone).default('Asia/Shanghai'),
  picture: z.string().max(200).nullable().default(null),
  cabinetType: z.enum(cabinetTypes).default('ambient'),
  cabinetCount: z.int().min(1).max(8).default(1),
  slotMode: z.enum(slotModes).default('spiral'),
  deployedAt: zInstant.nullable().default(null),
  deployerId: zId.nullable().default(null),
  autoRefund: z.boolean().default(true),
  shipsAfterJam: z.boolean().default(false),
  locksStock: z.boolean().default(false),
  shipsDirectly: z.boolean().default(false),
  model: line(40),
  manufacturer: line(60),
  softwareVersion: line(40),
  hardwareVersion: line(40),
  manufacturedOn: zDay.nullable().default(null),
  warrantyUntil: zDay.nullable().default(null),
  temperatureMinC: zCelsius,
  temperatureMaxC: zCelsius,
  humidityMin: zHumidity,
  humidityMax: zHumidity,
  thermostat: thermostat.nullable().default(null),
  flowAlarmMb: z.int().min(0).max(10_240).default(0),
  lotteryPermille: z.int().min(0).max(1000).default(0),
  upliftPermille: z.int().min(-500).max(1000).default(0),
}
const editableShape = z.object(editable)
export type MachineFacts = z.output<typeof editableShape>
export const editableNames = Object.keys(editable) as readonly (keyof MachineFacts)[]

const rises = (low: number | null, high: number | null) => low === null || high === null || low < high
type Ranges = Pick<MachineFacts, 'temperatureMinC' | 'temperatureMaxC' | 'humidityMin' | 'humidityMax'>
const warmer = (each: Ranges) => rises(each.temperatureMinC, each.temperatureMaxC)
const wetter = (each: Ranges) => rises(each.humidityMin, each.humidityMax)

const added = z.object({ id: z.int(), code: z.string(), secret: z.string() })

/** What a machine needs to be there; the rest is as shipped, or as the machine that it is copied from. */
export const addMachine = endpoint({
  name: 'fleet.addMachine',
  method: 'POST',
  path: '/api/machines',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({
    code: zMachineCode,
    name: zName,
    merchantId: zId,
    pointId: zId,
    category: z.enum(machineCategories),
    licenceMode: editable.licenceMode,
    copyFromId: zId.nullable().default(null),
    layers: z.int().min(1).max(MOST_LAYERS).default(6),
    slotsPerLayer: z.int().min(1).max(MOST_IN_LAYER).default(8),
  }),
  output: added,
  refusals: [
    'request.notFound',
    'machine.codeTaken',
    'machine.otherMerchant',
    'machine.pointStopped',
    'machine.licenceForbids',
    'machine.noPharmacy',
  ],
  summary: 'Add a machine with empty slots, or with settings and slots of another one; its secret is shown once',
})

export const editMachine = endpoint({
  name: 'fleet.editMachine',
  method: 'POST',
  path: '/api/machines/{id}/edit',
  access: 'machine.write',
  writes: true,
  input: z
    .strictObject({ id: zId, version: z.int(), ...editable })
    .refine(warmer, { path: ['temperatureMaxC'], params: { domain: 'fleet', rule: 'rangeRises' } })
    .refine(wetter, { path: ['humidityMax'], params: { domain: 'fleet', rule: 'rangeRises' } }),
  output: z.object({ id: z.int(), version: z.int() }),
  refusals: [
    'request.notFound',
    'edit.stale',
    'machine.retired',
    'machine.otherMerchant',
    'machine.pointStopped',
    'machine.licenceForbids',
    'machine.noPharmacy',
  ],
  summary: 'Change what is known of a machine and how it is set; a new thermostat is sent to it',
})

export const retireMachine = endpoint({
  name: 'fleet.retireMachine',
  method: 'POST',
  path: '/api/machines/{id}/retire',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'machine.retired', 'machine.hasStock', 'machine.hasOrders'],
  summary: 'Take a machine out of service for good; its secret ends at once',
})

export const bringBackMachine = endpoint({
  name: 'fleet.bringBackMachine',
  method: 'POST',
  path: '/api/machines/{id}/bring-back',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: added,
  refusals: ['request.notFound', 'machine.notRetired', 'machine.noPharmacy'],
  summary: 'Put a retired machine back into service; stopped until somebody resumes it, with a new secret',
})

/** How the form asks for them. */
export const machineFormFields = {
  licenceMode: { kind: 'state', words: 'licence', tones: {} },
  cabinetType: { kind: 'state', words: 'cabinetType', tones: {} },
  slotMode: { kind: 'state', words: 'slotMode', tones: {} },
  category: { kind: 'state', words: 'category', tones: {} },
  picture: { kind: 'image' },
  deployedAt: { kind: 'dateTime' },
  manufacturedOn: { kind: 'day' },
  warrantyUntil: { kind: 'day' },
} satisfies Fields
