import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { planState } from './plan'

/** Plans that run together for some days. Who scheduled one need not be there when it begins or ends. */
export const campaignState = stateTable({
  initial: 'draft',
  states: ['draft', 'scheduled', 'running', 'paused', 'ended'],
  moves: {
    schedule: { from: ['draft'], to: 'scheduled' },
    withdraw: { from: ['scheduled'], to: 'draft' },
    begin: { from: ['scheduled'], to: 'running' },
    pause: { from: ['running'], to: 'paused' },
    resume: { from: ['paused'], to: 'running' },
    end: { from: ['draft', 'scheduled', 'running', 'paused'], to: 'ended' },
  },
  /** `holding`: its plans are in no other. */
  sets: {
    holding: ['scheduled', 'running', 'paused'],
    begun: ['running', 'paused'],
    measured: ['running', 'paused', 'ended'],
  },
})
export type CampaignState = (typeof campaignState.states)[number]

export const campaignMeasures = ['sales', 'margin', 'pieces'] as const
export type CampaignMeasure = (typeof campaignMeasures)[number]

/** What the figures allow to be said: more, less, that it can't be told apart from chance, or nothing. */
export const effectVerdicts = ['more', 'less', 'unclear', 'notMeasurable'] as const
export const unmeasuredReasons = ['noControl', 'fewMachines', 'fewDays'] as const
/** The goal is reached where more was shown and it is that much; missed where no value of the interval is. */
export const goalMarks = ['reached', 'missed', 'open'] as const

export const MOST_CAMPAIGN_PLANS = 20
export const MOST_CONTROLS = 500
export const MOST_CAMPAIGN_DAYS = 366

export const campaignRefusals = defineRefusals('promotion', {
  'campaign.state': 409,
  'campaign.nameTaken': 409,
  /** A plan that is not there, asks for a voucher, is another merchant's or has ended. */
  'campaign.plans': 422,
  'campaign.controls': 422,
  'campaign.dates': 422,
  'campaign.over': 422,
  'campaign.machines': 422,
  'campaign.conflicts': 409,
  'campaign.blocked': 409,
})

const said = {
  name: zNeeded(60),
  measure: z.enum(campaignMeasures).default('sales'),
  goalPercent: z.coerce.number().int().min(1).max(500),
  startsOn: zDay,
  endsOn: zDay,
  planIds: z.array(zId).min(1).max(MOST_CAMPAIGN_PLANS),
  controlPercent: z.coerce.number().int().min(0).max(50).default(10),
  /** Named ones stay out instead of a share. */
  controlIds: z.array(zId).max(MOST_CONTROLS).default([]),
}
export type CampaignSaid = { [K in keyof typeof said]: z.output<(typeof said)[K]> }

const campaign = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  name: z.string(),
  state: z.enum(campaignState.states),
  measure: z.enum(campaignMeasures),
  goalPercent: z.int(),
  startsOn: zDay,
  endsOn: zDay,
  planCount: z.int(),
  /** Those that have its plans, and those that are kept out; none before it is scheduled. */
  withCount: z.int(),
  controlCount: z.int(),
  /** Of what it is for, by the last measuring; null before the first. */
  verdict: z.enum(effectVerdicts).nullable(),
  liftPercent: z.number().nullable(),
  createdBy: z.string().nullable(),
  createdAt: zInstant,
})
export type Campaign = z.output<typeof campaign>

export const verdictTones = { more: 'good', less: 'bad', unclear: 'warn', notMeasurable: 'idle' } as const

export const campaignFields = {
  name: { kind: 'text' },
  state: stateField('campaignState', campaignState, {
    draft: 'idle',
    scheduled: 'busy',
    running: 'good',
    paused: 'warn',
    ended: 'idle',
  }),
  measure: { kind: 'state', words: 'campaignMeasure', tones: {} },
  goalPercent: { kind: 'percent' },
  startsOn: { kind: 'day' },
  endsOn: { kind: 'day' },
  planCount: { kind: 'count' },
  withCount: { kind: 'count' },
  controlCount: { kind: 'count' },
  controlPercent: { kind: 'percent' },
  verdict: stateField('effectVerdict', effectVerdicts, verdictTones),
  liftPercent: { kind: 'percent' },
  merchantName: { kind: 'text' },
  createdBy: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
} satisfies Fields

