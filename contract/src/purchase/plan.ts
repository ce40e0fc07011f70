import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

/**
 * What should be ordered so that a merchant's machines do not run dry, by what they sell while they are not empty. It
 * is proposed, changed by hand and becomes draft orders by supplier, once. What was forecast is set beside what was
 * sold, whatever became of the plan.
 */
export const purchasePlanState = stateTable({
  initial: 'proposed',
  states: ['proposed', 'ordered', 'discarded'],
  moves: {
    order: { from: ['proposed'], to: 'ordered' },
    discard: { from: ['proposed'], to: 'discarded' },
  },
  sets: {},
})

/** Why a line can't be ordered: the first that holds. */
export const planHindrances = ['noSupplier', 'noPrice', 'papers', 'notQualified', 'scope', 'storage'] as const
export type PlanHindrance = (typeof planHindrances)[number]

/**
 * `order`: so many packs are to come; `enough`: what there is lasts; `leftOut`: needed, and somebody ordered none;
 * `hindered`: needed, and nobody can order it.
 */
export const planVerdicts = ['order', 'enough', 'leftOut', 'hindered'] as const

export const purchasePlanRefusals = defineRefusals('purchase', {
  'purchasePlan.state': 409,
  /** No machine of the merchant holds anything. */
  'purchasePlan.noMachines': 409,
  /** No line is to be ordered, or none can be. */
  'purchasePlan.nothing': 409,
  /** The product is not delivered so: no supplier of it, or another product's. */
  'purchasePlan.supplier': 422,
  /** Whoever has nothing to do with medicine orders none. */
  'purchasePlan.medicine': 403,
})

const plan = z.object({
  id: z.int(),
  no: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  warehouseName: z.string(),
  state: z.enum(purchasePlanState.states),
  fromOn: zDay,
  /** So many days it has to last from the day on which the goods can be there. */
  horizonDays: z.int(),
  /** Between two visits of a machine. */
  coverDays: z.int(),
  hasMedicine: z.boolean(),
  machines: z.int(),
  slots: z.int(),
  lineCount: z.int(),
  toOrder: z.int(),
  hindered: z.int(),
  changed: z.int(),
  amountFen: zFen,
  orders: z.int(),
  /** Through this day it was compared with what was sold; null as long as no day of it is over. */
  measuredTo: zDay.nullable(),
  /** What forecast and sales differ by, product by product, in thousandths of what was sold; null without sales. */
  errorPermille: z.int().nullable(),
  /** Above 0 more was forecast than sold. */
  biasPermille: z.int().nullable(),
  note: z.string(),
  maker: z.string(),
  madeAt: zInstant,
  ender: z.string().nullable(),
  endedAt: zInstant.nullable(),
  endReason: z.string(),
})
export type PurchasePlan = z.output<typeof plan>

