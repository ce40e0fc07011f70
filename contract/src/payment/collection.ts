import { z } from 'zod'
import { endpoint, listEndpoint, zId, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { fundsModes, paymentProducts, providers } from './states'

/** Whose account collects by a provider at a machine; `reader`: none, the machine's own card reader has to. */
export const collectedBy = ['machine', 'merchant', 'above', 'reader'] as const
export type CollectedBy = (typeof collectedBy)[number]

/** What became of each account that could collect at a machine. */
export const collectionVerdicts = ['collects', 'nearer', 'direct', 'ownMoney', 'heldMoney', 'off'] as const
export type CollectionVerdict = (typeof collectionVerdicts)[number]

const collection = z.object({
  /** The machine's. */
  id: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  collectsPayment: z.boolean(),
  wechat: z.enum(collectedBy),
  alipay: z.enum(collectedBy),
  unionpay: z.enum(collectedBy),
})
export type Collection = z.output<typeof collection>

export const listCollections = listEndpoint({
  name: 'payment.listCollections',
  path: '/api/collections',
  access: 'paymentAccount.read',
  summary: 'Machines in sight and whose account collects at each, by provider',
  filters: {
    machine: zSearch.optional(),
    merchantId: zId.optional(),
    wechat: z.enum(collectedBy).optional(),
    alipay: z.enum(collectedBy).optional(),
    unionpay: z.enum(collectedBy).optional(),
  },
  sorts: ['machine'],
  item: collection,
})

const tones = { machine: 'good', merchant: 'good', above: 'good', reader: 'idle' } as const

export const collectionFields = {
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  merchantName: { kind: 'text' },
  collectsPayment: { kind: 'boolean' },
  wechat: stateField('collectedBy', collectedBy, tones),
  alipay: stateField('collectedBy', collectedBy, tones),
  unionpay: stateField('collectedBy', collectedBy, tones),
} satisfies Fields

const considered = z.object({
  accountId: z.int(),
  merchantName: z.string(),
  by: z.enum(collectedBy),
  fundsMode: z.enum(fundsModes),
  verdict: z.enum(collectionVerdicts),
})

export const getCollection = endpoint({
  name: 'payment.getCollection',
  method: 'GET',
  path: '/api/collections/{id}',
  access: 'paymentAccount.read',
  input: z.strictObject({ id: zId }),
  output: collection.extend({
    providers: z.array(
      z.object({
        provider: z.enum(providers),
        products: z.array(
          z.object({
            product: z.enum(paymentProducts),
            isOn: z.boolean(),
            by: z.enum(collectedBy),
            /** Nearest first; what is below the one that collects stays unasked. */
            considered: z.array(considered),
          }),
        ),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One machine: which account collects, by provider and way of paying, and why not the others',
})
