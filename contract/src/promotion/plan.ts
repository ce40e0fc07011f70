import { z } from 'zod'
import type { MedicineClass } from '../catalog/product'
import { type CardType, cardTypes } from '../member/card'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { isMarkdownLawful } from './markdown'
import type { VoucherKind } from './voucher'

/** A rule by which goods cost less. Whether it is on sale or sold out follows from its days, uses and budget. */
export const planState = stateTable({
  initial: 'not_listed',
  states: ['not_listed', 'listed', 'paused', 'ended'],
  moves: {
    list: { from: ['not_listed', 'paused'], to: 'listed' },
    pause: { from: ['listed'], to: 'paused' },
    end: { from: ['not_listed', 'listed', 'paused'], to: 'ended' },
  },
  sets: { editable: ['not_listed', 'paused'], over: ['ended'] },
})
export type PlanState = (typeof planState.states)[number]

/**
 * Of a piece: a share of its price, an amount less, another price. Of several: each nth at a share of its price, a
 * bundle of so many for a price. Of an order: an amount less from an amount on.
 */
export const planKinds = ['rate', 'amount', 'fixed', 'nth', 'bundle', 'threshold'] as const
export type PlanKind = (typeof planKinds)[number]

/** What a price for each single piece is; a machine can show no other. */
export const pieceKinds = ['rate', 'amount', 'fixed'] as const satisfies readonly PlanKind[]
export const isPieceKind = (kind: PlanKind): kind is (typeof pieceKinds)[number] =>
  pieceKinds.some((each) => each === kind)

/** Which of its values a plan of each kind has. */
export const valuesOfKind: Readonly<
  Record<PlanKind, readonly ('paidPercent' | 'amountFen' | 'pieces' | 'leastFen')[]>
> = {
  rate: ['paidPercent'],
  amount: ['amountFen'],
  fixed: ['amountFen'],
  nth: ['pieces', 'paidPercent'],
  bundle: ['pieces', 'amountFen'],
  threshold: ['leastFen', 'amountFen'],
}

/** Highest and lowest (specification, section 5). */
export const [HIGHEST_PRIORITY, LOWEST_PRIORITY] = [1, 9] as const
/** Where markdowns of goods stand among the plans. */
export const MARKDOWN_PRIORITY = 5

/** A plan gives medicines an open price at most: whoever comes pays it, for each piece, and brings nothing. */
export const isPlanLawful = (
  plan: {
    kind: PlanKind
    levels: readonly number[]
    cardTypes: readonly CardType[]
    isFirstPurchase: boolean
    voucherKind: VoucherKind | null
  },
  medicineClass: MedicineClass | null,
): boolean =>
  medicineClass === null ||
  (isMarkdownLawful(medicineClass) &&
    isPieceKind(plan.kind) &&
    plan.levels.length === 0 &&
    plan.cardTypes.length === 0 &&
    !plan.isFirstPurchase &&
    plan.voucherKind === null)

export const planRefusals = defineRefusals('promotion', {
  'plan.state': 409,
  'plan.nameTaken': 409,
  'plan.notLawful': 422,
  'plan.nothing': 422,
  'plan.machines': 422,
  'plan.conflicts': 409,
  'plan.limit': 409,
  'plan.over': 422,
  'plan.inCampaign': 409,
})

const zSome = (most: number) => z.array(zId).max(most).default([])
const zTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/** Each thing that a plan says. */
export const planSaid = {
  name: zNeeded(60),
  kind: z.enum(planKinds),
  priority: z.coerce.number().int().min(HIGHEST_PRIORITY).max(LOWEST_PRIORITY).default(MARKDOWN_PRIORITY),
  /** The share that is paid: 80 is 八折; nothing is free, of each nth. */
  paidPercent: z.coerce.number().int().min(0).max(99).nullable().default(null),
  amountFen: z.int().min(1).max(100_000_000).nullable().default(null),
  pieces: z.coerce.number().int().min(2).max(20).nullable().default(null),
  leastFen: z.int().min(1).max(100_000_000).nullable().default(null),
  perOrder: z.coerce.number().int().min(1).max(99).nullable().default(null),
  stacks: z.boolean().default(false),
  productIds: zSome(500),
  categoryIds: zSome(100),
  machineIds: zSome(500),
  groupIds: zSome(50),
  levels: z.array(z.coerce.number().int().min(1).max(9)).max(9).default([]),
  /** Of the card that is shown. */
  cardTypes: z.array(z.enum(cardTypes)).max(cardTypes.length).default([]),
  isFirstPurchase: z.boolean().default(false),
  startsOn: zDay.nullable().default(null),
  endsOn: zDay.nullable().default(null),
  /** Of the week, from Monday on. */
  weekdays: z.array(z.coerce.number().int().min(1).max(7)).max(7).default([]),
  fromTime: zTime.nullable().default(null),
  toTime: zTime.nullable().default(null),
  maxUses: z.coerce.number().int().min(1).max(100_000_000).nullable().default(null),
  budgetFen: z.int().min(1).max(100_000_000_000).nullable().default(null),
  perMember: z.coerce.number().int().min(1).max(10_000).nullable().default(null),
}
export type PlanSaid = { [K in keyof typeof planSaid]: z.output<(typeof planSaid)[K]> }

