import { z } from 'zod'
import { listEndpoint, zId, zSearch, zSearchOf } from '../../kernel/endpoint'
import type { Fields } from '../../kernel/field'
import { productGroups, productRow, productSalesFields, productSums } from '../goods'
import { salesFields, salesRow, salesSums } from '../sales'
import { saleFilters, scopeFilters } from '../scope'

const place = salesRow.extend({
  /** Hours that slots of it stood empty of what they are for, added up over them; null of rows that are times. */
  stockOutHours: z.int().nullable(),
  /** The same report one step deeper. */
  drill: zSearchOf.nullable(),
})
export type TradeRow = z.output<typeof place>

const placeSorts = ['net', 'orders', 'refunded', 'change', 'group'] as const

export const machineTradeGroups = ['machine', 'point', 'merchant', 'day', 'week', 'month'] as const

export const listMachineTrade = listEndpoint({
  name: 'report.listMachineTrade',
  path: '/api/reports/machine-trade',
  access: 'report.read',
  summary: 'Orders, refunds and stock-out hours of machines in sight by machine, point, merchant or time',
  filters: { ...saleFilters, by: z.enum(machineTradeGroups).default('machine') },
  sorts: placeSorts,
  item: place,
  sums: salesSums,
})

export const hospitalTradeGroups = ['hospital', 'building', 'machine', 'day', 'week', 'month'] as const

/** What was sold at points of hospitals, wherever their machines stand now. */
export const listHospitalTrade = listEndpoint({
  name: 'report.listHospitalTrade',
  path: '/api/reports/hospital-trade',
  access: 'report.read',
  summary: 'Orders and refunds at hospitals of machines in sight by hospital, building, machine or time',
  filters: { ...saleFilters, by: z.enum(hospitalTradeGroups).default('hospital') },
  sorts: placeSorts,
  item: place,
  sums: salesSums,
})

/** As `report.listProductSales`, for who analyses rather than buys. */
export const listProductTrade = listEndpoint({
  name: 'report.listProductTrade',
  path: '/api/reports/product-trade',
  access: 'report.read',
  summary: 'Pieces, amount and margin of products sold by machines in sight, each beside the time before',
  filters: {
    ...scopeFilters,
    productCode: zSearch.optional(),
    categoryId: zId.optional(),
    by: z.enum(productGroups).default('product'),
  },
  sorts: ['net', 'quantity', 'margin', 'refunded', 'change', 'group'],
  item: productRow,
  sums: productSums,
})

const placeFields = { ...salesFields, stockOutHours: { kind: 'count' } } satisfies Fields

export const machineTradeFields = {
  ...placeFields,
  name: { kind: 'text', to: 'tjfx/jqjytj', search: 'drill' },
} satisfies Fields

export const hospitalTradeFields = {
  ...placeFields,
  name: { kind: 'text', to: 'tjfx/yyjytj', search: 'drill' },
} satisfies Fields

export const productTradeFields = {
  ...productSalesFields,
  name: { kind: 'text', to: 'tjfx/spjytj', search: 'drill' },
} satisfies Fields
