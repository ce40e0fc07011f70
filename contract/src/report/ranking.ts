import { z } from 'zod'
import { productKinds } from '../catalog/product'
import { listEndpoint, zId, zSearch, zSearchOf } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { paidFilters, scopeFilters } from './scope'

/** `current`: on sale, in service or running machines now; `past`: no longer, its sales of the time remain. */
export const standings = ['current', 'past'] as const

const ranked = {
  id: z.int(),
  name: z.string(),
  code: z.string().nullable(),
  /** From the top by what the order asks for, ties share one; null for what belongs to nothing that could be ranked. */
  rank: z.int().nullable(),
  /** The same in the time before; null where nothing was sold then. */
  rankBefore: z.int().nullable(),
  standing: z.enum(standings).nullable(),
  /** Of a thousand of all that was sold, by what the order asks for; null where nothing was. */
  sharePermille: z.int().nullable(),
  paidFen: zFenPositive,
  beforeFen: zFenPositive,
  changeFen: zFen,
  refundedFen: zFenPositive,
  netFen: zFen,
  orderSearch: zSearchOf,
}
const rankedSums = {
  /** Things that could sell, or did; and those that did in the time. */
  things: z.int(),
  selling: z.int(),
  paidFen: zFen,
  beforeFen: zFen,
  refundedFen: zFen,
  netFen: zFen,
}

const product = z.object({
  ...ranked,
  quantity: z.int(),
  quantityBefore: z.int(),
  /** The same product by machine. */
  drill: zSearchOf,
})
export type RankedProduct = z.output<typeof product>

/** Rows without sales are products that lie in a slot of a machine in sight now. */
export const rankProducts = listEndpoint({
  name: 'report.rankProducts',
  path: '/api/reports/product-ranking',
  access: 'report.read',
  summary: 'Products by pieces or amount sold by machines in sight, most or least first, beside the time before',
  filters: { ...scopeFilters, productCode: zSearch.optional() },
  sorts: ['paid', 'quantity', 'paidLeast', 'quantityLeast', 'change'],
  item: product,
  sums: { ...rankedSums, quantity: z.int(), quantityBefore: z.int() },
})

const goods = product.extend({
  categoryName: z.string().nullable(),
  /** Pieces of it in machines in sight now. */
  stock: z.int(),
  productSearch: zSearchOf,
  categorySearch: zSearchOf,
})
export type RankedGoods = z.output<typeof goods>

/** The same for who keeps the range: beside each product what is left of it, and only those of a branch of the tree. */
export const rankGoods = listEndpoint({
  name: 'report.rankGoods',
  path: '/api/reports/goods-ranking',
  access: 'product.read',
  summary: 'Products of a category by pieces or amount sold, beside the time before and what is left of them',
  filters: {
    ...scopeFilters,
    productCode: zSearch.optional(),
    /** With all below it. */
    categoryId: zId.optional(),
    kind: z.enum(productKinds).optional(),
  },
  sorts: ['paid', 'quantity', 'paidLeast', 'quantityLeast', 'change'],
  item: goods,
  sums: { ...rankedSums, quantity: z.int(), quantityBefore: z.int() },
})

const sold = { orders: z.int(), ordersBefore: z.int() }
const soldSorts = ['paid', 'orders', 'paidLeast', 'ordersLeast', 'change'] as const

const machine = z.object({
  ...ranked,
  ...sold,
  /** Where it stands now. */
  pointName: z.string(),
  operatorName: z.string().nullable(),
  /** Hours that its slots stood empty of what they are for, added up over them. */
  stockOutHours: z.int(),
  machineSearch: zSearchOf,
})
export type RankedMachine = z.output<typeof machine>

/** Rows without sales are machines in service now. `hospitalId`: what was sold there, wherever it stands now. */
export const rankMachines = listEndpoint({
  name: 'report.rankMachines',
  path: '/api/reports/machine-ranking',
  access: 'report.read',
  summary: 'Machines in sight by amount or orders, most or least first, with point and stock-out hours',
  filters: { ...paidFilters, operatorId: zId.optional(), hospitalId: zId.optional() },
  sorts: soldSorts,
  item: machine,
  sums: { ...rankedSums, ...sold },
})

export const rankedRunners = ['operator', 'hospital'] as const

const runner = z.object({
  ...ranked,
  ...sold,
  /** In sight, in service now. */
  machineCount: z.int(),
  machineSearch: zSearchOf,
  /** Its machines, ranked. */
  drill: zSearchOf,
})
export type RankedRunner = z.output<typeof runner>

/** An operator's sales are those of the machines that it runs now; a hospital's, what was sold there. */
export const rankRunners = listEndpoint({
  name: 'report.rankRunners',
  path: '/api/reports/operator-ranking',
  access: 'report.read',
  summary: 'Operators or hospitals by what machines in sight sold for or at them',
  filters: {
    ...paidFilters,
    by: z.enum(rankedRunners).default('operator'),
    operatorId: zId.optional(),
    hospitalId: zId.optional(),
  },
  sorts: soldSorts,
  item: runner,
  sums: { ...rankedSums, ...sold },
})

const toOrders = { to: 'jygl/ddgl', search: 'orderSearch' } as const
const standing = stateField('standing', standings, { current: 'good', past: 'idle' })
const amounts = {
  code: { kind: 'code' },
  rank: { kind: 'count' },
  rankBefore: { kind: 'count' },
  standing,
  sharePermille: { kind: 'permille' },
  paidFen: { kind: 'money', ...toOrders },
  beforeFen: { kind: 'money' },
  changeFen: { kind: 'money' },
  refundedFen: { kind: 'money' },
  netFen: { kind: 'money' },
} satisfies Fields

export const productRankingFields = {
  ...amounts,
  name: { kind: 'text', to: 'jygl/sptj', search: 'drill' },
  quantity: { kind: 'count', ...toOrders },
  quantityBefore: { kind: 'count' },
} satisfies Fields

export const goodsRankingFields = {
  ...productRankingFields,
  name: { kind: 'text', to: 'spgl/wdsp', search: 'productSearch' },
  categoryName: { kind: 'text', to: 'spgl/wdsp', search: 'categorySearch' },
  stock: { kind: 'count' },
} satisfies Fields

const counts = { orders: { kind: 'count', ...toOrders }, ordersBefore: { kind: 'count' } } satisfies Fields

export const machineRankingFields = {
  ...amounts,
  ...counts,
  name: { kind: 'text', to: 'shj/wdshj', search: 'machineSearch' },
  pointName: { kind: 'text' },
  operatorName: { kind: 'text' },
  stockOutHours: { kind: 'count' },
} satisfies Fields

export const runnerRankingFields = {
  ...amounts,
  ...counts,
  name: { kind: 'text', to: 'home/syjqpm', search: 'drill' },
  machineCount: { kind: 'count', to: 'shj/wdshj', search: 'machineSearch' },
} satisfies Fields
