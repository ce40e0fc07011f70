import { z } from 'zod'
import { endpoint, zId, zNeeded } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { payingModes } from './states'

export const payoutAccountRefusals = defineRefusals('funds', {
  'payoutAccount.noSecret': 422,
})

const account = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  fundsMode: z.enum(payingModes),
  holder: z.string(),
  bank: z.string(),
  customerNo: z.string(),
  address: z.string(),
  isOn: z.boolean(),
})

export const payoutAccountFields = {
  fundsMode: { kind: 'state', words: 'fundsMode', tones: {} },
  isOn: { kind: 'boolean' },
} satisfies Fields

export const listPayoutAccounts = endpoint({
  name: 'funds.listPayoutAccounts',
  method: 'GET',
  path: '/api/payout-accounts',
  access: 'withdrawal.review',
  input: z.strictObject({}),
  output: z.object({ items: z.array(account) }),
  summary: 'Which account holds the money of whom, and how its bank is spoken with; secrets are never shown',
})

export const putPayoutAccount = endpoint({
  name: 'funds.putPayoutAccount',
  method: 'POST',
  path: '/api/payout-accounts',
  access: 'withdrawal.connect',
  writes: true,
  input: z.strictObject({
    merchantId: zId,
    fundsMode: z.enum(payingModes),
    holder: zNeeded(80),
    bank: zNeeded(60),
    customerNo: zNeeded(40),
    address: z.url({ protocol: /^https?$/ }).max(300),
    /** Left empty: as it is. */
    secret: z.string().trim().max(200).default(''),
    isOn: z.boolean().default(true),
  }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'payoutAccount.noSecret', 'request.notPermitted'],
  summary: 'Name the account that a merchant, and all below it without one of their own, are paid from',
})