export const listPurchasePlans = listEndpoint({
  name: 'purchase.listPurchasePlans',
  path: '/api/purchase-plans',
  access: 'purchasePlan.read',
  summary: 'What was planned to be ordered for merchants in sight, newest first, and how right its forecast was',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(purchasePlanState.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: plan,
})

export const purchasePlanFields = {
  no: { kind: 'code' },
  state: stateField('purchasePlanState', purchasePlanState, { proposed: 'warn', ordered: 'good', discarded: 'idle' }),
  warehouseName: { kind: 'text' },
  fromOn: { kind: 'day' },
  horizonDays: { kind: 'count' },
  coverDays: { kind: 'count' },
  hasMedicine: { kind: 'boolean' },
  machines: { kind: 'count' },
  slots: { kind: 'count' },
  lineCount: { kind: 'count' },
  toOrder: { kind: 'count' },
  hindered: { kind: 'count' },
  changed: { kind: 'count' },
  amountFen: { kind: 'money' },
  orders: { kind: 'count' },
  measuredTo: { kind: 'day' },
  errorPermille: { kind: 'permille' },
  biasPermille: { kind: 'permille' },
  note: { kind: 'text' },
  maker: { kind: 'text' },
  madeAt: { kind: 'dateTime' },
  ender: { kind: 'text' },
  endedAt: { kind: 'dateTime' },
  endReason: { kind: 'text' },
  merchantName: { kind: 'text' },
} satisfies Fields

export const getPurchasePlan = endpoint({
  name: 'purchase.getPurchasePlan',
  method: 'GET',
  path: '/api/purchase-plans/{id}',
  access: 'purchasePlan.read',
  input: z.strictObject({ id: zId }),
  output: plan.extend({
    /** What it comes to, supplier by supplier. */
    suppliers: z.array(
      z.object({ supplierId: z.int(), supplierName: z.string(), lines: z.int(), packs: z.int(), amountFen: zFen }),
    ),
    /** What can't be ordered, by why. */
    hindrances: z.array(z.object({ hindrance: z.enum(planHindrances), lines: z.int() })),
    madeOrders: z.array(z.object({ id: z.int(), no: z.string(), supplierName: z.string() })),
  }),
  refusals: ['request.notFound'],
  summary: 'One plan: what it comes to by supplier, what stands in the way, and which orders it became',
})

const line = z.object({
  id: z.int(),
  planId: z.int(),
  planNo: z.string(),
  planState: z.enum(purchasePlanState.states),
  merchantId: z.int(),
  merchantName: z.string(),
  productId: z.int(),
  productCode: z.string(),
  productName: z.string(),
  specification: z.string(),
  isMedicine: z.boolean(),
  verdict: z.enum(planVerdicts),
  hindrance: z.enum(planHindrances).nullable(),
  /** Days that the numbers are of: until the goods come, and the plan's after that. */
  needDays: z.int(),
  /** In pieces. */
  forecast: z.number(),
  safety: z.int(),
  slotTarget: z.int(),
  inSlots: z.int(),
  inStore: z.int(),
  inBags: z.int(),
  coming: z.int(),
  /** Of what lies in warehouses and bags: not to be sold any more, or not before it ends. */
  unusable: z.int(),
  /** How long all of it lasts at this rate; null where nothing is sold. */
  lastsDays: z.number().nullable(),
  supplierProductId: z.int().nullable(),
  supplierId: z.int().nullable(),
  supplierName: z.string().nullable(),
  packUnits: z.int().nullable(),
  minimumPacks: z.int().nullable(),
  proposedPacks: z.int(),
  packs: z.int(),
  pieces: z.int(),
  /** Of a pack, as the list has it. */
  priceFen: zFen.nullable(),
  amountFen: zFen,
  changer: z.string().nullable(),
  changedAt: zInstant.nullable(),
  orderId: z.int().nullable(),
  orderNo: z.string().nullable(),
  /** From the plan's first day through the last one that is over; null before. */
  sold: z.int().nullable(),
  forecastThen: z.number().nullable(),
  /** Of that time its slots had any, in thousandths; a forecast counts for so much of it. */
  stockedPermille: z.int().nullable(),
})
export type PurchasePlanLine = z.output<typeof line>

export const listPurchasePlanLines = listEndpoint({
  name: 'purchase.listPurchasePlanLines',
  path: '/api/purchase-plan-lines',
  access: 'purchasePlan.read',
  summary: 'Product by product what plans of merchants in sight propose, and why',
  filters: {
    q: zSearch.optional(),
    planNo: zSearch.optional(),
    verdict: zAnyOf(planVerdicts).optional(),
    changed: z.enum(['yes']).optional(),
    supplierId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest', 'soonest', 'dearest'],
  item: line,
  sums: { amountFen: zFen },
})

export const purchasePlanLineFields = {
  productName: { kind: 'text' },
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  specification: { kind: 'text' },
  verdict: {
    kind: 'state',
    words: 'planVerdict',
    tones: { order: 'busy', enough: 'good', leftOut: 'warn', hindered: 'bad' },
  },
  hindrance: {
    kind: 'state',
    words: 'planHindrance',
    tones: Object.fromEntries(planHindrances.map((each) => [each, 'bad' as const])),
  },
  forecast: { kind: 'count' },
  needDays: { kind: 'count' },
  safety: { kind: 'count' },
  slotTarget: { kind: 'count' },
  inSlots: { kind: 'count' },
  inStore: { kind: 'count' },
  inBags: { kind: 'count' },
  coming: { kind: 'count' },
  unusable: { kind: 'count' },
  lastsDays: { kind: 'count' },
  supplierName: { kind: 'text' },
  proposedPacks: { kind: 'count' },
  packs: { kind: 'count' },
  pieces: { kind: 'count' },
  priceFen: { kind: 'money' },
  amountFen: { kind: 'money' },
  changer: { kind: 'text' },
  changedAt: { kind: 'dateTime' },
  orderNo: { kind: 'ref', to: 'jxcgl/cgd', by: 'q' },
  planNo: { kind: 'code' },
  planState: purchasePlanFields.state,
  sold: { kind: 'count' },
  forecastThen: { kind: 'count' },
  stockedPermille: { kind: 'permille' },
  merchantName: { kind: 'text' },
} satisfies Fields

const behind = z.object({
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  slots: z.int(),
  /** Pieces a day while it is not empty. */
  perDay: z.number(),
  forecast: z.number(),
  there: z.int(),
  slotTarget: z.int(),
})

export const getPurchasePlanLine = endpoint({
  name: 'purchase.getPurchasePlanLine',
  method: 'GET',
  path: '/api/purchase-plan-lines/{id}',
  access: 'purchasePlan.read',
  input: z.strictObject({ id: zId }),
  output: line.extend({
    version: z.int(),
    machines: z.int(),
    slots: z.int(),
    /** Pieces on a Monday and so on. */
    weekday: z.array(z.number()),
    /** Those that need most, as far as they are in sight. */
    behind: z.array(behind),
    options: z.array(
      z.object({
        supplierProductId: z.int(),
        supplierName: z.string(),
        packUnits: z.int(),
        minimumPacks: z.int(),
        leadDays: z.int(),
        packFen: zFen.nullable(),
        hindrance: z.enum(planHindrances).nullable(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One line: its numbers, the machines behind it, and who delivers it',
})

const written = { method: 'POST' as const, access: 'purchasePlan.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(purchasePlanState.states) })
const refusals = ['request.notFound', 'purchasePlan.state'] as const

export const addPurchasePlan = endpoint({
  ...written,
  name: 'purchase.addPurchasePlan',
  path: '/api/purchase-plans',
  input: z.strictObject({
    warehouseId: zId,
    horizonDays: z.coerce.number().int().min(1).max(60).default(14),
    coverDays: z.coerce.number().int().min(1).max(30).default(3),
    note: zLine(200).default(''),
  }),
  output: z.object({ id: z.int(), no: z.string() }),
  refusals: ['request.notFound', 'warehouse.state', 'purchasePlan.noMachines'],
  summary: 'Propose what to order for the machines of the warehouse’s merchant, product by product, with why',
})

export const changePurchasePlanLine = endpoint({
  ...written,
  name: 'purchase.changePurchasePlanLine',
  path: '/api/purchase-plan-lines/{id}/change',
  input: z.strictObject({
    id: zId,
    version: z.int().positive(),
    supplierProductId: zId.nullable(),
    packs: z.coerce.number().int().min(0).max(100_000),
  }),
  output: z.object({ id: z.int(), packs: z.int() }),
  refusals: [...refusals, 'edit.stale', 'purchasePlan.supplier', 'purchasePlan.medicine'],
  summary: 'Order more or less of a product than is proposed, or of another supplier',
})

export const orderPurchasePlan = endpoint({
  ...written,
  name: 'purchase.orderPurchasePlan',
  path: '/api/purchase-plans/{id}/order',
  input: z.strictObject({ id: zId }),
  output: changed.extend({ orders: z.int(), leftOut: z.int() }),
  refusals: [...refusals, 'purchasePlan.nothing', 'purchasePlan.medicine', 'warehouse.state'],
  summary: 'Draft an order a supplier of all that is to be ordered; what can’t be ordered today is left out',
})

export const discardPurchasePlan = endpoint({
  ...written,
  name: 'purchase.discardPurchasePlan',
  path: '/api/purchase-plans/{id}/discard',
  input: z.strictObject({ id: zId, reason: zNeeded(200) }),
  output: changed,
  refusals,
  summary: 'Nothing is ordered by it, and why',
})
