import { z } from 'zod'
import { medicineClasses } from '../catalog/product'
import { listEndpoint, zAnyOf, zId, zSearch, zSearchOf } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { scopeFilters } from './scope'

const named = { id: z.int(), name: z.string(), code: z.string().nullable() }

export const productRow = z.object({
  ...named,
  quantity: z.int(),
  /** The time before, like `beforeFen`; null where the rows are times themselves. */
  quantityBefore: z.int().nullable(),
  paidFen: zFenPositive,
  refundedQuantity: z.int(),
  refundedFen: zFenPositive,
  netFen: zFen,
  /** Of the pieces whose money stayed, at what they cost when they were sold. */
  costFen: zFen,
  marginFen: zFen,
  /** Of a thousand of net; null where nothing is left. */
  marginPermille: z.int().nullable(),
  marginBeforeFen: zFen.nullable(),
  beforeFen: zFen.nullable(),
  changeFen: zFen.nullable(),
  orderSearch: zSearchOf,
  /** The same report one step deeper. */
  drill: zSearchOf.nullable(),
})
export type ProductRow = z.output<typeof productRow>

export const productSums = {
  quantity: z.int(),
  paidFen: zFen,
  refundedQuantity: z.int(),
  refundedFen: zFen,
  netFen: zFen,
  costFen: zFen,
  marginFen: zFen,
  beforeFen: zFen,
}

export const productGroups = ['product', 'category', 'machine', 'merchant', 'day', 'month'] as const

export const listProductSales = listEndpoint({
  name: 'report.listProductSales',
  path: '/api/reports/products',
  access: 'product.read',
  summary: 'Pieces sold and refunded by machines in sight, with amount, cost and margin',
  filters: { ...scopeFilters, productCode: zSearch.optional(), by: z.enum(productGroups).default('product') },
  sorts: ['net', 'quantity', 'margin', 'refunded', 'change', 'group'],
  item: productRow,
  sums: productSums,
})

const medicine = z.object({
  ...named,
  medicineClass: z.enum(medicineClasses).nullable(),
  quantity: z.int(),
  paidFen: zFenPositive,
  costFen: zFenPositive,
  marginFen: zFen,
  beforeFen: zFen.nullable(),
  changeFen: zFen.nullable(),
  orderSearch: zSearchOf,
  drill: zSearchOf.nullable(),
})
export type MedicineRow = z.output<typeof medicine>

export const medicineGroups = ['medicine', 'batch', 'class', 'hospital', 'machine', 'day', 'month'] as const

/** What was handed out, on the business day of its sale; refunds are not taken off, since the medicine is gone. */
export const listMedicineSales = listEndpoint({
  name: 'report.listMedicineSales',
  path: '/api/reports/medicines',
  access: 'medicine.read',
  summary: 'Medicines handed out by machines in sight, by medicine, batch, class, hospital, machine or time',
  filters: {
    ...scopeFilters,
    productCode: zSearch.optional(),
    batch: zSearch.optional(),
    medicineClass: zAnyOf(medicineClasses).optional(),
    hospitalId: zId.optional(),
    by: z.enum(medicineGroups).default('medicine'),
  },
  sorts: ['quantity', 'paid', 'margin', 'change', 'group'],
  item: medicine,
  sums: { quantity: z.int(), paidFen: zFen, costFen: zFen, marginFen: zFen },
})

const cross = z.object({
  ...named,
  quantity: z.int(),
  paidFen: zFenPositive,
  refundedQuantity: z.int(),
  refundedFen: zFenPositive,
  netFen: zFen,
  /** Put into slots and taken out of them by people in the period; sales are above. */
  filledUnits: z.int(),
  removedUnits: z.int(),
  /** In the slots now, and what that cost. */
  stockUnits: z.int(),
  stockFen: zFen,
  orderSearch: zSearchOf,
})
export type CrossRow = z.output<typeof cross>

export const crossGroups = ['merchant', 'machine', 'product'] as const

export const listCrossSummary = listEndpoint({
  name: 'report.listCrossSummary',
  path: '/api/reports/cross-summary',
  access: 'order.read',
  summary: 'Sales, refunds, movements and stock of machines in sight side by side',
  filters: { ...scopeFilters, productCode: zSearch.optional(), by: z.enum(crossGroups).default('merchant') },
  sorts: ['net', 'stock', 'quantity', 'group'],
  item: cross,
  sums: {
    quantity: z.int(),
    paidFen: zFen,
    refundedFen: zFen,
    netFen: zFen,
    filledUnits: z.int(),
    removedUnits: z.int(),
    stockUnits: z.int(),
    stockFen: zFen,
  },
})

const toOrders = { to: 'jygl/ddgl', search: 'orderSearch' } as const

const sold = {
  quantity: { kind: 'count', ...toOrders },
  paidFen: { kind: 'money', ...toOrders },
} satisfies Fields

const soldLess = {
  ...sold,
  refundedQuantity: { kind: 'count' },
  refundedFen: { kind: 'money' },
  netFen: { kind: 'money' },
} satisfies Fields

export const productSalesFields = {
  name: { kind: 'text', to: 'jygl/sptj', search: 'drill' },
  code: { kind: 'code' },
  ...soldLess,
  costFen: { kind: 'money' },
  marginFen: { kind: 'money' },
  marginPermille: { kind: 'permille' },
  quantityBefore: { kind: 'count' },
  marginBeforeFen: { kind: 'money' },
  beforeFen: { kind: 'money' },
  changeFen: { kind: 'money' },
} satisfies Fields

export const medicineSalesFields = {
  name: { kind: 'text', to: 'jygl/ypxstj', search: 'drill' },
  code: { kind: 'code' },
  medicineClass: { kind: 'state', words: 'class', tones: { rx: 'warn', otc_a: 'idle', otc_b: 'idle' } },
  ...sold,
  costFen: { kind: 'money' },
  marginFen: { kind: 'money' },
  beforeFen: { kind: 'money' },
  changeFen: { kind: 'money' },
} satisfies Fields

export const crossFields = {
  name: { kind: 'text' },
  code: { kind: 'code' },
  ...soldLess,
  filledUnits: { kind: 'count' },
  removedUnits: { kind: 'count' },
  stockUnits: { kind: 'count' },
  stockFen: { kind: 'money' },
} satisfies Fields
