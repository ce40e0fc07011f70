import { z } from 'zod'
import { endpoint, listEndpoint, zId, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { shownOperations } from './states'

/** China's grades, highest first: three levels, each A to C, and the special grade above 3A. */
export const hospitalLevels = [
  'iii_special',
  'iii_a',
  'iii_b',
  'iii_c',
  'ii_a',
  'ii_b',
  'ii_c',
  'i_a',
  'i_b',
  'i_c',
  'ungraded',
] as const

export const hospitalState = stateTable({
  initial: 'active',
  states: ['active', 'stopped'],
  moves: { stop: { from: ['active'], to: 'stopped' }, resume: { from: ['stopped'], to: 'active' } },
})

export const hospitalRefusals = defineRefusals('fleet', {
  'hospital.nameTaken': 409,
  'hospital.state': 409,
  'hospital.pointTaken': 409,
})

/** Digits with what people write between them; landlines too. */
const zContactPhone = z
  .string()
  .trim()
  .max(20)
  .regex(/^(\+?[0-9][0-9 -]{4,18})?$/)
const line = (most: number) => z.string().trim().max(most)
const needed = (most: number) => z.string().trim().min(1).max(most)

const department = z.strictObject({ building: line(40), name: needed(40) })

const editable = {
  name: needed(80),
  level: z.enum(hospitalLevels),
  province: needed(40),
  city: needed(40),
  district: line(40).default(''),
  address: line(120).default(''),
  contact: line(40).default(''),
  phone: zContactPhone.default(''),
  departments: z.array(department).max(200).default([]),
}

const hospital = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  name: z.string(),
  level: z.enum(hospitalLevels),
  province: z.string(),
  city: z.string(),
  district: z.string(),
  address: z.string(),
  contact: z.string(),
  phone: z.string(),
  state: z.enum(hospitalState.states),
  departmentCount: z.int(),
  pointCount: z.int(),
  machineCount: z.int(),
  doctorCount: z.int(),
})
export type Hospital = z.output<typeof hospital>

/** Also what a picker of hospitals asks. */
export const listHospitals = listEndpoint({
  name: 'fleet.listHospitals',
  path: '/api/hospitals',
  access: 'hospital.read',
  summary: 'Hospitals in sight with what stands and who works there',
  filters: {
    hospital: zSearch.optional(),
    /** The same, as pickers ask. */
    q: zSearch.optional(),
    level: z.enum(hospitalLevels).optional(),
    province: zSearch.optional(),
    merchantId: zId.optional(),
    state: z.enum(hospitalState.states).optional(),
  },
  sorts: ['level', 'name', 'machines'],
  item: hospital,
})

export const hospitalFields = {
  name: { kind: 'text' },
  level: { kind: 'state', words: 'hospitalLevel', tones: {} },
  merchantName: { kind: 'text' },
  province: { kind: 'text' },
  city: { kind: 'region' },
  district: { kind: 'region' },
  address: { kind: 'text' },
  contact: { kind: 'text' },
  phone: { kind: 'phone' },
  state: stateField('hospitalState', hospitalState, { active: 'good', stopped: 'idle' }),
  departmentCount: { kind: 'count' },
  pointCount: { kind: 'count' },
  machineCount: { kind: 'count' },
  doctorCount: { kind: 'count' },
} satisfies Fields

const point = z.object({ id: z.int(), name: z.string(), merchantName: z.string(), machineCount: z.int() })

export const getHospital = endpoint({
  name: 'fleet.getHospital',
  method: 'GET',
  path: '/api/hospitals/{id}',
  access: 'hospital.read',
  input: z.strictObject({ id: zId }),
  output: hospital.extend({
    version: z.int(),
    departments: z.array(department),
    points: z.array(point),
    machines: z.array(
      z.object({
        id: z.int(),
        code: z.string(),
        name: z.string(),
        pointName: z.string(),
        operation: z.enum(shownOperations),
      }),
    ),
    doctors: z.array(z.object({ id: z.int(), name: z.string(), account: z.string(), department: z.string() })),
    /** Points of the kind in sight that belong to no hospital yet, those of its city first. */
    freePoints: z.array(point),
  }),
  refusals: ['request.notFound'],
  summary: 'One hospital with its departments, points, machines and doctors',
})

const changed = z.object({ id: z.int() })

export const addHospital = endpoint({
  name: 'fleet.addHospital',
  method: 'POST',
  path: '/api/hospitals',
  access: 'hospital.write',
  writes: true,
  input: z.strictObject({ merchantId: zId, ...editable }),
  output: changed,
  refusals: ['request.notFound', 'hospital.nameTaken'],
  summary: 'Add a hospital to a merchant',
})

export const editHospital = endpoint({
  name: 'fleet.editHospital',
  method: 'POST',
  path: '/api/hospitals/{id}/edit',
  access: 'hospital.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ...editable }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'hospital.nameTaken'],
  summary: 'Change what is known of a hospital',
})

const verb = (name: string, path: string, summary: string, more: readonly string[]) =>
  endpoint({
    name: `fleet.${name}`,
    method: 'POST',
    path: `/api/hospitals/{id}/${path}`,
    access: 'hospital.write',
    writes: true,
    input: z.strictObject({ id: zId }),
    output: changed,
    refusals: ['request.notFound', ...more],
    summary,
  })

export const stopHospital = verb('stopHospital', 'stop', 'Offer a hospital no longer', ['hospital.state'])
export const resumeHospital = verb('resumeHospital', 'resume', 'Offer a stopped hospital again', ['hospital.state'])
export const removeHospital = verb('removeHospital', 'remove', 'Delete a hospital that nothing uses', ['request.inUse'])

const withPoint = (name: string, path: string, summary: string) =>
  endpoint({
    name: `fleet.${name}`,
    method: 'POST',
    path: `/api/hospitals/{id}/${path}`,
    access: 'hospital.write',
    writes: true,
    input: z.strictObject({ id: zId, pointId: zId }),
    output: changed,
    refusals: ['request.notFound', 'hospital.pointTaken'],
    summary,
  })

export const assignPoint = withPoint('assignPoint', 'assign-point', 'Say that a point stands in the hospital')
export const releasePoint = withPoint('releasePoint', 'release-point', 'Say that a point stands there no longer')