export const listCampaigns = listEndpoint({
  name: 'promotion.listCampaigns',
  path: '/api/campaigns',
  access: 'promotionPlan.read',
  summary: 'Campaigns of merchants in sight, with what they were measured to bring',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(campaignState.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest', 'starts'],
  item: campaign,
})

/** What speaks against it. The first three are in its way; the others are to be seen. */
export const campaignConflicts = [
  'planTaken',
  'planNowhere',
  'planOver',
  'planListed',
  'planSpeaks',
  'machinesShared',
  'noControl',
  'fewMachines',
] as const
export const blockingConflicts: readonly string[] = ['planTaken', 'planNowhere', 'planOver']

const arm = z.object({
  machines: z.int(),
  /** To a machine and day; fen, or pieces. */
  before: z.number(),
  during: z.number(),
})

const interval = { value: z.number(), low: z.number(), high: z.number() }
const result = z.object({
  measure: z.enum(campaignMeasures),
  with: arm,
  without: arm.nullable(),
  verdict: z.enum(effectVerdicts),
  why: z.enum(unmeasuredReasons).nullable(),
  goal: z.enum(goalMarks).nullable(),
  /** To a machine and day, with what 95 of 100 such comparisons would hold; null where nothing can be said. */
  change: z.object(interval).nullable(),
  percent: z.object(interval).nullable(),
  /** Of all its machines over all its days. */
  total: z.object(interval).nullable(),
})
export type CampaignResult = z.output<typeof result>

const conflict = z.object({
  kind: z.enum(campaignConflicts),
  count: z.int(),
  name: z.string(),
  planId: z.int().nullable(),
  campaignId: z.int().nullable(),
})
export type CampaignConflict = z.output<typeof conflict>

export const getCampaign = endpoint({
  name: 'promotion.getCampaign',
  method: 'GET',
  path: '/api/campaigns/{id}',
  access: 'promotionPlan.read',
  input: z.strictObject({ id: zId }),
  output: campaign.extend({
    version: z.int(),
    controlPercent: z.int(),
    plans: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        state: z.enum(planState.states),
        maxUses: z.int().nullable(),
        uses: z.int(),
        budgetFen: z.int().nullable(),
        spentFen: z.int(),
      }),
    ),
    /** Named ones, to be typed again. */
    namedControls: z.array(z.object({ id: z.int(), name: z.string() })),
    /** Those that are kept out, or would be; at most 100, with what they sold a day before. */
    controls: z.array(z.object({ id: z.int(), code: z.string(), name: z.string(), soldFen: z.int() })),
    /** Of both sides before, a machine and day: they should be alike. Null for who doesn't see all of them. */
    comparable: z.object({ with: z.int(), withoutFen: z.int().nullable(), withFen: z.int() }).nullable(),
    before: z.object({ from: zDay, to: zDay }),
    conflicts: z.array(conflict),
    spans: z.array(z.object({ from: zDay, to: zDay.nullable() })),
    /** What its plans asked less since it began, at machines in sight. */
    givenFen: z.int(),
    orders: z.int(),
    results: z.array(result),
    through: zDay.nullable(),
    measuredAt: zInstant.nullable(),
    endedAt: zInstant.nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One campaign: its plans, machines with and without them, what speaks against it and what it brought',
})
export type CampaignDetail = z.output<typeof getCampaign.output>

const written = { method: 'POST' as const, access: 'promotionPlan.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(campaignState.states) })
const asked = ['campaign.nameTaken', 'campaign.plans', 'campaign.controls', 'campaign.dates'] as const

export const addCampaign = endpoint({
  ...written,
  name: 'promotion.addCampaign',
  path: '/api/campaigns',
  input: z.strictObject(said),
  output: changed,
  refusals: asked,
  summary: 'Bundle plans for some days; nothing happens until it is scheduled',
})

export const editCampaign = endpoint({
  ...written,
  name: 'promotion.editCampaign',
  path: '/api/campaigns/{id}/edit',
  input: z.strictObject({ id: zId, version: z.int().positive(), ...said }),
  output: changed,
  refusals: ['request.notFound', 'campaign.state', 'edit.stale', ...asked],
  summary: 'Change a draft',
})

export const scheduleCampaign = endpoint({
  ...written,
  name: 'promotion.scheduleCampaign',
  path: '/api/campaigns/{id}/schedule',
  input: z.strictObject({ id: zId, conflictsSeen: z.int().min(0).max(1000).default(0) }),
  output: changed,
  refusals: [
    'request.notFound',
    'campaign.state',
    'campaign.over',
    'campaign.plans',
    'campaign.machines',
    'campaign.conflicts',
    'campaign.blocked',
  ],
  summary: 'Fix its machines and let it begin and end by itself on its days',
})

const verb = <const N extends string>(name: N, at: string, summary: string) =>
  endpoint({
    ...written,
    name: `promotion.${name}`,
    path: `/api/campaigns/{id}/${at}`,
    input: z.strictObject({ id: zId }),
    output: changed,
    refusals: ['request.notFound', 'campaign.state'],
    summary,
  })

export const withdrawCampaign = verb('withdrawCampaign', 'withdraw', 'Back to a draft, before it has begun')
export const pauseCampaign = verb('pauseCampaign', 'pause', 'Its plans hold nowhere until it goes on')
export const resumeCampaign = verb('resumeCampaign', 'resume', 'Its plans hold again, but at the machines kept out')
export const endCampaign = verb('endCampaign', 'end', 'Over for good; its plans are paused and free again')
