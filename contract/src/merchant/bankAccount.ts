import { z } from 'zod'
import { endpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import type { Fields } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { zScans } from './scans'

/** One wording of a merchant's account information: only the approved one is in force, until another replaces it. */
export const bankAccountState = stateTable({
  initial: 'draft',
  states: ['draft', 'pending', 'approved', 'rejected', 'withdrawn', 'replaced'],
  moves: {
    submit: { from: ['draft'], to: 'pending' },
    approve: { from: ['pending'], to: 'approved' },
    reject: { from: ['pending'], to: 'rejected' },
    withdraw: { from: ['draft', 'pending'], to: 'withdrawn' },
    replace: { from: ['approved'], to: 'replaced' },
  },
  sets: { used: ['approved', 'replaced'] },
})
export type BankAccountState = (typeof bankAccountState.states)[number]

export const holderKinds = ['company', 'person'] as const
export const documentKinds = ['business_licence', 'identity_card', 'passport'] as const

export const bankAccountRefusals = defineRefusals('merchant', {
  'bankAccount.open': 409,
  'bankAccount.state': 409,
  'bankAccount.ownRequest': 403,
  'bankAccount.checkDigit': 422,
})

/** What is shown of a sealed number. */
export const maskedNumber = (tail: string): string => `•••• ${tail}`

/**
 * Whether the last digit is the one that the others ask for (ISO/IEC 7812, Luhn): a card number typed wrong in one
 * digit, or with two neighbours swapped (but for 09 and 90), fails. Company accounts are no cards and follow no common
 * rule.
 */
export function isCardNumber(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return digits.length >= 12 && sum % 10 === 0
}

const needed = (most: number) => z.string().trim().min(1).max(most)
/** Specification §5 names each of these as required. */
const wording = {
  holderKind: z.enum(holderKinds),
  holder: needed(80),
  documentKind: z.enum(documentKinds),
  bank: needed(60),
  bankCity: needed(40),
  branch: needed(80),
  bankFullName: needed(120),
  shortName: needed(40),
  storeName: needed(80),
  businessType: needed(40),
  province: needed(40),
  city: needed(40),
  street: needed(120),
  contact: needed(40),
  contactPhone: z
    .string()
    .trim()
    .regex(/^\+?[0-9][0-9 -]{4,18}$/),
  pictures: zScans,
}
const zAccountNumber = z
  .string()
  .trim()
  .regex(/^[0-9]{8,30}$/)
const zDocumentNumber = z
  .string()
  .trim()
  .regex(/^[0-9A-Za-z]{5,30}$/)

export const bankAccount = entity({
  domain: 'merchant',
  kind: 'bankAccount',
  path: '/api/bank-accounts',
  right: 'bankAccount',
  owner: 'merchant',
  editable: wording,
  details: [
    'holderKind',
    'documentKind',
    'bankCity',
    'branch',
    'bankFullName',
    'storeName',
    'businessType',
    'province',
    'city',
    'street',
    'contact',
    'contactPhone',
    'pictures',
  ],
  facts: {
    merchantCode: z.string(),
    /** Masked. */
    accountNumber: z.string(),
    requestedBy: z.string().nullable(),
    requestedAt: zInstant.nullable(),
    reviewedBy: z.string().nullable(),
    reviewedAt: zInstant.nullable(),
    reason: z.string().nullable(),
    createdAt: zInstant,
  },
  show: {
    merchantCode: { kind: 'code' },
    accountNumber: { kind: 'code' },
    requestedAt: { kind: 'dateTime' },
    reviewedAt: { kind: 'dateTime' },
    createdAt: { kind: 'dateTime' },
    contactPhone: { kind: 'phone' },
  },
  states: {
    table: bankAccountState,
    tones: {
      draft: 'idle',
      pending: 'warn',
      approved: 'good',
      rejected: 'bad',
      withdrawn: 'idle',
      replaced: 'idle',
    },
    refusal: 'bankAccount.state',
  },
  filters: {
    bankAccount: zSearch.optional(),
    merchantId: zId.optional(),
    state: zAnyOf(bankAccountState.states).optional(),
  },
  sorts: ['waiting', 'newest'],
})
/** Also what only its forms ask for. */
export const bankAccountFields = { ...bankAccount.fields, documentNumber: { kind: 'code' } } satisfies Fields

export const listBankAccounts = bankAccount.list(
  'Account information of merchants in sight, what waits for review first; numbers masked',
)

/** What a review compares, in the order of the page. */
export const comparedFields = [
  'holderKind',
  'holder',
  'documentKind',
  'documentNumber',
  'bank',
  'bankCity',
  'branch',
  'bankFullName',
  'accountNumber',
  'shortName',
  'storeName',
  'businessType',
  'province',
  'city',
  'street',
  'contact',
  'contactPhone',
] as const

export const getBankAccount = bankAccount.get('One wording of account information, with what it changes', {
  /** Masked. */
  documentNumber: z.string(),
  endedAt: zInstant.nullable(),
  /** Who wrote it: none of them may review it. */
  authors: z.array(z.string()),
  isOwn: z.boolean(),
  /** Against what was, or is, in force before it; numbers masked. */
  changes: z.array(
    z.object({ field: z.enum(comparedFields), before: z.string().nullable(), after: z.string().nullable() }),
  ),
})

const changed = z.object({ id: z.int(), state: z.enum(bankAccountState.states) })

export const draftBankAccount = endpoint({
  name: 'merchant.draftBankAccount',
  method: 'POST',
  path: '/api/bank-accounts',
  access: 'bankAccount.write',
  writes: true,
  input: z.strictObject({
    merchantId: zId,
    ...wording,
    accountNumber: zAccountNumber,
    documentNumber: zDocumentNumber,
  }),
  output: changed,
  refusals: ['request.notFound', 'bankAccount.open', 'bankAccount.checkDigit'],
  summary: 'Write down new account information of a merchant; nothing is in force until it is approved',
})

export const editBankAccount = endpoint({
  name: 'merchant.editBankAccount',
  method: 'POST',
  path: '/api/bank-accounts/{id}/edit',
  access: 'bankAccount.write',
  writes: true,
  input: z.strictObject({
    id: zId,
    version: z.int(),
    ...wording,
    /** Left out: as it is. */
    accountNumber: zAccountNumber.optional(),
    documentNumber: zDocumentNumber.optional(),
  }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'bankAccount.state', 'bankAccount.checkDigit'],
  summary: 'Change a draft',
})

const verb = (name: string, path: string, access: 'bankAccount.write' | 'bankAccount.review', summary: string) =>
  endpoint({
    name: `merchant.${name}`,
    method: 'POST',
    path: `/api/bank-accounts/{id}/${path}`,
    access,
    writes: true,
    input: z.strictObject({ id: zId, version: z.int() }),
    output: changed,
    refusals: ['request.notFound', 'edit.stale', 'bankAccount.state', 'bankAccount.ownRequest'],
    summary,
  })

export const submitBankAccount = verb('submitBankAccount', 'submit', 'bankAccount.write', 'Ask for review of a draft')
export const withdrawBankAccount = verb(
  'withdrawBankAccount',
  'withdraw',
  'bankAccount.write',
  'Take back what was not reviewed yet',
)
export const approveBankAccount = verb(
  'approveBankAccount',
  'approve',
  'bankAccount.review',
  'Put account information in force; never by who wrote or asked for it',
)
export const rejectBankAccount = endpoint({
  ...verb('rejectBankAccount', 'reject', 'bankAccount.review', 'Refuse account information, and say why'),
  input: z.strictObject({ id: zId, version: z.int(), reason: z.string().trim().min(2).max(200) }),
})

export const revealBankAccount = endpoint({
  name: 'merchant.revealBankAccount',
  method: 'POST',
  path: '/api/bank-accounts/{id}/reveal',
  access: 'bankAccount.reveal',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ accountNumber: z.string(), documentNumber: z.string() }),
  refusals: ['request.notFound'],
  summary: 'Show the whole numbers, once; who looked is kept',
})
