import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { itemState, paymentMethods, paymentState, problems, shipState, wrongSales } from '../trade/states'
import { refundState } from './states'

/** Open from when something is wrong with an order until it is settled. Above a limit two people close one. */
export const problemState = stateTable({
  initial: 'open',
  states: ['open', 'asked', 'closed'],
  moves: {
    ask: { from: ['open'], to: 'asked' },
    drop: { from: ['asked'], to: 'open' },
    close: { from: ['open', 'asked'], to: 'closed' },
  },
  sets: { unsettled: ['open', 'asked'] },
})

/** How a case ended: the money went back, the goods were handed out, a person said so, or later reports settled it. */
export const problemOutcomes = ['refunded', 'redelivered', 'confirmed', 'settled'] as const

export const problemRefusals = defineRefusals('refund', {
  'problem.state': 409,
  'problem.ownRequest': 403,
  'problem.refundUnderWay': 409,
})

const problemCase = z.object({
  id: z.int(),
  orderId: z.int(),
  orderNo: z.string(),
  kind: z.enum(problems),
  state: z.enum(problemState.states),
  outcome: z.enum(problemOutcomes).nullable(),
  openedAt: zInstant,
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  merchantName: z.string(),
  productNames: z.string(),
  method: z.enum(paymentMethods),
  paidFen: zFenPositive,
  refundedFen: zFenPositive,
  heldFen: zFenPositive,
  isLottery: z.boolean(),
  reason: z.string(),
  askedBy: z.string().nullable(),
  closedBy: z.string().nullable(),
  closedAt: zInstant.nullable(),
})
export type ProblemCase = z.output<typeof problemCase>

export const listProblems = listEndpoint({
  name: 'refund.listProblems',
  path: '/api/problems',
  access: 'order.read',
  summary: 'Orders with a problem: open ones oldest first; closed ones keep who and why',
  filters: {
    orderNo: zSearch.optional(),
    machineCode: zSearch.optional(),
    kind: zAnyOf(problems).optional(),
    /** `unsettled` is what is not closed: the list as it opens. */
    state: z.enum(['unsettled', ...problemState.states]).default('unsettled'),
    merchantId: zId.optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['oldest', 'newest'],
  item: problemCase,
  sums: { paidFen: zFen, heldFen: zFen, refundedFen: zFen },
})

export const problemFields = {
  orderNo: { kind: 'code' },
  kind: stateField('problem', problems, {
    undelivered: 'bad',
    no_answer: 'bad',
    late_result: 'warn',
    amount_mismatch: 'warn',
    paid_late: 'bad',
    dispensed_after_refund: 'bad',
    unlawful_sale: 'bad',
    goods_differ: 'warn',
    sold_twice: 'bad',
  }),
  state: stateField('problemState', problemState, { open: 'warn', asked: 'busy', closed: 'idle' }),
  outcome: stateField('problemOutcome', problemOutcomes, {
    refunded: 'good',
    redelivered: 'good',
    confirmed: 'idle',
    settled: 'good',
  }),
  openedAt: { kind: 'dateTime' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  merchantName: { kind: 'text' },
  productNames: { kind: 'text' },
  method: { kind: 'state', words: 'method', tones: {} },
  paidFen: { kind: 'money' },
  refundedFen: { kind: 'money' },
  heldFen: { kind: 'money' },
  reason: { kind: 'text' },
  askedBy: { kind: 'text' },
  closedBy: { kind: 'text' },
  closedAt: { kind: 'dateTime' },
} satisfies Fields

export const summariseProblems = endpoint({
  name: 'refund.summariseProblems',
  method: 'GET',
  path: '/api/problems/summary',
  access: 'order.read',
  input: z.strictObject({}),
  output: z.object(
    Object.fromEntries(problems.map((kind) => [kind, z.int()])) as Record<(typeof problems)[number], z.ZodInt>,
  ),
  summary: 'How many problems of each kind are not closed',
})

const zReason = z.string().trim().min(2).max(200)

export const getProblem = endpoint({
  name: 'refund.getProblem',
  method: 'GET',
  path: '/api/problems/{id}',
  access: 'order.read',
  input: z.strictObject({ id: zId }),
  output: problemCase.extend({
    version: z.int(),
    askedAt: zInstant.nullable(),
    isAskedByMe: z.boolean(),
    /** At stake: above the limit a second person agrees to close it without money or goods. */
    stakeFen: zFenPositive,
    limitFen: zFenPositive,
    /** What is still due in money, and what may be paid back at most. */
    dueBackFen: zFenPositive,
    /** The items that it is due for; none where an amount given back before covers a part of them. */
    owedItems: z.array(z.int()),
    leftFen: zFenPositive,
    ours: z.object({
      occurredAt: zInstant,
      totalFen: zFenPositive,
      discountFen: zFenPositive,
      paymentState: z.enum(paymentState.states),
      shipState: z.enum(shipState.states),
      paidAt: zInstant.nullable(),
      shipSentAt: zInstant.nullable(),
      finishedAt: zInstant.nullable(),
    }),
    machine: z.object({
      shipReceivedAt: zInstant.nullable(),
      lastSeenAt: zInstant.nullable(),
      items: z.array(
        z.object({
          index: z.int(),
          slotCode: z.string(),
          productId: z.int(),
          productName: z.string(),
          priceFen: zFenPositive,
          state: z.enum(itemState.states),
          motorCode: z.string().nullable(),
          sensorCode: z.string().nullable(),
          shippedAt: zInstant.nullable(),
          /** A second piece, of the first command, after one was handed over from afar. */
          cameAgainAt: zInstant.nullable(),
          /** Why it should not have been sold. */
          wrong: z.enum(wrongSales).nullable(),
        }),
      ),
      /** Slots of the machine that hold a product which is still owed. */
      slots: z.array(z.object({ code: z.string(), productName: z.string(), stock: z.int() })),
    }),
    channel: z
      .object({
        attemptNo: z.string(),
        state: z.string(),
        channelNo: z.string().nullable(),
        paidFen: zFenPositive.nullable(),
        paidAt: zInstant.nullable(),
      })
      .nullable(),
    thirdPartyNo: z.string().nullable(),
    refunds: z.array(
      z.object({
        id: z.int(),
        refundNo: z.string(),
        amountFen: zFenPositive,
        state: z.enum(refundState.states),
        requestedAt: zInstant,
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'A problem with what we, the machine and the channel say of it',
})

const changed = z.object({ id: z.int(), state: z.enum(problemState.states) })
const written = { method: 'POST' as const, writes: true, output: changed, access: 'order.settle' as const }
const refusals = ['request.notFound', 'problem.state'] as const

export const confirmProblem = endpoint({
  ...written,
  name: 'refund.confirmProblem',
  path: '/api/problems/{id}/confirm',
  input: z.strictObject({ id: zId, reason: zReason }),
  refusals: [...refusals, 'problem.refundUnderWay'],
  summary: 'Close it as it stands, with a reason; refunds that were not sent are dropped. Above a limit: ask to',
})

export const agreeProblem = endpoint({
  ...written,
  name: 'refund.agreeProblem',
  path: '/api/problems/{id}/agree',
  input: z.strictObject({ id: zId }),
  refusals: [...refusals, 'problem.ownRequest', 'problem.refundUnderWay'],
  summary: 'Agree to close it as another person asked',
})

export const dropProblem = endpoint({
  ...written,
  name: 'refund.dropProblem',
  path: '/api/problems/{id}/drop',
  input: z.strictObject({ id: zId, reason: zReason }),
  refusals,
  summary: 'It is not closed as it was asked for, and why; it stays open',
})
