import { z } from 'zod'
import { commandState } from '../device/commands'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { zPrice } from './slot'

/** Slots and products that one change is of; more are told apart by a narrower choice. */
export const MOST_PRICED = 50_000
export const MOST_PRODUCTS = 500

/** A draft is the preview; while it is set or taken back, machines have their turn one bunch after the other. */
export const priceChangeState = stateTable({
  initial: 'draft',
  states: ['draft', 'applying', 'applied', 'undoing', 'undone', 'discarded'],
  moves: {
    apply: { from: ['draft'], to: 'applying' },
    finish: { from: ['applying'], to: 'applied' },
    undo: { from: ['applied'], to: 'undoing' },
    finishUndo: { from: ['undoing'], to: 'undone' },
    discard: { from: ['draft'], to: 'discarded' },
  },
  sets: { running: ['applying', 'undoing'], told: ['applying', 'applied', 'undoing', 'undone'] },
})
export type PriceChangeState = (typeof priceChangeState.states)[number]

/** Of one slot or product: it is changed only while it costs what the draft says, and taken back only likewise. */
export const pricedState = stateTable({
  initial: 'planned',
  states: ['planned', 'skipped', 'set', 'undone', 'kept'],
  moves: {
    set: { from: ['planned'], to: 'set' },
    skip: { from: ['planned'], to: 'skipped' },
    undo: { from: ['set'], to: 'undone' },
    keep: { from: ['set'], to: 'kept' },
  },
  /** It changes, or did. */
  sets: { moved: ['planned', 'set', 'undone'] },
})
export const pricedTones = { planned: 'busy', skipped: 'idle', set: 'good', undone: 'idle', kept: 'warn' } as const

export const priceRules = ['set', 'raise', 'cut', 'raisePercent', 'cutPercent'] as const
export const roundings = ['fen', 'jiao', 'half'] as const
export const priceScopes = ['all', 'group', 'route', 'machines'] as const
export const skipReasons = [
  'same',
  'unlawful',
  'machineUnlawful',
  'offline',
  'noPrice',
  'tooLow',
  'tooHigh',
  'meanwhile',
  'unseen',
] as const
export type SkipReason = (typeof skipReasons)[number]

export const priceChangeRefusals = defineRefusals('planogram', {
  'priceChange.state': 409,
  'priceChange.incomplete': 422,
  /** Codes that no product in sight has. */
  'priceChange.unknownCode': 422,
  'priceChange.unknownMachine': 422,
  'priceChange.nothing': 422,
  'priceChange.tooMany': 422,
  /** `fields` names each slot with what it costs now. */
  'priceChange.stale': 409,
  'priceChange.mayNotProducts': 403,
})

const change = z.object({
  id: z.int(),
  merchantName: z.string(),
  state: z.enum(priceChangeState.states),
  rule: z.enum(priceRules),
  amountFen: z.int().nullable(),
  percent: z.int().nullable(),
  roundTo: z.enum(roundings),
  scope: z.enum(priceScopes),
  scopeName: z.string(),
  changesProducts: z.boolean(),
  reason: z.string(),
  /** In sight. */
  machineCount: z.int(),
  /** Those whose slots it is of, the first few by name, and how many in all. */
  products: z.string(),
  productCount: z.int(),
  createdBy: z.string().nullable(),
  createdAt: zInstant,
  appliedAt: zInstant.nullable(),
  undoneAt: zInstant.nullable(),
})
export type PriceChange = z.output<typeof change>

export const priceChangeFields = {
  products: { kind: 'text' },
  merchantName: { kind: 'text' },
  state: stateField('priceChangeState', priceChangeState, {
    draft: 'warn',
    applying: 'busy',
    applied: 'good',
    undoing: 'busy',
    undone: 'idle',
    discarded: 'idle',
  }),
  rule: { kind: 'state', words: 'priceRule', tones: {} },
  amountFen: { kind: 'money' },
  percent: { kind: 'percent' },
  roundTo: { kind: 'state', words: 'roundTo', tones: {} },
  scope: { kind: 'state', words: 'priceScope', tones: {} },
  scopeName: { kind: 'text' },
  changesProducts: { kind: 'boolean' },
  reason: { kind: 'text' },
  codes: { kind: 'longText' },
  machineCodes: { kind: 'longText' },
  productCount: { kind: 'count' },
  machineCount: { kind: 'count' },
  createdBy: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
  appliedAt: { kind: 'dateTime' },
  undoneAt: { kind: 'dateTime' },
} satisfies Fields

export const listPriceChanges = listEndpoint({
  name: 'planogram.listPriceChanges',
  path: '/api/price-changes',
  access: 'slot.write',
  summary: 'Changes of many prices at once, by merchants in sight, newest first',
  filters: { state: zAnyOf(priceChangeState.states).optional(), product: zSearch.optional() },
  sorts: ['newest'],
  item: change,
})

const counted = z.object({ state: z.enum(pricedState.states), why: z.enum(skipReasons).nullable(), count: z.int() })

