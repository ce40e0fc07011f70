import { z } from 'zod'
import { endpoint, listEndpoint, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

/** Counted cash that was taken to a bank, under the number of its slip. */
export const cashDepositState = stateTable({
  initial: 'entered',
  states: ['entered', 'reversed'],
  moves: { reverse: { from: ['entered'], to: 'reversed' } },
})

export const cashDepositRefusals = defineRefusals('field', {
  'cashDeposit.nothing': 422,
  /** The bank took another sum than was counted: somebody who may decide about differences has to say why. */
  'cashDeposit.amount': 422,
  'cashDeposit.ownDifference': 403,
  'cashDeposit.future': 422,
  'cashDeposit.slipUsed': 409,
  'cashDeposit.state': 409,
  'cashDeposit.ownReversal': 403,
})

const deposit = z.object({
  id: z.int(),
  slipNo: z.string(),
  state: z.enum(cashDepositState.states),
  merchantName: z.string(),
  depositedOn: zDay,
  countedFen: zFenPositive,
  amountFen: zFenPositive,
  /** What the bank took less what was counted. */
  differenceFen: zFen,
  boxes: z.int(),
  note: z.string(),
  depositor: z.string(),
  enteredAt: zInstant,
  reverser: z.string().nullable(),
  reversedAt: zInstant.nullable(),
  reason: z.string().nullable(),
})
export type CashDeposit = z.output<typeof deposit>

export const listCashDeposits = listEndpoint({
  name: 'field.listCashDeposits',
  path: '/api/cash-deposits',
  access: 'cashCollection.read',
  summary: 'What was taken to banks of counted cash, newest first',
  filters: {
    q: zSearch.optional(),
    state: z.enum(cashDepositState.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: deposit,
  sums: { countedFen: zFen, amountFen: zFen },
})

export const cashDepositFields = {
  slipNo: { kind: 'code' },
  state: stateField('cashDepositState', cashDepositState, { entered: 'good', reversed: 'idle' }),
  merchantName: { kind: 'text' },
  depositedOn: { kind: 'day' },
  countedFen: { kind: 'money' },
  amountFen: { kind: 'money' },
  differenceFen: { kind: 'money' },
  boxes: { kind: 'count' },
  note: { kind: 'text' },
  depositor: { kind: 'text' },
  enteredAt: { kind: 'dateTime' },
  reverser: { kind: 'text' },
  reversedAt: { kind: 'dateTime' },
  reason: { kind: 'text' },
} satisfies Fields

export const getCashDeposit = endpoint({
  name: 'field.getCashDeposit',
  method: 'GET',
  path: '/api/cash-deposits/{id}',
  access: 'cashCollection.read',
  input: z.strictObject({ id: zId }),
  output: deposit.extend({ mayReverse: z.boolean() }),
  refusals: ['request.notFound'],
  summary: 'One deposit of cash',
})

const which = { merchantId: zId, through: zDay }

export const previewCashDeposit = endpoint({
  name: 'field.previewCashDeposit',
  method: 'GET',
  path: '/api/cash-deposits/preview',
  access: 'cashCollection.count',
  input: z.strictObject(which),
  output: z.object({ boxes: z.int(), countedFen: zFen }),
  refusals: ['request.notFound'],
  summary: 'What was counted by the end of a day and has not been taken to a bank',
})

export const depositCash = endpoint({
  name: 'field.depositCash',
  method: 'POST',
  path: '/api/cash-deposits',
  access: 'cashCollection.count',
  writes: true,
  input: z.strictObject({
    ...which,
    slipNo: zNeeded(40),
    depositedOn: zDay,
    amountFen: z.int().min(1).max(1_000_000_000),
    note: zLine(200).default(''),
  }),
  output: z.object({ id: z.int(), state: z.enum(cashDepositState.states) }),
  refusals: [
    'request.notFound',
    'cashDeposit.nothing',
    'cashDeposit.amount',
    'cashDeposit.ownDifference',
    'cashDeposit.future',
    'cashDeposit.slipUsed',
  ],
  summary: 'All boxes of a merchant that were counted by the end of a day went to the bank',
})

export const reverseCashDeposit = endpoint({
  name: 'field.reverseCashDeposit',
  method: 'POST',
  path: '/api/cash-deposits/{id}/reverse',
  access: 'cashCollection.decide',
  writes: true,
  input: z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) }),
  output: z.object({ id: z.int(), state: z.enum(cashDepositState.states) }),
  refusals: ['request.notFound', 'cashDeposit.state', 'cashDeposit.ownReversal'],
  summary: 'It did not go to the bank after all: another person frees its boxes',
})
