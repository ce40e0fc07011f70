import { z } from 'zod'
import { endpoint, listEndpoint, zId, zInstant } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateNames } from '../kernel/states'

export const displayKeyStates = ['valid', 'revoked'] as const
export const displayKeyState = stateNames(displayKeyStates)

export const displayKeyRefusals = defineRefusals('wallboard', {
  'displayKey.revoked': 409,
  /** Whoever sees some machines of a merchant makes nothing that shows all of them. */
  'displayKey.partSight': 403,
})

const displayKey = z.object({
  id: z.int(),
  name: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  hidesNames: z.boolean(),
  state: z.enum(displayKeyStates),
  /** That registered with it within a day. */
  boards: z.int(),
  createdAt: zInstant,
  createdBy: z.string().nullable(),
  revokedAt: zInstant.nullable(),
  revokedBy: z.string().nullable(),
})
export type DisplayKey = z.output<typeof displayKey>

export const listDisplayKeys = listEndpoint({
  name: 'wallboard.listDisplayKeys',
  path: '/api/display-keys',
  access: 'displayKey.read',
  summary: 'Keys of public wallboards of merchants in sight, valid ones first',
  filters: { merchantId: zId.optional() },
  sorts: ['newest'],
  item: displayKey,
})

export const displayKeyFields = {
  name: { kind: 'text' },
  merchantId: { kind: 'count' },
  hidesNames: { kind: 'boolean' },
  state: stateField('displayKeyState', displayKeyStates, { valid: 'good', revoked: 'idle' }),
} satisfies Fields

export const addDisplayKey = endpoint({
  name: 'wallboard.addDisplayKey',
  method: 'POST',
  path: '/api/display-keys',
  access: 'displayKey.write',
  writes: true,
  input: z.strictObject({
    merchantId: zId,
    name: z.string().trim().min(1).max(60),
    hidesNames: z.boolean().default(false),
  }),
  output: z.object({ id: z.int(), key: z.string() }),
  refusals: ['request.notFound', 'displayKey.partSight'],
  summary: 'A key for boards that hang where nobody signs in; it is told once and shows its merchant and those below',
})

export const revokeDisplayKey = endpoint({
  name: 'wallboard.revokeDisplayKey',
  method: 'POST',
  path: '/api/display-keys/{id}/revoke',
  access: 'displayKey.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({}),
  refusals: ['request.notFound', 'displayKey.revoked'],
  summary: 'Boards that show this key close within moments and can not come back with it',
})
