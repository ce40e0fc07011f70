import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zMovement } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { providers } from '../payment/states'
import { decisions, differenceKinds, differenceState } from './states'

export const differenceRefusals = defineRefusals('settlement', {
  'settlementDifference.state': 409,
  'settlementDifference.decision': 422,
  'settlementDifference.samePerson': 403,
  'settlementDifference.noOrder': 422,
  /** The same money is decided on among unclaimed payments. */
  'settlementDifference.unclaimed': 409,
})

const difference = z.object({
  id: z.int(),
  kind: z.enum(differenceKinds),
  state: z.enum(differenceState.states),
  day: zDay,
  runId: z.int(),
  provider: z.enum(providers),
  merchantName: z.string(),
  ourFen: zFen.nullable(),
  theirFen: zFen.nullable(),
  /** Theirs less ours: above 0 is money too much, below 0 too little. */
  gapFen: zFen,
  orderNo: z.string().nullable(),
  ownerName: z.string().nullable(),
  decision: z.enum(decisions).nullable(),
  createdAt: zInstant,
})
export type SettlementDifference = z.output<typeof difference>

export const listDifferences = listEndpoint({
  name: 'settlement.listDifferences',
  path: '/api/settlement-differences',
  access: 'settlement.read',
  summary: 'Differences between our books and the channels’ bills; what is undecided first, oldest first',
  filters: {
    kind: zAnyOf(differenceKinds).optional(),
    state: zAnyOf(['any_open', ...differenceState.states]).optional(),
    provider: zAnyOf(providers).optional(),
    orderNo: zSearch.optional(),
    runId: zId.optional(),
    owner: z.enum(['me', 'nobody']).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['open', 'newest'],
  item: difference,
})

export const differenceFields = {
  id: { kind: 'count' },
  kind: { kind: 'state', words: 'differenceKind', tones: {} },
  state: stateField('differenceState', differenceState, {
    next_day: 'warn',
    open: 'bad',
    asking: 'busy',
    proposed: 'warn',
    decided: 'good',
    resolved: 'good',
  }),
  day: { kind: 'day' },
  provider: { kind: 'state', words: 'provider', tones: {} },
  merchantName: { kind: 'text' },
  ourFen: { kind: 'money' },
  theirFen: { kind: 'money' },
  gapFen: { kind: 'money' },
  orderNo: { kind: 'ref', to: 'jygl/ddgl', by: 'orderNo' },
  ownerName: { kind: 'text' },
  decision: { kind: 'state', words: 'decision', tones: {} },
  createdAt: { kind: 'dateTime' },
} satisfies Fields

/** Name and value of a fact; `fen` where it is money. */
const fact = z.object({ name: z.string(), text: z.string().nullable(), fen: zFen.nullable(), at: zInstant.nullable() })

export const getDifference = endpoint({
  name: 'settlement.getDifference',
  method: 'GET',
  path: '/api/settlement-differences/{id}',
  access: 'settlement.read',
  input: z.strictObject({ id: zId }),
  output: difference.extend({
    version: z.int(),
    reason: z.string().nullable(),
    proposedBy: z.string().nullable(),
    isProposedByMe: z.boolean(),
    approvedBy: z.string().nullable(),
    decidedAt: zInstant.nullable(),
    /** The other person's approval is needed above this gap. */
    limitFen: zFen,
    ours: z.array(fact),
    theirs: z.array(fact),
    story: z.array(
      z.object({ id: z.int(), at: zInstant, verb: z.string(), who: z.string().nullable(), note: z.string() }),
    ),
    /** What writing it off would post; nothing once it is settled, or where the money is not in our books. */
    writeOff: z.array(zMovement),
    entries: z.array(
      z.object({
        transferId: z.int(),
        kind: z.string(),
        account: z.string(),
        amountFen: zFen,
        postedAt: zInstant,
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'A difference with what we know and what the bill says side by side, and what was decided',
})

const written = { method: 'POST' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(differenceState.states) })
const reason = z.string().trim().min(2).max(200)

export const takeDifference = endpoint({
  ...written,
  name: 'settlement.takeDifference',
  path: '/api/settlement-differences/{id}/take',
  access: 'settlement.write',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'settlementDifference.state'],
  summary: 'Make a difference one’s own work',
})

export const decideDifference = endpoint({
  ...written,
  name: 'settlement.decideDifference',
  path: '/api/settlement-differences/{id}/decide',
  access: 'settlement.write',
  input: z.strictObject({ id: zId, decision: z.enum(decisions), reason }),
  output: changed,
  refusals: [
    'request.notFound',
    'settlementDifference.state',
    'settlementDifference.decision',
    'settlementDifference.noOrder',
    'settlementDifference.unclaimed',
  ],
  summary: 'Decide what becomes of a difference; above the limit another person has to agree before it counts',
})

export const approveDifference = endpoint({
  ...written,
  name: 'settlement.approveDifference',
  path: '/api/settlement-differences/{id}/approve',
  access: 'settlement.approve',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: [
    'request.notFound',
    'settlementDifference.state',
    'settlementDifference.samePerson',
    'settlementDifference.noOrder',
    'settlementDifference.unclaimed',
  ],
  summary: 'Agree to a decision that another person proposed, which then takes effect',
})

export const refuseDifference = endpoint({
  ...written,
  name: 'settlement.refuseDifference',
  path: '/api/settlement-differences/{id}/refuse',
  access: 'settlement.approve',
  input: z.strictObject({ id: zId, reason }),
  output: changed,
  refusals: ['request.notFound', 'settlementDifference.state'],
  summary: 'Send a proposed decision back',
})
