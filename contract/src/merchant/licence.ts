import { z } from 'zod'
import { endpoint, zAnyOf, zDay, zId, zInstant, zNeeded, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { zScans } from './scans'
import { stateNames } from '../kernel/states'

export const licenceHolders = ['merchant', 'pharmacy', 'doctor', 'site'] as const
export type LicenceHolder = (typeof licenceHolders)[number]

/** What China asks of those who sell goods and medicines from machines. */
export const licenceKinds = [
  'business',
  'medicine_trade',
  'gsp',
  'food_trade',
  'medical_device',
  'doctor_practice',
  'pharmacist_practice',
  'site_filing',
] as const
export type LicenceKind = (typeof licenceKinds)[number]

const trading: readonly LicenceKind[] = ['business', 'medicine_trade', 'gsp', 'food_trade', 'medical_device']
/** Which kinds somebody can hold. */
export const kindsOf: Record<LicenceHolder, readonly LicenceKind[]> = {
  merchant: trading,
  pharmacy: [...trading, 'pharmacist_practice'],
  doctor: ['doctor_practice', 'pharmacist_practice'],
  site: ['site_filing', 'food_trade'],
}

/** Worst first. */
export const licenceStates = ['expired', 'expiring', 'valid', 'revoked'] as const
export const licenceNames = stateNames(licenceStates, { bad: ['expired', 'revoked'] })
export type LicenceState = (typeof licenceStates)[number]

/** A warning goes out when as many days are left; the last one on the day itself. */
export const warningThresholds = [60, 30, 7, 0] as const

/**
 * Follows from facts; nobody sets it. A licence is good on its last day.
 * @param daysLeft null for a long-term licence
 */
export function licenceState(
  licence: { isRevoked: boolean; daysLeft: number | null },
  warningDays: number,
): LicenceState {
  if (licence.isRevoked) return 'revoked'
  if (licence.daysLeft === null || licence.daysLeft > warningDays) return 'valid'
  return licence.daysLeft < 0 ? 'expired' : 'expiring'
}

export const licenceRefusals = defineRefusals('merchant', {
  'licence.numberTaken': 409,
  'licence.revoked': 409,
  'licence.kindOfHolder': 422,
  'licence.period': 422,
  'licence.notLater': 422,
  'licence.noMachine': 422,
  'licence.noDoctor': 422,
})

/** A term: what a renewal brings anew. Without `validTo` it is long-term. */
const term = {
  number: zNeeded(60),
  issuedBy: zNeeded(80),
  validFrom: zDay,
  validTo: zDay.nullable().default(null),
  pictures: zScans,
}
const about = {
  holderKind: z.enum(licenceHolders),
  kind: z.enum(licenceKinds),
  holder: zNeeded(80),
  ...term,
  remark: z.string().trim().max(200).default(''),
  /** The machine whose site is licensed. */
  machineCode: zSearch.nullable().default(null),
  /** The account of the doctor who holds it. */
  account: zSearch.nullable().default(null),
}

export const licence = entity({
  domain: 'merchant',
  kind: 'licence',
  path: '/api/licences',
  right: 'licence',
  owner: 'merchant',
  editable: about,
  details: ['pictures', 'remark', 'machineCode', 'account'],
  facts: {
    daysLeft: z.int().nullable(),
    state: z.enum(licenceStates),
    renewals: z.int(),
    marks: z.array(z.enum(['long_term'])),
  },
  show: {
    number: { kind: 'code' },
    kind: { kind: 'state', words: 'licenceKind', tones: {} },
    holderKind: { kind: 'state', words: 'licenceHolder', tones: {} },
    marks: { kind: 'states', words: 'licenceMark', tones: { long_term: 'idle' } },
    state: stateField('licenceState', licenceStates, {
      expired: 'bad',
      expiring: 'warn',
      valid: 'good',
      revoked: 'idle',
    }),
  },
  unique: { licence_number: 'licence.numberTaken' },
  filters: {
    licence: zSearch.optional(),
    merchantId: zId.optional(),
    holderKind: zAnyOf(licenceHolders).optional(),
    kind: zAnyOf(licenceKinds).optional(),
    state: zAnyOf(licenceStates).optional(),
  },
  sorts: ['worst', 'holder', 'newest'],
})

export const listLicences = licence.list('Licences of merchants in sight, worst first')

export const summariseLicences = endpoint({
  name: 'merchant.summariseLicences',
  method: 'GET',
  path: '/api/licences/summary',
  access: 'licence.read',
  input: z.strictObject({}),
  output: z.object({ expired: z.int(), expiring: z.int(), valid: z.int(), revoked: z.int() }),
  summary: 'How many licences in sight are in each state',
})

/** What may not go on without the licence. */
const hangs = z.object({
  machines: z.array(z.object({ id: z.int(), code: z.string(), name: z.string() })),
  machineCount: z.int(),
})

export const getLicence = licence.get('One licence with its earlier terms and what hangs on it', {
  createdAt: zInstant,
  revokedAt: zInstant.nullable(),
  revokeReason: z.string().nullable(),
  warningDays: z.int(),
  terms: z.array(
    z.object({
      id: z.int(),
      number: z.string(),
      issuedBy: z.string(),
      validFrom: zDay,
      validTo: zDay.nullable(),
      pictures: z.array(z.string()),
      replacedAt: zInstant,
      replacedBy: z.string(),
    }),
  ),
  hangs,
})

const aboutRefusals = ['licence.kindOfHolder', 'licence.period', 'licence.noMachine', 'licence.noDoctor']
export const addLicence = licence.add('Record a licence of a merchant, pharmacy, doctor or machine site', aboutRefusals)
export const editLicence = licence.edit('Correct what was recorded of a licence; a new term is a renewal', [
  'licence.revoked',
  ...aboutRefusals,
])
export const renewLicence = licence.verb(
  'renewLicence',
  '/{id}/renew',
  { id: zId, version: z.int(), ...term },
  'Begin a new term; the one before is kept',
  ['edit.stale', 'licence.revoked', 'licence.numberTaken', 'licence.period', 'licence.notLater'],
)
export const revokeLicence = licence.verb(
  'revokeLicence',
  '/{id}/revoke',
  { id: zId, version: z.int(), reason: z.string().trim().min(2).max(200) },
  'Say that a licence is no longer good, and why; it stays on record',
  ['edit.stale', 'licence.revoked'],
)
