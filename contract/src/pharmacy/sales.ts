import { z } from 'zod'
import { endpoint, listEndpoint, zDay, zId } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFen } from '../kernel/money'

export const salesBy = ['doctor', 'hospital', 'medicine', 'day'] as const
export type SalesBy = (typeof salesBy)[number]

const sale = z.object({
  /** Of the doctor, hospital or medicine; of a day its number. */
  id: z.int(),
  by: z.enum(salesBy),
  name: z.string(),
  note: z.string(),
  day: zDay.nullable(),
  /** Null by medicine: an order with two of them would count twice. */
  orders: z.int().nullable(),
  packs: z.int(),
  soldFen: zFen,
  sharePercent: z.number(),
})
export type PrescriptionSale = z.output<typeof sale>

const narrow = {
  /** Business days, both included; without them the last 30. At most a year. */
  from: zDay.optional(),
  to: zDay.optional(),
  merchantId: zId.optional(),
}

export const listPrescriptionSales = listEndpoint({
  name: 'pharmacy.listPrescriptionSales',
  path: '/api/prescription-sales',
  access: 'prescription.read',
  summary: 'What came out on prescription, by doctor, hospital, medicine or day, from figures kept with the facts',
  filters: {
    /** By doctor when left out. */
    by: z.enum(salesBy).optional(),
    doctorId: zId.optional(),
    hospitalId: zId.optional(),
    productId: zId.optional(),
    ...narrow,
  },
  sorts: ['amount'],
  item: sale,
  sums: { soldFen: zFen },
})

export const prescriptionSaleFields = {
  name: { kind: 'text' },
  note: { kind: 'text' },
  orders: { kind: 'count' },
  packs: { kind: 'count' },
  soldFen: { kind: 'money' },
  sharePercent: { kind: 'count' },
} satisfies Fields

export const getPrescriptionSales = endpoint({
  name: 'pharmacy.getPrescriptionSales',
  method: 'GET',
  path: '/api/prescription-sales/summary',
  access: 'prescription.read',
  input: z.strictObject(narrow),
  output: z.object({
    from: zDay,
    to: zDay,
    orders: z.int(),
    packs: z.int(),
    soldFen: zFen,
    doctors: z.int(),
    prescriptions: z.int(),
    /** Orders of prescription medicines in the period without a prescription that we know. */
    unbound: z.int(),
    /** Orders of medicine in the period that a machine should not have sold so, whatever was done about them since. */
    unlawful: z.int(),
    /** Orders of which a machine has not said yet what came out. */
    doubtful: z.int(),
    days: z.array(z.object({ day: zDay, soldFen: zFen, packs: z.int() })),
  }),
  summary: 'The whole of the period, day by day, and what of it is still open',
})
