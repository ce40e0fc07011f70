import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateNames, stateTable } from '../kernel/states'
import { languages } from '../kernel/text'
import { refundState } from '../refund/states'
import { applyRefund } from '../refund/verbs'
import { itemState, paymentMethods } from '../trade/states'

/** What went wrong at the machine, in the order in which the page offers it. */
export const customerKinds = ['nothing', 'stuck', 'wrong', 'twice', 'other'] as const
export type CustomerKind = (typeof customerKinds)[number]

/** The page says all of it to the customer. `reopened` is by their word, or by support's second thought. */
export const customerState = stateTable({
  initial: 'received',
  states: ['received', 'processing', 'refunded', 'answered', 'closed', 'reopened'],
  moves: {
    take: { from: ['received', 'processing', 'reopened'], to: 'processing' },
    payBack: { from: ['received', 'processing', 'reopened', 'answered'], to: 'refunded' },
    answer: { from: ['received', 'processing', 'reopened', 'answered'], to: 'answered' },
    close: { from: ['received', 'processing', 'reopened', 'answered', 'refunded'], to: 'closed' },
    reopen: { from: ['refunded', 'answered', 'closed'], to: 'reopened' },
  },
  sets: { waiting: ['received', 'processing', 'reopened'], over: ['refunded', 'answered', 'closed'] },
})
export type CustomerState = (typeof customerState.states)[number]

/** As it is shown: what waits beyond its promise is overdue. */
export const customerShown = stateNames([...customerState.states, 'overdue'], {
  waiting: ['received', 'processing', 'reopened', 'overdue'],
})

/** What speaks for an order being the one: shown to support beside it. */
export const customerEvidence = ['undelivered', 'amount', 'time', 'goods', 'twin', 'alone', 'person'] as const
export type CustomerEvidence = (typeof customerEvidence)[number]

/** Why no money went back by itself; null where it did, or where nobody has looked yet. */
export const customerHeld = [
  'nothingFound',
  'untold',
  'notReported',
  'otherAmount',
  'several',
  'aboveLimit',
  'off',
  'phoneOften',
  'machineOften',
  'noChannel',
] as const
export type CustomerHeld = (typeof customerHeld)[number]

export const customerRefusals = defineRefusals('support', {
  'customer.state': 409,
  'customer.noOrder': 409,
  'customer.claimed': 409,
  'customer.elsewhere': 422,
  'customer.pending': 409,
  // Of the public page.
  'customer.tooMany': 429,
  'customer.tooManyWords': 429,
})

/** Of a picture that a phone took. */
export const MOST_CUSTOMER_PICTURE_BYTES = 8 * 1024 * 1024
/** What the number and the picture are kept for. */
export const CUSTOMER_FORGOTTEN_AFTER_DAYS = 180

const row = z.object({
  id: z.int(),
  kind: z.enum(customerKinds),
  state: z.enum(customerShown.states),
  amountFen: zFen,
  happenedAt: zInstant,
  goods: z.string(),
  body: z.string(),
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  pointName: z.string(),
  merchantName: z.string(),
  /** With all but its last digits hidden. */
  phone: z.string(),
  hasPicture: z.boolean(),
  orderNo: z.string().nullable(),
  sureness: z.int().nullable(),
  assigneeName: z.string().nullable(),
  dueAt: zInstant.nullable(),
  createdAt: zInstant,
  closedAt: zInstant.nullable(),
})
export type CustomerCase = z.output<typeof row>

