import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { effectVerdicts, unmeasuredReasons, verdictTones } from '../promotion/campaign'

/** What the machines' own prices say of a product. `notEnough`: too few prices, machines or sales to tell anything. */
export const priceVerdicts = ['raise', 'cut', 'keep', 'notEnough'] as const
export const lackingFacts = ['prices', 'machines', 'sales'] as const

/** Some machines cost otherwise, others like them do not; however it is over, the old prices come back. */
export const priceTrialState = stateTable({
  initial: 'running',
  states: ['running', 'ended', 'stopped', 'undone'],
  moves: {
    end: { from: ['running'], to: 'ended' },
    stop: { from: ['running'], to: 'stopped' },
    undo: { from: ['running'], to: 'undone' },
  },
  sets: {},
})

export const MOST_TRIAL_DAYS = 56

export const priceAdviceRefusals = defineRefusals('advice', {
  /** Too few machines in sight have it at that price: each side needs some. */
  'priceTrial.fewMachines': 422,
  'priceTrial.running': 409,
  'priceTrial.state': 409,
  'priceTrial.same': 422,
})

const advice = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  productId: z.int(),
  productName: z.string(),
  productCode: z.string(),
  verdict: z.enum(priceVerdicts),
  lacking: z.enum(lackingFacts).nullable(),
  /** What most of it is sold at. */
  nowFen: z.int(),
  advisedFen: z.int().nullable(),
  /** Margin more in 30 days, of all the machines that have it; null where nothing can be told. */
  gainFen: z.int().nullable(),
  lowFen: z.int().nullable(),
  highFen: z.int().nullable(),
  machines: z.int(),
  prices: z.int(),
  pieces: z.int(),
  trialState: z.enum(priceTrialState.states).nullable(),
  trialVerdict: z.enum(effectVerdicts).nullable(),
  computedAt: zInstant,
})
export type PriceAdvice = z.output<typeof advice>

export const priceAdviceFields = {
  productName: { kind: 'text' },
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  verdict: stateField('priceVerdict', priceVerdicts, { raise: 'good', cut: 'warn', keep: 'idle', notEnough: 'idle' }),
  lacking: { kind: 'state', words: 'lacking', tones: {} },
  nowFen: { kind: 'money' },
  advisedFen: { kind: 'money' },
  gainFen: { kind: 'money' },
  lowFen: { kind: 'money' },
  highFen: { kind: 'money' },
  machines: { kind: 'count' },
  prices: { kind: 'count' },
  pieces: { kind: 'count' },
  trialState: stateField('priceTrialState', priceTrialState, {
    running: 'busy',
    ended: 'good',
    stopped: 'bad',
    undone: 'idle',
  }),
  trialVerdict: stateField('effectVerdict', effectVerdicts, verdictTones),
  computedAt: { kind: 'dateTime' },
  merchantName: { kind: 'text' },
} satisfies Fields

export const listPriceAdvice = listEndpoint({
  name: 'advice.listPriceAdvice',
  path: '/api/price-advices',
  access: 'product.read',
  summary: 'At which price products of machines in sight would earn more, by what their own prices say',
  filters: {
    q: zSearch.optional(),
    verdict: zAnyOf(priceVerdicts).optional(),
    trialState: zAnyOf(priceTrialState.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['gain'],
  item: advice,
})

const interval = z.object({ value: z.number(), low: z.number(), high: z.number() })
const arm = z.object({ machines: z.int(), before: z.number(), during: z.number() })

const trial = z.object({
  id: z.int(),
  state: z.enum(priceTrialState.states),
  fromFen: z.int(),
  toFen: z.int(),
  stopPercent: z.int(),
  startsOn: zDay,
  endsOn: zDay,
  through: zDay.nullable(),
  /** Of the machines that cost otherwise and of those that do not: margin of the product to a machine and day. */
  with: arm,
  without: arm,
  verdict: z.enum(effectVerdicts).nullable(),
  why: z.enum(unmeasuredReasons).nullable(),
  change: interval.nullable(),
  percent: interval.nullable(),
  startedBy: z.string().nullable(),
  endedAt: zInstant.nullable(),
})
export type PriceTrial = z.output<typeof trial>

export const getPriceAdvice = endpoint({
  name: 'advice.getPriceAdvice',
  method: 'GET',
  path: '/api/price-advices/{id}',
  access: 'product.read',
  input: z.strictObject({ id: zId }),
  output: advice.extend({
    /** By how many percent less is sold where it costs one percent more, and what 95 of 100 such estimates hold. */
    elasticity: interval.nullable(),
    costFen: z.int(),
    /** What was sold at each price, to a machine and day while there was any. */
    demand: z.array(z.object({ fen: z.int(), machines: z.int(), pieces: z.int(), perDay: z.number() })),
    /** The last changes of its prices at machines in sight. */
    changes: z.array(z.object({ on: zDay, fromFen: z.int().nullable(), toFen: z.int().nullable(), slots: z.int() })),
    /** Newest first. */
    trials: z.array(trial),
    /** Machines in sight that could take part now. */
    mayTake: z.int(),
    /** Fewer try nothing. */
    needed: z.int(),
  }),
  refusals: ['request.notFound'],
  summary: 'Demand by price, what it comes to, former changes, and trials with their results',
})
export type PriceAdviceDetail = z.output<typeof getPriceAdvice.output>

const written = { method: 'POST' as const, access: 'slot.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(priceTrialState.states) })

export const startPriceTrial = endpoint({
  ...written,
  name: 'advice.startPriceTrial',
  path: '/api/price-advices/{id}/try',
  input: z.strictObject({
    id: zId,
    toFen: zFenPositive.max(10_000_000),
    days: z.coerce.number().int().min(7).max(MOST_TRIAL_DAYS).default(14),
    stopPercent: z.coerce.number().int().min(5).max(90).default(15),
  }),
  output: changed,
  refusals: [
    'request.notFound',
    'priceTrial.fewMachines',
    'priceTrial.running',
    'priceTrial.same',
    'priceChange.nothing',
    'priceChange.tooMany',
    'priceChange.stale',
  ],
  summary: 'Half of the machines that have it cost otherwise for some days, chosen by lot within pairs that sell alike',
})

export const undoPriceTrial = endpoint({
  ...written,
  name: 'advice.undoPriceTrial',
  path: '/api/price-trials/{id}/undo',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'priceTrial.state', 'priceChange.state', 'priceChange.nothing'],
  summary: 'Give all its machines their former price at once',
})
