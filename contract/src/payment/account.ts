import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateNames } from '../kernel/states'
import { environments, keyStates } from './provider'
import { fundsModes, paymentProducts, providers } from './states'

/** As people see it: one that waits for its hour is not being prepared any more. */
export const accountStates = ['preparing', 'scheduled', 'activated', 'stopped'] as const
export type AccountState = (typeof accountStates)[number]
export const accountState = stateNames(accountStates, { used: ['activated', 'stopped'] })

/** Spec §9: an activation that is asked for takes effect within 24 hours. */
export const PUBLISH_WITHIN_MS = 24 * 3_600_000

/** What stands between an account and its activation, in the order in which a person would mend it. */
export const accountHindrances = [
  'appId',
  'providerNo',
  'gateway',
  'callback',
  'keysMissing',
  'keysExpired',
  'subMerchantNo',
  'paymentTitle',
  'receiving',
  'modeSandbox',
  'modeProduction',
  'modeDirect',
  'modeHeld',
] as const
export type AccountHindrance = (typeof accountHindrances)[number]

export const paymentAccountRefusals = defineRefusals('payment', {
  'paymentAccount.locked': 409,
  'paymentAccount.state': 409,
  'paymentAccount.incomplete': 422,
  'paymentAccount.notYours': 403,
  'paymentAccount.platformOnly': 403,
  'paymentAccount.publishTime': 422,
  'paymentAccount.provider': 422,
  'paymentAccount.noMachine': 422,
})

const account = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  provider: z.enum(providers),
  /** Null: all machines of the merchant, and those below that nothing nearer collects for. */
  machineCode: z.string().nullable(),
  products: z.array(z.enum(paymentProducts)),
  subMerchantNo: z.string(),
  paymentTitle: z.string(),
  fundsMode: z.enum(fundsModes),
  state: z.enum(accountStates),
  publishAt: zInstant.nullable(),
  activatedAt: zInstant.nullable(),
  stoppedAt: zInstant.nullable(),
  todayPaid: z.int(),
  todayFen: zFenPositive,
})
export type PaymentAccount = z.output<typeof account>

export const listPaymentAccounts = listEndpoint({
  name: 'payment.listPaymentAccounts',
  path: '/api/payment-accounts',
  access: 'paymentAccount.read',
  summary: 'Accounts that collect for merchants in sight, newest first, with what each took today',
  filters: {
    paymentAccount: zSearch.optional(),
    provider: zAnyOf(providers).optional(),
    state: zAnyOf(accountStates).optional(),
    fundsMode: zAnyOf(fundsModes).optional(),
    machineCode: zSearch.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest', 'merchant'],
  item: account,
})

export const paymentAccountFields = {
  merchantName: { kind: 'text' },
  provider: { kind: 'state', words: 'provider', tones: {} },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  products: { kind: 'states', words: 'product', tones: {} },
  subMerchantNo: { kind: 'code' },
  paymentTitle: { kind: 'text' },
  fundsMode: stateField('fundsMode', fundsModes, {
    direct: 'good',
    profit_share: 'good',
    custody: 'good',
    demo: 'idle',
  }),
  state: stateField('accountState', accountStates, {
    preparing: 'idle',
    scheduled: 'busy',
    activated: 'good',
    stopped: 'idle',
  }),
  publishAt: { kind: 'dateTime' },
  activatedAt: { kind: 'dateTime' },
  stoppedAt: { kind: 'dateTime' },
  todayPaid: { kind: 'count' },
  todayFen: { kind: 'money' },
  bank: { kind: 'text' },
  accountName: { kind: 'text' },
  receivingNumber: { kind: 'secret' },
} satisfies Fields

const changed = z.object({ id: z.int() })

export const getPaymentAccount = endpoint({
  name: 'payment.getPaymentAccount',
  method: 'GET',
  path: '/api/payment-accounts/{id}',
  access: 'paymentAccount.read',
  input: z.strictObject({ id: zId }),
  output: account.extend({
    version: z.int(),
    providerAccountName: z.string(),
    /** Of the keys that it collects with, worst first; the first of them to end. */
    keyState: z.enum(keyStates),
    keysValidUntil: zInstant.nullable(),
    environment: z.enum(environments),
    bank: z.string(),
    accountName: z.string(),
    /** The last characters of the receiving account; '' without one. */
    receivingTail: z.string(),
    hindrances: z.array(z.enum(accountHindrances)),
    /** The numbers at the provider are the caller's to collect under. */
    mayPublish: z.boolean(),
    /** And to activate: where the platform answers for others' money, nobody else does. */
    mayActivate: z.boolean(),
    /** Machines that it collects for as things are. */
    machines: z.int(),
    /** The one in force that its activation would stop. */
    replaces: z.int().nullable(),
    copiedFrom: z.int().nullable(),
    replacedBy: z.int().nullable(),
    activatedBy: z.string().nullable(),
    stopReason: z.string(),
    publishFault: z.enum(accountHindrances).nullable(),
    createdAt: zInstant,
  }),
  refusals: ['request.notFound'],
  summary: 'One account that collects, with what is missing before it can',
})

const editable = {
  products: z.array(z.enum(paymentProducts)).min(1).max(2),
  subMerchantNo: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_-]{0,64}$/)
    .default(''),
  paymentTitle: z.string().trim().max(40).default(''),
  fundsMode: z.enum(fundsModes),
  bank: z.string().trim().max(60).default(''),
  accountName: z.string().trim().max(80).default(''),
  /** Left out: as it is. */
  receivingNumber: z
    .string()
    .trim()
    .regex(/^[0-9A-Za-z]{6,34}$/)
    .optional(),
}