export const getPriceChange = endpoint({
  name: 'planogram.getPriceChange',
  method: 'GET',
  path: '/api/price-changes/{id}',
  access: 'slot.write',
  input: z.strictObject({ id: zId }),
  output: change.extend({
    version: z.int(),
    appliedBy: z.string().nullable(),
    undoneBy: z.string().nullable(),
    /** How many slots end how. */
    outcomes: z.array(counted),
    /** Machines whose turn has not come yet. */
    waiting: z.int(),
    /** How the machines took it, by the states of what they were told last. */
    commands: z.record(z.string(), z.int()),
    /** Slots that cost something else by now than the draft says. */
    staleCount: z.int(),
    productPrices: z.array(
      z.object({
        id: z.int(),
        code: z.string(),
        name: z.string(),
        nowFen: z.int(),
        beforeFen: z.int(),
        afterFen: z.int(),
        state: z.enum(pricedState.states),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One change of prices: what is meant, by whom and why, and what came of it',
})

const pricedMachine = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  slots: z.int(),
  /** Planned to change, or changed. */
  changes: z.int(),
  skipped: z.int(),
  isWaiting: z.boolean(),
  /** Of what it was told last; null where it was told nothing. */
  command: z.enum(commandState.states).nullable(),
})
export type PricedMachine = z.output<typeof pricedMachine>

export const listPricedMachines = listEndpoint({
  name: 'planogram.listPricedMachines',
  path: '/api/price-changes/{id}/machines',
  access: 'slot.write',
  summary: 'The machines of a change of prices, and how each took it',
  filters: { id: zId, machine: zSearch.optional() },
  sorts: ['code'],
  item: pricedMachine,
})

const pricedSlot = z.object({
  id: z.int(),
  code: z.string(),
  productName: z.string(),
  /** It waits for the product until its next service. */
  isNext: z.boolean(),
  beforeFen: z.int().nullable(),
  afterFen: z.int().nullable(),
  /** What it costs now by plan, and by the machine's own word; null where it said nothing of it. */
  nowFen: z.int().nullable(),
  reportedFen: z.int().nullable(),
  state: z.enum(pricedState.states),
  why: z.enum(skipReasons).nullable(),
})
export type PricedSlot = z.output<typeof pricedSlot>

/** A cabinet has a hundred slots at most, so they come at once. */
export const getPricedSlots = endpoint({
  name: 'planogram.getPricedSlots',
  method: 'GET',
  path: '/api/price-changes/{id}/slots',
  access: 'slot.write',
  input: z.strictObject({ id: zId, machineId: zId }),
  output: z.object({ slots: z.array(pricedSlot) }),
  refusals: ['request.notFound'],
  summary: 'Slot by slot, what a change of prices comes to in one machine',
})

const written = { method: 'POST' as const, access: 'slot.write' as const, writes: true }

export const addPriceChange = endpoint({
  ...written,
  name: 'planogram.addPriceChange',
  path: '/api/price-changes',
  input: z.strictObject({
    /** Ticked, or named by their codes or barcodes with anything between; all in sight of a category or brand. */
    productIds: z.array(zId).max(MOST_PRODUCTS).default([]),
    codes: zLine(8000).default(''),
    categoryId: zId.nullable().default(null),
    brand: zLine(40).default(''),
    rule: z.enum(priceRules),
    /** The new price, or by how much it goes up or down. */
    amountFen: zPrice.min(1).nullable().default(null),
    percent: z.coerce.number().int().min(1).max(500).nullable().default(null),
    roundTo: z.enum(roundings).default('jiao'),
    scope: z.enum(priceScopes).default('all'),
    groupId: zId.nullable().default(null),
    routeId: zId.nullable().default(null),
    machineCodes: zLine(8000).default(''),
    /** What the products themselves cost, where they are the person's own. */
    changesProducts: z.boolean().default(false),
    reason: zNeeded(200).min(2),
  }),
  output: z.object({ id: z.int() }),
  refusals: [
    'request.notFound',
    'priceChange.incomplete',
    'priceChange.unknownCode',
    'priceChange.unknownMachine',
    'priceChange.nothing',
    'priceChange.tooMany',
    'priceChange.mayNotProducts',
  ],
  summary: 'Draw up a change of many prices: what each slot would cost, before anything changes',
})

const verb = <const N extends string>(name: N, at: string, summary: string, refusals: readonly string[] = []) =>
  endpoint({
    ...written,
    name: `planogram.${name}`,
    path: `/api/price-changes/{id}/${at}`,
    input: z.strictObject({ id: zId }),
    output: z.object({ id: z.int(), state: z.enum(priceChangeState.states) }),
    refusals: ['request.notFound', 'priceChange.state', ...refusals],
    summary,
  })

export const applyPriceChange = verb('applyPriceChange', 'apply', 'Set the prices of a draft and tell the machines', [
  'priceChange.stale',
  'priceChange.nothing',
  'priceChange.mayNotProducts',
])
export const undoPriceChange = verb(
  'undoPriceChange',
  'undo',
  'Give the slots that still cost what was set their former price',
  ['priceChange.nothing'],
)
export const discardPriceChange = verb('discardPriceChange', 'discard', 'Forget a draft')
export const redraftPriceChange = verb(
  'redraftPriceChange',
  'redraft',
  'Work a draft out anew from what is there now',
  ['priceChange.nothing', 'priceChange.tooMany'],
)