/** What makes no sense together, by the field that is to be mended. */
export function problemsOfPlan(plan: PlanSaid): (keyof PlanSaid)[] {
  const wanted = valuesOfKind[plan.kind]
  const missing = wanted.filter((name) => plan[name] === null)
  return [
    ...missing,
    ...(plan.kind === 'rate' && plan.paidPercent === 0 ? (['paidPercent'] as const) : []),
    ...(plan.kind === 'threshold' && (plan.leastFen ?? 0) <= (plan.amountFen ?? 0) ? (['leastFen'] as const) : []),
    ...(plan.kind === 'bundle' && (plan.amountFen ?? 0) < (plan.pieces ?? 0) ? (['amountFen'] as const) : []),
    ...(plan.startsOn && plan.endsOn && plan.endsOn < plan.startsOn ? (['endsOn'] as const) : []),
    ...((plan.fromTime === null) !== (plan.toTime === null) || (plan.fromTime && plan.fromTime === plan.toTime)
      ? (['toTime'] as const)
      : []),
  ]
}

const whole = <T extends z.ZodType<PlanSaid>>(shape: T) =>
  shape.superRefine((plan, ctx) => {
    for (const path of problemsOfPlan(plan))
      ctx.addIssue({ code: 'custom', path: [path], params: { domain: 'promotion', rule: `plan.${path}` } })
  })

/** Derived: never kept. */
export const planMarks = ['onSale', 'waiting', 'over', 'soldOut'] as const

const plan = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  name: z.string(),
  kind: z.enum(planKinds),
  priority: z.int(),
  paidPercent: z.int().nullable(),
  amountFen: z.int().nullable(),
  pieces: z.int().nullable(),
  leastFen: z.int().nullable(),
  stacks: z.boolean(),
  state: z.enum(planState.states),
  marks: z.array(z.enum(planMarks)),
  startsOn: zDay.nullable(),
  endsOn: zDay.nullable(),
  number: z.int(),
  maxUses: z.int().nullable(),
  uses: z.int(),
  budgetFen: z.int().nullable(),
  spentFen: z.int(),
  createdBy: z.string().nullable(),
  createdAt: zInstant,
})
export type Plan = z.output<typeof plan>

export const listPlans = listEndpoint({
  name: 'promotion.listPlans',
  path: '/api/promotion-plans',
  access: 'promotionPlan.read',
  summary: 'Plans by which goods cost less, with their limits and what is gone of them',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(planState.states).optional(),
    kind: zAnyOf(planKinds).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest', 'priority'],
  item: plan,
})

export const planFields = {
  name: { kind: 'text', to: 'yxch/famc', search: { id: 'id' } },
  kind: { kind: 'state', words: 'planKind', tones: {} },
  priority: { kind: 'count' },
  paidPercent: { kind: 'percent' },
  amountFen: { kind: 'money' },
  pieces: { kind: 'count' },
  leastFen: { kind: 'money' },
  perOrder: { kind: 'count' },
  stacks: { kind: 'boolean' },
  state: stateField('planState', planState, { not_listed: 'idle', listed: 'good', paused: 'warn', ended: 'idle' }),
  marks: {
    kind: 'states',
    words: 'planMark',
    tones: { onSale: 'good', waiting: 'busy', over: 'idle', soldOut: 'warn' },
  },
  startsOn: { kind: 'day' },
  endsOn: { kind: 'day' },
  number: { kind: 'count' },
  maxUses: { kind: 'count' },
  uses: { kind: 'count' },
  budgetFen: { kind: 'money' },
  spentFen: { kind: 'money' },
  merchantName: { kind: 'text' },
  createdBy: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
} satisfies Fields

/** What speaks against listing it: to be seen before, and each with how much it is about. */
export const conflictKinds = ['overlap', 'belowCost', 'soldForLess', 'lawLeftOut', 'nowhere'] as const
export const planConflict = z.object({
  kind: z.enum(conflictKinds),
  /** Slots. */
  count: z.int(),
  /** One of them, in words: another plan, a product, a machine's slot. */
  name: z.string(),
  planId: z.int().nullable(),
})
export type Conflict = z.output<typeof planConflict>

