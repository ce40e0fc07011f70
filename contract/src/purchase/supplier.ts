import { z } from 'zod'
import { medicineClasses } from '../catalog/product'
import { zAnyOf, zContactPhone, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { type Field, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateNames, stateTable } from '../kernel/states'
import { zScans } from '../merchant/scans'

/** Who has shown what the law asks for is qualified by another person; a paper that ends suspends it by itself. */
export const supplierState = stateTable({
  initial: 'draft',
  states: ['draft', 'review', 'qualified', 'suspended', 'stopped'],
  moves: {
    submit: { from: ['draft'], to: 'review' },
    approve: { from: ['review'], to: 'qualified' },
    reject: { from: ['review'], to: 'draft' },
    suspend: { from: ['qualified'], to: 'suspended' },
    reinstate: { from: ['suspended'], to: 'qualified' },
    stop: { from: ['draft', 'review', 'qualified', 'suspended'], to: 'stopped' },
    resume: { from: ['stopped'], to: 'draft' },
  },
  /** Whose state follows their papers. */
  sets: { watched: ['qualified', 'suspended'] },
})
export type SupplierState = (typeof supplierState.states)[number]

/** Opens the supplier, wherever its name stands in a row. */
export const supplierNameField = {
  kind: 'text',
  to: 'jxcgl/wdgys',
  search: { open: 'supplierId' },
} satisfies Field

/** GSP 61 and 62: the company, what it may trade, the agreement on quality, and who may sell for it. */
export const paperKinds = [
  'business',
  'medicineTrade',
  'medicineMaking',
  'quality',
  'sales',
  'foodTrade',
  'other',
] as const
export type PaperKind = (typeof paperKinds)[number]

/** Of a paper: follows from its days and whether somebody has revoked it. */
export const paperState = stateNames(['expired', 'expiring', 'valid', 'coming', 'revoked'])
export type PaperState = (typeof paperState.states)[number]

/** What is asked of a supplier; a medicine licence is that of a trader or of a maker. */
export const neededPapers = ['business', 'medicine', 'quality', 'sales'] as const
export type NeededPaper = (typeof neededPapers)[number]

export const supplierRefusals = defineRefusals('purchase', {
  'supplier.nameTaken': 409,
  'supplier.codeTaken': 409,
  'supplier.state': 409,
  'supplier.ownRequest': 403,
  /** What the law asks for and nobody has shown, or what has ended. */
  'supplier.papers': 409,
  /** Nothing is ordered from it, or taken in, as it stands. */
  'supplier.notQualified': 409,
  /** Its licence does not allow the class of a medicine. */
  'supplier.scope': 409,
  'paper.taken': 409,
  'paper.period': 422,
  'paper.revoked': 409,
})

export const supplier = entity({
  domain: 'purchase',
  kind: 'supplier',
  path: '/api/suppliers',
  right: 'supplier',
  owner: 'merchant',
  editable: {
    name: zNeeded(80),
    creditCode: zLine(18)
      .regex(/^([0-9A-Z]{18})?$/)
      .default(''),
    contact: zLine(40).default(''),
    phone: zContactPhone.default(''),
    email: z.union([z.literal(''), z.email().max(120)]).default(''),
    address: zLine(120).default(''),
    termsDays: z.coerce.number().int().min(0).max(365).default(30),
    deliversMedicine: z.boolean().default(false),
    remark: zLine(200).default(''),
  },
  details: ['remark'],
  facts: {
    /** The first paper that ends, of those in force. */
    nextEnd: zDay.nullable(),
    missing: z.array(z.enum(neededPapers)),
    productCount: z.int(),
    bank: z.string(),
    accountHolder: z.string(),
    /** All but its end is sealed. */
    account: z.string(),
  },
  show: {
    creditCode: { kind: 'code' },
    phone: { kind: 'phone' },
    remark: { kind: 'longText' },
    account: { kind: 'code' },
    missing: {
      kind: 'states',
      words: 'neededPaper',
      tones: { business: 'bad', medicine: 'bad', quality: 'bad', sales: 'bad' },
    },
  },
  states: {
    table: supplierState,
    tones: { draft: 'idle', review: 'warn', qualified: 'good', suspended: 'bad', stopped: 'idle' },
    refusal: 'supplier.state',
  },
  unique: {
    supplier_merchant_id_name_key: 'supplier.nameTaken',
    supplier_credit_code: 'supplier.codeTaken',
  },
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(supplierState.states).optional(),
    deliversMedicine: z.enum(['true', 'false']).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest', 'name'],
})

const paper = z.object({
  id: z.int(),
  kind: z.enum(paperKinds),
  number: z.string(),
  validFrom: zDay,
  validTo: zDay.nullable(),
  scope: z.array(z.enum(medicineClasses)),
  pictures: z.array(z.string()),
  state: z.enum(paperState.states),
  daysLeft: z.int().nullable(),
  addedAt: zInstant,
  addedBy: z.string().nullable(),
  revokeReason: z.string().nullable(),
})
export type Paper = z.output<typeof paper>

export const paperFields = {
  kind: { kind: 'state', words: 'paperKind', tones: {} },
  number: { kind: 'code' },
  validFrom: { kind: 'day' },
  validTo: { kind: 'day' },
  scope: { kind: 'states', words: 'paperScope', tones: {} },
  state: stateField('paperState', paperState, {
    expired: 'bad',
    expiring: 'warn',
    valid: 'good',
    coming: 'idle',
    revoked: 'idle',
  }),
} as const

/** Also what a picker of suppliers asks. */
export const listSuppliers = supplier.list('Suppliers of merchants in sight, with what papers are missing')
export const getSupplier = supplier.get('One supplier with its papers', {
  papers: z.array(paper),
  /** Whether the asker may approve it, as far as who submitted it says. */
  mayApprove: z.boolean(),
})
export const addSupplier = supplier.add('Add a supplier; nothing is ordered from it until it is qualified')
export const editSupplier = supplier.edit('Change what is known of a supplier')
export const submitSupplier = supplier.move('submit', 'Ask another person to qualify a supplier', ['supplier.papers'])
export const approveSupplier = supplier.move('approve', 'Qualify a supplier whose papers were looked at', [
  'supplier.papers',
  'supplier.ownRequest',
])
export const stopSupplier = supplier.move('stop', 'Buy from a supplier no longer')
export const resumeSupplier = supplier.move('resume', 'Take up a stopped supplier again, from its draft on')
export const removeSupplier = supplier.remove('Delete a supplier that nothing was bought from')

export const rejectSupplier = supplier.verb(
  'rejectSupplier',
  '/{id}/reject',
  { id: zId, reason: zNeeded(200) },
  'Give a supplier back to whoever submitted it, and why',
  ['supplier.state'],
)
export const addPaper = supplier.verb(
  'addPaper',
  '/{id}/papers',
  {
    id: zId,
    kind: z.enum(paperKinds),
    number: zNeeded(60),
    validFrom: zDay,
    validTo: zDay.nullable().default(null),
    scope: z.array(z.enum(medicineClasses)).default([]),
    pictures: zScans,
  },
  'Record a paper that a supplier has shown; a new term is a paper of its own',
  ['paper.taken', 'paper.period'],
)
export const revokePaper = supplier.verb(
  'revokePaper',
  '/{id}/papers/{paperId}/revoke',
  { id: zId, paperId: zId, reason: z.string().trim().min(2).max(200) },
  'Say that a paper is no longer good, or was recorded wrongly; it stays on record',
  ['paper.revoked'],
)
export const putSupplierAccount = supplier.verb(
  'putSupplierAccount',
  '/{id}/account',
  {
    id: zId,
    bank: zNeeded(80),
    accountHolder: zNeeded(80),
    accountNumber: z
      .string()
      .trim()
      .regex(/^[0-9]{8,30}$/),
  },
  'Record the bank account to which a supplier is paid',
)
