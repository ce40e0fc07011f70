import { z } from 'zod'
import { batchField, codedNameField } from '../catalog/product'
import { listEndpoint, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFen } from '../kernel/money'

const lying = z.object({
  /** Of the slot, or of the first of those that are one row. */
  id: z.int(),
  routeName: z.string().nullable(),
  hospitalName: z.string().nullable(),
  machineCode: z.string().nullable(),
  pointName: z.string().nullable(),
  slotCode: z.string().nullable(),
  productCode: z.string(),
  productName: z.string(),
  merchantName: z.string(),
  slots: z.int(),
  emptySlots: z.int(),
  /** By the books. */
  stock: z.int(),
  capacity: z.int(),
  /** Pieces that fit in beside. */
  shortage: z.int(),
  valueFen: z.int(),
  /** What of it ends first, of medicines. */
  batch: z.string().nullable(),
  expiresOn: zDay.nullable(),
  /** Slots of which nobody knows in what order their batches stand. */
  doubted: z.int(),
  lastCountedAt: zInstant.nullable(),
})
export type Lying = z.output<typeof lying>

const filters = {
  q: zSearch.optional(),
  product: zSearch.optional(),
  routeId: zId.optional(),
  hospitalId: zId.optional(),
  machineCode: zSearch.optional(),
  empty: z.enum(['yes']).optional(),
  merchantId: zId.optional(),
}

const list = <const N extends string>(name: N, path: string, summary: string) =>
  listEndpoint({
    name: `counting.${name}`,
    path: `/api/count-stock/${path}`,
    access: 'stockCount.read',
    summary,
    filters,
    sorts: ['place'],
    item: lying,
    sums: { stock: z.int(), shortage: z.int(), valueFen: zFen },
  })

export const listRouteStock = list('listRouteStock', 'routes', 'What lies in the machines of each route, by product')
export const listMachineStock = list('listMachineStock', 'machines', 'What lies in each machine, by product')
export const listHospitalStock = list(
  'listHospitalStock',
  'hospitals',
  'What lies in the machines of each hospital, by product, with what of it ends first',
)
export const listSlotStock = list('listSlotStock', 'slots', 'What lies in each slot')
export type LyingList = typeof listSlotStock

export const lyingFields = {
  routeName: { kind: 'text' },
  hospitalName: { kind: 'text' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  pointName: { kind: 'text' },
  slotCode: { kind: 'code' },
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  productName: codedNameField,
  merchantName: { kind: 'text' },
  slots: { kind: 'count' },
  emptySlots: { kind: 'count' },
  stock: { kind: 'count' },
  capacity: { kind: 'count' },
  shortage: { kind: 'count' },
  valueFen: { kind: 'money' },
  batch: batchField,
  expiresOn: { kind: 'day' },
  doubted: { kind: 'count' },
  lastCountedAt: { kind: 'dateTime', saysNever: true },
} satisfies Fields