const named = z.object({ id: z.int(), name: z.string() })
/** Where it holds; none of a kind says nothing of it. */
export const planScope = {
  products: z.array(named),
  categories: z.array(named),
  machines: z.array(named),
  groups: z.array(named),
}

export const getPlan = endpoint({
  name: 'promotion.getPlan',
  method: 'GET',
  path: '/api/promotion-plans/{id}',
  access: 'promotionPlan.read',
  input: z.strictObject({ id: zId }),
  output: plan.extend({
    version: z.int(),
    perOrder: z.int().nullable(),
    perMember: z.int().nullable(),
    levels: z.array(z.int()),
    cardTypes: z.array(z.enum(cardTypes)),
    weekdays: z.array(z.int()),
    fromTime: z.string().nullable(),
    toTime: z.string().nullable(),
    isFirstPurchase: z.boolean(),
    ...planScope,
    /** Of one that may be listed. */
    conflicts: z.array(planConflict),
    /** In sight, since it was first listed: orders with it, pieces, what they paid and what was asked less. */
    sold: z.object({ orders: z.int(), pieces: z.int(), paidFen: zFenPositive, forgoneFen: zFenPositive }),
    /** Each version that was listed, newest first. */
    versions: z.array(
      z.object({ id: z.int(), number: z.int(), listedAt: zInstant.nullable(), orders: z.int(), createdBy: z.string() }),
    ),
    endedAt: zInstant.nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One plan: what it says, where, what speaks against it and what it sold',
})

/** How far back orders are looked at, and how many of them. */
export const DRY_RUN_DAYS = 30
export const DRY_RUN_ORDERS = 50_000

const figures = z.object({ paidFen: z.int(), marginFen: z.int() })

export const dryRunPlan = endpoint({
  name: 'promotion.dryRunPlan',
  method: 'GET',
  path: '/api/promotion-plans/{id}/dry-run',
  access: 'promotionPlan.read',
  input: z.strictObject({ id: zId }),
  output: z.object({
    /** Orders that were looked at, and those that it would have made cheaper. */
    orders: z.int(),
    touched: z.int(),
    pieces: z.int(),
    forgoneFen: z.int(),
    /** By all that is listed now, without this plan and with it. */
    without: figures,
    with: figures,
    /** There were more orders: the newest were looked at. */
    isPartial: z.boolean(),
  }),
  refusals: ['request.notFound'],
  summary: 'The orders of the last 30 days priced by all that is listed now, with and without this plan',
})

const written = { method: 'POST' as const, access: 'promotionPlan.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(planState.states) })
const asked = ['plan.nameTaken', 'plan.notLawful', 'plan.machines'] as const

export const addPlan = endpoint({
  ...written,
  name: 'promotion.addPlan',
  path: '/api/promotion-plans',
  input: whole(z.strictObject(planSaid)),
  output: changed,
  refusals: asked,
  summary: 'Write down a plan; nothing is cheaper by it until it is listed',
})

export const editPlan = endpoint({
  ...written,
  name: 'promotion.editPlan',
  path: '/api/promotion-plans/{id}/edit',
  input: whole(z.strictObject({ id: zId, version: z.int().positive(), ...planSaid })),
  output: changed,
  refusals: ['request.notFound', 'plan.state', 'edit.stale', ...asked],
  summary: 'Change one that is not listed; what was listed before stays as a version of its own',
})

export const listPlan = endpoint({
  ...written,
  name: 'promotion.listPlan',
  path: '/api/promotion-plans/{id}/list',
  input: z.strictObject({
    id: zId,
    /** How many conflicts the person was shown; where there are others by now, they are to be looked at again. */
    conflictsSeen: z.int().min(0).max(1000).default(0),
  }),
  output: changed,
  refusals: [
    'request.notFound',
    'plan.state',
    'plan.notLawful',
    'plan.nothing',
    'plan.conflicts',
    'plan.limit',
    'plan.over',
    'plan.inCampaign',
  ],
  summary: 'Goods are cheaper by it, in its days and hours',
})

export const pausePlan = endpoint({
  ...written,
  name: 'promotion.pausePlan',
  path: '/api/promotion-plans/{id}/pause',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'plan.state'],
  summary: 'Back to the usual prices, until it is listed again',
})

export const endPlan = endpoint({
  ...written,
  name: 'promotion.endPlan',
  path: '/api/promotion-plans/{id}/end',
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'plan.state'],
  summary: 'Over for good',
})
