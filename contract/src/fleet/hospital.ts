import { z } from 'zod'
import { zAnyOf, zContactPhone, zId, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { onOff, onOffTones } from '../kernel/states'
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

export const hospitalRefusals = defineRefusals('fleet', {
  'hospital.nameTaken': 409,
  'hospital.state': 409,
  'hospital.pointTaken': 409,
})

export const hospital = entity({
  domain: 'fleet',
  kind: 'hospital',
  path: '/api/hospitals',
  right: 'hospital',
  owner: 'merchant',
  editable: {
    name: zNeeded(80),
    level: z.enum(hospitalLevels),
    province: zNeeded(40),
    city: zNeeded(40),
    district: zLine(40).default(''),
    address: zLine(120).default(''),
    contact: zLine(40).default(''),
    phone: zContactPhone.default(''),
    departments: z
      .array(z.strictObject({ building: zLine(40), name: zNeeded(40) }))
      .max(200)
      .default([]),
  },
  details: ['departments'],
  facts: { departmentCount: z.int(), pointCount: z.int(), machineCount: z.int(), doctorCount: z.int() },
  show: {
    level: { kind: 'state', words: 'hospitalLevel', tones: {} },
    city: { kind: 'region' },
    district: { kind: 'region' },
    phone: { kind: 'phone' },
  },
  states: { table: onOff, tones: onOffTones, refusal: 'hospital.state' },
  unique: { hospital_merchant_id_name_key: 'hospital.nameTaken' },
  filters: {
    hospital: zSearch.optional(),
    /** The same, as pickers ask. */
    q: zSearch.optional(),
    level: zAnyOf(hospitalLevels).optional(),
    province: zSearch.optional(),
    merchantId: zId.optional(),
    state: z.enum(onOff.states).optional(),
  },
  sorts: ['level', 'name', 'machines'],
})

const point = z.object({ id: z.int(), name: z.string(), merchantName: z.string(), machineCount: z.int() })

const machine = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  pointName: z.string(),
  operation: z.enum(shownOperations),
})

/** Also what a picker of hospitals asks. */
export const listHospitals = hospital.list('Hospitals in sight with what stands and who works there')
export const getHospital = hospital.get('One hospital with its departments, points, machines and doctors', {
  points: z.array(point),
  machines: z.array(machine),
  doctors: z.array(z.object({ id: z.int(), name: z.string(), account: z.string(), department: z.string() })),
  /** Points of the kind in sight that belong to no hospital yet, those of its city first. */
  freePoints: z.array(point),
})
export const addHospital = hospital.add('Add a hospital to a merchant')
export const editHospital = hospital.edit('Change what is known of a hospital')
export const stopHospital = hospital.move('stop', 'Offer a hospital no longer')
export const resumeHospital = hospital.move('resume', 'Offer a stopped hospital again')
export const removeHospital = hospital.remove('Delete a hospital that nothing uses')

const ofPoint = (name: string, at: string, summary: string) =>
  hospital.verb(name, `/{id}/${at}`, { id: zId, pointId: zId }, summary, ['hospital.pointTaken'])
export const assignPoint = ofPoint('assignPoint', 'assign-point', 'Say that a point stands in the hospital')
export const releasePoint = ofPoint('releasePoint', 'release-point', 'Say that a point stands there no longer')
