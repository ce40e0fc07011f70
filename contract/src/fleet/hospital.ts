import { z } from 'zod'
import { endpoint, zId, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
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

export const hospital = entity({
  domain: 'fleet',
  kind: 'hospital',
  path: '/api/hospitals',
  right: 'hospital',
  owner: 'merchant',
  editable: {
    name: needed(80),
    level: z.enum(hospitalLevels),
    province: needed(40),
    city: needed(40),
    district: line(40).default(''),
    address: line(120).default(''),
    contact: line(40).default(''),
    phone: zContactPhone.default(''),
    departments: z.array(department).max(200).default([]),
  },
  parts: ['departments'],
  facts: { departmentCount: z.int(), pointCount: z.int(), machineCount: z.int(), doctorCount: z.int() },
  show: {
    level: { kind: 'state', words: 'hospitalLevel', tones: {} },
    city: { kind: 'region' },
    district: { kind: 'region' },
    phone: { kind: 'phone' },
  },
  states: { table: hospitalState, tones: { active: 'good', stopped: 'idle' }, refusal: 'hospital.state' },
  unique: { hospital_merchant_id_name_key: 'hospital.nameTaken' },
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
})

const point = z.object({ id: z.int(), name: z.string(), merchantName: z.string(), machineCount: z.int() })

/** Also what a picker of hospitals asks. */
export const listHospitals = hospital.list('Hospitals in sight with what stands and who works there')
export const getHospital = hospital.get('One hospital with its departments, points, machines and doctors', {
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
})
export const addHospital = hospital.add('Add a hospital to a merchant')
export const editHospital = hospital.edit('Change what is known of a hospital')
export const stopHospital = hospital.move('stop', 'Offer a hospital no longer')
export const resumeHospital = hospital.move('resume', 'Offer a stopped hospital again')
export const removeHospital = hospital.remove('Delete a hospital that nothing uses')

const withPoint = (name: string, path: string, summary: string) =>
  endpoint({
    name: `fleet.${name}`,
    method: 'POST',
    path: `/api/hospitals/{id}/${path}`,
    access: 'hospital.write',
    writes: true,
    input: z.strictObject({ id: zId, pointId: zId }),
    output: z.object({ id: z.int() }),
    refusals: ['request.notFound', 'hospital.pointTaken'],
    summary,
  })

export const assignPoint = withPoint('assignPoint', 'assign-point', 'Say that a point stands in the hospital')
export const releasePoint = withPoint('releasePoint', 'release-point', 'Say that a point stands there no longer')