export const addPaymentAccount = endpoint({
  name: 'payment.addPaymentAccount',
  method: 'POST',
  path: '/api/payment-accounts',
  access: 'paymentAccount.write',
  writes: true,
  input: z.strictObject({
    merchantId: zId,
    machineCode: zSearch.nullable().default(null),
    providerAccountId: zId,
    ...editable,
  }),
  output: changed,
  refusals: ['request.notFound', 'paymentAccount.provider', 'paymentAccount.noMachine'],
  summary: 'Prepare an account that collects for a merchant or one of its machines',
})

export const editPaymentAccount = endpoint({
  name: 'payment.editPaymentAccount',
  method: 'POST',
  path: '/api/payment-accounts/{id}/edit',
  access: 'paymentAccount.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ...editable }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'paymentAccount.locked'],
  summary: 'Change an account while it is being prepared',
})

const verb = (name: string, path: string, access: 'paymentAccount.write' | 'paymentAccount.publish', summary: string) =>
  endpoint({
    name: `payment.${name}`,
    method: 'POST',
    path: `/api/payment-accounts/{id}/${path}`,
    access,
    writes: true,
    input: z.strictObject({ id: zId, version: z.int() }),
    output: changed,
    refusals: ['request.notFound', 'edit.stale', 'paymentAccount.state', 'paymentAccount.notYours'],
    summary,
  })

export const copyPaymentAccount = verb(
  'copyPaymentAccount',
  'copy',
  'paymentAccount.write',
  'Prepare a new account that says what an activated or stopped one said',
)
export const removePaymentAccount = verb(
  'removePaymentAccount',
  'remove',
  'paymentAccount.write',
  'Delete an account that was only prepared',
)
export const unpublishPaymentAccount = verb(
  'unpublishPaymentAccount',
  'unpublish',
  'paymentAccount.publish',
  'Take back an activation that waits for its hour',
)
export const publishPaymentAccount = endpoint({
  ...verb(
    'publishPaymentAccount',
    'publish',
    'paymentAccount.publish',
    'Activate an account, at once or within 24 hours; the one in force for the same machines is stopped by it',
  ),
  input: z.strictObject({ id: zId, version: z.int(), publishAt: zInstant.nullable().default(null) }),
  refusals: [
    'request.notFound',
    'edit.stale',
    'paymentAccount.state',
    'paymentAccount.notYours',
    'paymentAccount.platformOnly',
    'paymentAccount.incomplete',
    'paymentAccount.publishTime',
  ],
})
export const stopPaymentAccount = endpoint({
  ...verb('stopPaymentAccount', 'stop', 'paymentAccount.publish', 'Stop an account for good, and say why'),
  input: z.strictObject({ id: zId, version: z.int(), reason: z.string().trim().min(2).max(200) }),
})

export const listProviderChoices = endpoint({
  name: 'payment.listProviderChoices',
  method: 'GET',
  path: '/api/provider-choices',
  access: 'paymentAccount.write',
  input: z.strictObject({ merchantId: zId }),
  output: z.object({
    items: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        provider: z.enum(providers),
        environment: z.enum(environments),
        merchantName: z.string(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'Accounts at providers that a merchant may collect under: its own and those of merchants above it',
})
