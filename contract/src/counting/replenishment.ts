import { z } from 'zod'
import { batchField, codedNameField } from '../catalog/product'
import { listEndpoint, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'

/** Out of the bag of who filled, or from outside where the books have no more of it in a bag. */
export const fillSources = ['bag', 'outside'] as const

const replenishment = z.object({
  id: z.int(),
  at: zInstant,
  machineCode: z.string(),
  machineName: z.string(),
  pointName: z.string(),
  merchantName: z.string(),
  slotCode: z.string(),
  productCode: z.string(),
  productName: z.string(),
  /** As the machine counts; null of those that were heard before it was kept. */
  before: z.int().nullable(),
  added: z.int(),
  after: z.int().nullable(),
  /** Pieces that were missing, or too many, when it came: what was counted after it, less before and added. */
  gap: z.int().nullable(),
  batch: z.string().nullable(),
  expiresOn: zDay.nullable(),
  source: z.enum(fillSources),
  fromName: z.string().nullable(),
  /** Whom the machine knows as the one who filled. */
  replenisher: z.string().nullable(),
  /** Of the machine's door around it; null where it said nothing of it within hours. */
  doorOpenedAt: zInstant.nullable(),
  doorClosedAt: zInstant.nullable(),
})
export type Replenishment = z.output<typeof replenishment>

export const listReplenishments = listEndpoint({
  name: 'counting.listReplenishments',
  path: '/api/replenishments',
  access: 'replenishment.read',
  summary: 'What was put into slots of machines in sight, newest first',
  filters: {
    /** Machine, point, route or hospital. */
    q: zSearch.optional(),
    product: zSearch.optional(),
    batch: zSearch.optional(),
    replenisher: zSearch.optional(),
    machineCode: zSearch.optional(),
    from: zDay.optional(),
    to: zDay.optional(),
    source: z.enum(fillSources).optional(),
    gap: z.enum(['yes']).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: replenishment,
  sums: { added: z.int() },
})

export const replenishmentFields = {
  at: { kind: 'dateTime' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  pointName: { kind: 'text' },
  merchantName: { kind: 'text' },
  slotCode: { kind: 'code' },
  productCode: { kind: 'ref', to: 'spgl/wdsp', by: 'code' },
  productName: codedNameField,
  before: { kind: 'count' },
  added: { kind: 'count' },
  after: { kind: 'count' },
  gap: { kind: 'count' },
  batch: batchField,
  expiresOn: { kind: 'day' },
  source: { kind: 'state', words: 'fillSource', tones: {} },
  fromName: { kind: 'text' },
  replenisher: { kind: 'text' },
  doorOpenedAt: { kind: 'dateTime' },
  doorClosedAt: { kind: 'dateTime' },
} satisfies Fields