export const customerFields = {
  id: { kind: 'count' },
  kind: { kind: 'state', words: 'customerKind', tones: {} },
  state: stateField('customerState', customerShown, {
    received: 'warn',
    processing: 'busy',
    refunded: 'good',
    answered: 'good',
    closed: 'idle',
    reopened: 'warn',
    overdue: 'bad',
  }),
  amountFen: { kind: 'money' },
  happenedAt: { kind: 'dateTime' },
  goods: { kind: 'text' },
  body: { kind: 'text' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  pointName: { kind: 'text' },
  merchantName: { kind: 'text' },
  phone: { kind: 'text' },
  hasPicture: { kind: 'boolean' },
  orderNo: { kind: 'text', to: 'jygl/ddgl', search: 'orderNo' },
  sureness: { kind: 'percent' },
  assigneeName: { kind: 'text' },
  dueAt: { kind: 'dateTime' },
  createdAt: { kind: 'dateTime' },
  closedAt: { kind: 'dateTime' },
} satisfies Fields

export const listCustomerCases = listEndpoint({
  name: 'support.listCustomerCases',
  path: '/api/customer-cases',
  access: 'feedback.read',
  summary: 'What customers at machines in sight say went wrong: by its promise, what is over last',
  filters: {
    /** In their words and goods, and the last digits of their number. */
    q: zSearch.optional(),
    /** `toAnswer`: all that waits for somebody. */
    state: zAnyOf([...customerShown.states, 'toAnswer']).optional(),
    kind: zAnyOf(customerKinds).optional(),
    assignee: z.enum(['me', 'nobody']).optional(),
    machineId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['due', 'newest'],
  item: row,
})

export const summariseCustomerCases = endpoint({
  name: 'support.summariseCustomerCases',
  method: 'GET',
  path: '/api/customer-cases/summary',
  access: 'feedback.read',
  input: z.strictObject({}),
  output: z.object({ toAnswer: z.int(), overdue: z.int(), mine: z.int(), reopened: z.int() }),
  summary: 'How many cases of customers wait, are overdue, are the caller’s, and were opened again',
})

/** An order that may be the one, as it stands now. */
const candidate = z.object({
  orderId: z.int(),
  orderNo: z.string(),
  paidAt: zInstant,
  method: z.enum(paymentMethods),
  paidFen: zFen,
  /** What is left to pay back. */
  leftFen: zFen,
  goods: z.array(z.object({ name: z.string(), slot: z.string(), state: z.enum(itemState.states) })),
  sureness: z.int().nullable(),
  evidence: z.array(z.enum(customerEvidence)),
  /** The case that has it already. */
  claimedBy: z.int().nullable(),
})
export type CustomerCandidate = z.output<typeof candidate>

const other = z.object({
  id: z.int(),
  kind: z.enum(customerKinds),
  state: z.enum(customerShown.states),
  amountFen: zFen,
  machineName: z.string(),
  createdAt: zInstant,
})

export const getCustomerCase = endpoint({
  name: 'support.getCustomerCase',
  method: 'GET',
  path: '/api/customer-cases/{id}',
  access: 'feedback.read',
  input: z.strictObject({ id: zId }),
  output: row.extend({
    work: z.enum(customerState.states),
    language: z.enum(languages),
    assigneeId: z.int().nullable(),
    picture: z.string().nullable(),
    /** Number and picture were forgotten. */
    forgottenAt: zInstant.nullable(),
    held: z.enum(customerHeld).nullable(),
    words: z.array(z.object({ id: z.int(), who: z.string().nullable(), body: z.string(), at: zInstant })),
    order: candidate.nullable(),
    refunds: z.array(
      z.object({
        refundNo: z.string(),
        amountFen: zFen,
        state: z.enum(refundState.states),
        at: zInstant,
      }),
    ),
    candidates: z.array(candidate),
    /** Other cases of the same number in sight, and of the machine in 30 days. */
    ofPhone: z.array(other),
    ofMachine: z.array(other),
    /** What is wrong with the machine now. */
    alarms: z.array(z.object({ id: z.int(), cause: z.string(), openedAt: zInstant })),
  }),
  refusals: ['request.notFound'],
  summary: 'One case with the likely order, what speaks for it, and what the number and the machine said before',
})

const changed = z.object({ id: z.int(), state: z.enum(customerState.states) })
const write = { method: 'POST', access: 'feedback.write', writes: true, output: changed } as const
const refusals = ['request.notFound', 'customer.state'] as const
const zWords = z.string().trim().min(2).max(1000)

export const takeCustomerCase = endpoint({
  ...write,
  name: 'support.takeCustomerCase',
  path: '/api/customer-cases/{id}/take',
  input: z.strictObject({ id: zId }),
  refusals,
  summary: 'Take it on oneself',
})
export const chooseCustomerOrder = endpoint({
  ...write,
  name: 'support.chooseCustomerOrder',
  path: '/api/customer-cases/{id}/choose-order',
  input: z.strictObject({ id: zId, orderNo: z.string().trim().min(1).max(80) }),
  refusals: [...refusals, 'customer.claimed', 'customer.elsewhere'],
  summary: 'Say which order of the machine it is about',
})
export const refundCustomerCase = endpoint({
  ...write,
  access: 'refund.apply',
  name: 'support.refundCustomerCase',
  path: '/api/customer-cases/{id}/refund',
  input: z.strictObject({ id: zId, amountFen: z.int().min(1).max(100_000_000) }),
  refusals: [
    'customer.state',
    'customer.noOrder',
    'customer.pending',
    ...applyRefund.refusals,
    'refund.state',
    'refund.ownRequest',
  ],
  summary: 'Pay its order back to where it was paid from, within the limits of refunds',
})
export const answerCustomerCase = endpoint({
  ...write,
  name: 'support.answerCustomerCase',
  path: '/api/customer-cases/{id}/answer',
  input: z.strictObject({ id: zId, body: zWords }),
  refusals,
  summary: 'Answer the customer, who reads it on the page of the case',
})
export const closeCustomerCase = endpoint({
  ...write,
  name: 'support.closeCustomerCase',
  path: '/api/customer-cases/{id}/close',
  input: z.strictObject({ id: zId }),
  refusals,
  summary: 'Nothing is left to do',
})
export const reopenCustomerCase = endpoint({
  ...write,
  name: 'support.reopenCustomerCase',
  path: '/api/customer-cases/{id}/reopen',
  input: z.strictObject({ id: zId }),
  refusals,
  summary: 'It was not over after all; the promise runs anew',
})

export const getCustomerAddress = endpoint({
  name: 'support.getCustomerAddress',
  method: 'GET',
  path: '/api/machines/{id}/customer-address',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  /** `address` is whole where the platform has said under which the world reaches it. */
  output: z.object({ path: z.string(), address: z.string().nullable() }),
  refusals: ['request.notFound'],
  summary: 'The address that customers open at a machine to say what went wrong',
})
