import { z } from 'zod'
import { batchField, codedNameField } from '../catalog/product'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { isPublicAddress } from '../merchant/callbackAddress'

/** What the platform has to be told; it answers at once or later, and what it refuses needs a person. */
export const traceUploadState = stateTable({
  initial: 'queued',
  states: ['queued', 'sent', 'accepted', 'refused'],
  moves: {
    send: { from: ['queued', 'sent'], to: 'sent' },
    accept: { from: ['queued', 'sent'], to: 'accepted' },
    refuse: { from: ['queued', 'sent'], to: 'refused' },
    resend: { from: ['refused'], to: 'queued' },
  },
  sets: { due: ['queued', 'sent'] },
})

export const traceUploadKinds = ['receipt', 'sale', 'return', 'destruction'] as const

export const traceUploadRefusals = defineRefusals('medicine', {
  'traceUpload.state': 409,
  'traceUpload.noSecret': 422,
})

const upload = z.object({
  id: z.int(),
  trace: z.string(),
  kind: z.enum(traceUploadKinds),
  state: z.enum(traceUploadState.states),
  merchantName: z.string(),
  productCode: z.string().nullable(),
  productName: z.string().nullable(),
  batch: z.string().nullable(),
  /** When it happened. */
  at: zInstant,
  sentAt: zInstant.nullable(),
  answeredAt: zInstant.nullable(),
  /** In the platform's words. */
  reason: z.string(),
  /** Why the platform was not reached at the last try. */
  problem: z.string(),
  tries: z.int(),
  /** Null where nothing is waited for, or where the merchant has no account at the platform. */
  nextTryAt: zInstant.nullable(),
})
export type TraceUpload = z.output<typeof upload>

export const listTraceUploads = listEndpoint({
  name: 'medicine.listTraceUploads',
  path: '/api/trace-uploads',
  access: 'batch.read',
  summary: 'What the regulator’s platform was told of packs and what it answered, newest first',
  filters: {
    trace: zSearch.optional(),
    state: zAnyOf(traceUploadState.states).optional(),
    kind: zAnyOf(traceUploadKinds).optional(),
    productCode: zSearch.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: upload,
})

export const traceUploadFields = {
  trace: { kind: 'code' },
  kind: { kind: 'state', words: 'traceUploadKind', tones: {} },
  state: stateField('traceUploadState', traceUploadState, {
    queued: 'idle',
    sent: 'busy',
    accepted: 'good',
    refused: 'bad',
  }),
  merchantName: { kind: 'text' },
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  productName: codedNameField,
  batch: batchField,
  at: { kind: 'dateTime' },
  sentAt: { kind: 'dateTime' },
  answeredAt: { kind: 'dateTime' },
  reason: { kind: 'text' },
  problem: { kind: 'text' },
  tries: { kind: 'count' },
  nextTryAt: { kind: 'dateTime' },
} satisfies Fields

export const summariseTraceUploads = endpoint({
  name: 'medicine.summariseTraceUploads',
  method: 'GET',
  path: '/api/trace-uploads/summary',
  access: 'batch.read',
  input: z.strictObject({}),
  output: z.object({
    ...(Object.fromEntries(traceUploadState.states.map((state) => [state, z.int()])) as Record<
      (typeof traceUploadState.states)[number],
      z.ZodInt
    >),
    /** Queued of merchants that have no account: nobody sends them. */
    unsendable: z.int(),
  }),
  summary: 'How much is queued, sent, accepted and refused, and what nobody sends',
})

export const resendTraceUpload = endpoint({
  name: 'medicine.resendTraceUpload',
  method: 'POST',
  path: '/api/trace-uploads/{id}/resend',
  access: 'batch.write',
  writes: true,
  /** A batch that was wrong is said anew; empty leaves it as it is. */
  input: z.strictObject({ id: zId, batch: zLine(120).default('') }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'traceUpload.state'],
  summary: 'Send again what the platform refused, corrected where it was wrong',
})

const account = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  enterpriseNo: z.string(),
  address: z.string(),
  isOn: z.boolean(),
})
export type TraceAccount = z.output<typeof account>

export const listTraceAccounts = endpoint({
  name: 'medicine.listTraceAccounts',
  method: 'GET',
  path: '/api/trace-accounts',
  access: 'batch.read',
  input: z.strictObject({}),
  output: z.object({ items: z.array(account) }),
  summary: 'Which merchants have an account at the regulator’s platform; secrets are never shown',
})

export const putTraceAccount = endpoint({
  name: 'medicine.putTraceAccount',
  method: 'POST',
  path: '/api/trace-accounts',
  access: 'batch.write',
  writes: true,
  input: z.strictObject({
    merchantId: zId,
    enterpriseNo: zNeeded(60),
    address: z
      .url({ protocol: /^https?$/ })
      .max(300)
      .refine(isPublicAddress),
    /** Left empty it stays what it is. */
    secret: zLine(200).default(''),
    isOn: z.boolean().default(true),
  }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'traceUpload.noSecret'],
  summary: 'Enter or change the account with which a merchant, and those below it, speak to the platform',
})
