import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId } from '../kernel/endpoint'
import { stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { limitGroups } from './medicine'

export const limitRefusals = defineRefusals('medicine', {
  'limit.looser': 422,
  'limit.platformOnly': 403,
})

const limit = z.object({
  id: z.int(),
  /** Null: the platform's, which holds for all. */
  merchantId: z.int().nullable(),
  merchantName: z.string().nullable(),
  limitGroup: z.enum(limitGroups),
  packs: z.int(),
  days: z.int(),
  version: z.int(),
})
export type RealNameLimit = z.output<typeof limit>

export const limitFields = {
  limitGroup: stateField('limitGroup', limitGroups, {
    ephedrine: 'warn',
    codeine: 'warn',
    diphenoxylate: 'idle',
    licorice: 'idle',
  }),
  merchantName: { kind: 'text' },
  packs: { kind: 'count' },
  days: { kind: 'count' },
} as const

export const listLimits = listEndpoint({
  name: 'medicine.listLimits',
  path: '/api/real-name-limits',
  access: 'medicine.read',
  summary: 'How many packs of each group one person may have: the rules of the platform and of merchants in sight',
  filters: { limitGroup: zAnyOf(limitGroups).optional(), merchantId: zId.optional() },
  sorts: ['group'],
  item: limit,
})

export const getLimit = endpoint({
  name: 'medicine.getLimit',
  method: 'GET',
  path: '/api/real-name-limits/{id}',
  access: 'medicine.read',
  input: z.strictObject({ id: zId }),
  output: limit,
  refusals: ['request.notFound'],
  summary: 'One rule of how many packs of a group one person may have',
})

export const putLimit = endpoint({
  name: 'medicine.putLimit',
  method: 'POST',
  path: '/api/real-name-limits',
  access: 'medicine.write',
  writes: true,
  input: z.strictObject({
    /** Left out: the platform's own. */
    merchantId: zId.nullable().default(null),
    limitGroup: z.enum(limitGroups),
    packs: z.coerce.number().int().min(1).max(100),
    days: z.coerce.number().int().min(1).max(365),
  }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'limit.looser', 'limit.platformOnly'],
  summary: 'Set how many packs of a group one person may have in so many days; a merchant may only be stricter',
})

export const removeLimit = endpoint({
  name: 'medicine.removeLimit',
  method: 'POST',
  path: '/api/real-name-limits/{id}/remove',
  access: 'medicine.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'limit.platformOnly'],
  summary: 'Let the platform’s rule alone hold for a merchant again',
})
