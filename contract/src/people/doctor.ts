import { z } from 'zod'
import { passwordRefusals } from '../identity/password'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { languages } from '../kernel/text'
import { addUser, userState, withPassword } from './user'

export const professions = ['doctor', 'pharmacist'] as const
/** Of the licence to practise: what the days left say, or that there is none. Worst first. */
export const practiceStates = ['missing', 'expired', 'expiring', 'valid'] as const
export type PracticeState = (typeof practiceStates)[number]

const facts = {
  /** The user's. */
  id: z.int(),
  account: z.string(),
  name: z.string(),
  profession: z.enum(professions),
  phone: z.string().nullable(),
  merchantId: z.int(),
  merchantName: z.string(),
  hospitalId: z.int().nullable(),
  hospitalName: z.string().nullable(),
  department: z.string(),
  licenceNumber: z.string().nullable(),
  licenceValidTo: zDay.nullable(),
  licenceDaysLeft: z.int().nullable(),
  practice: z.enum(practiceStates),
  machineCount: z.int(),
  state: z.enum(userState.states),
  version: z.int(),
}
const doctor = z.object(facts)
export type Doctor = z.output<typeof doctor>

export const listDoctors = listEndpoint({
  name: 'people.listDoctors',
  path: '/api/doctors',
  access: 'doctor.read',
  summary: 'Doctors and pharmacists of the merchants in sight; whose licence ends first stand first',
  filters: {
    /** Account, name, phone or licence number. */
    doctor: zSearch.optional(),
    profession: z.enum(professions).optional(),
    practice: zAnyOf(practiceStates).optional(),
    hospitalId: zId.optional(),
    merchantId: zId.optional(),
    state: z.enum(userState.states).optional(),
  },
  sorts: ['licence', 'name', 'newest'],
  item: doctor,
})

export const doctorFields = {
  account: { kind: 'code' },
  name: { kind: 'text' },
  profession: stateField('profession', professions, { doctor: 'good', pharmacist: 'busy' }),
  phone: { kind: 'phone' },
  merchantName: { kind: 'text' },
  hospitalName: { kind: 'text' },
  department: { kind: 'text' },
  licenceNumber: { kind: 'code' },
  licenceValidTo: { kind: 'day' },
  licenceDaysLeft: { kind: 'count' },
  practice: stateField('practice', practiceStates, {
    missing: 'bad',
    expired: 'bad',
    expiring: 'warn',
    valid: 'good',
  }),
  machineCount: { kind: 'count' },
  state: stateField('userState', userState, { active: 'good', disabled: 'idle' }),
} satisfies Fields

const licence = z.object({
  id: z.int(),
  number: z.string(),
  issuedBy: z.string(),
  validFrom: zDay,
  validTo: zDay.nullable(),
  isRevoked: z.boolean(),
})

export const getDoctor = endpoint({
  name: 'people.getDoctor',
  method: 'GET',
  path: '/api/doctors/{id}',
  access: 'doctor.read',
  input: z.strictObject({ id: zId }),
  output: doctor.extend({
    createdAt: zInstant,
    licences: z.array(licence),
    /** The first two hundred that are bound to the person, by code. */
    machines: z.array(z.object({ id: z.int(), code: z.string(), name: z.string(), pointName: z.string() })),
  }),
  refusals: ['request.notFound'],
  summary: 'One doctor or pharmacist with licences and bound machines',
})

export const getDoctorChoices = endpoint({
  name: 'people.getDoctorChoices',
  method: 'GET',
  path: '/api/doctor-choices',
  access: 'doctor.read',
  /** The caller's own merchant when left out. */
  input: z.strictObject({ merchantId: zId.optional() }),
  output: z.object({
    merchantId: z.int(),
    merchants: z.array(z.object({ id: z.int(), parentId: z.int().nullable(), name: z.string() })),
    hospitals: z.array(z.object({ id: z.int(), name: z.string(), city: z.string(), departments: z.array(z.string()) })),
  }),
  refusals: ['request.notFound'],
  summary: 'Where a doctor of the merchant may work',
})

const changed = z.object({ id: z.int() })
const work = {
  profession: z.enum(professions).default('doctor'),
  hospitalId: zId.nullable().default(null),
  department: zLine(40).default(''),
}
const person = addUser.input.shape

export const addDoctor = endpoint({
  name: 'people.addDoctor',
  method: 'POST',
  path: '/api/doctors',
  access: 'doctor.write',
  writes: true,
  input: z.strictObject({
    merchantId: zId.optional(),
    account: person.account,
    name: person.name,
    phone: person.phone,
    language: z.enum(languages).default('zh'),
    ...work,
    licenceNumber: zNeeded(60),
    licenceIssuedBy: zNeeded(80),
    licenceValidFrom: zDay,
    /** Null: without end. */
    licenceValidTo: zDay.nullable().default(null),
  }),
  output: withPassword,
  refusals: ['request.notFound', 'user.accountTaken', 'licence.numberTaken', 'licence.period'],
  summary: 'Add a doctor or pharmacist with the licence to practise, and the way of the first password',
})

export const editDoctor = endpoint({
  name: 'people.editDoctor',
  method: 'POST',
  path: '/api/doctors/{id}/edit',
  access: 'doctor.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ...work }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', ...passwordRefusals.filter((code) => code === 'account.holdsMore')],
  summary: 'Change the profession, hospital and department; the licence is renewed with the licences',
})
