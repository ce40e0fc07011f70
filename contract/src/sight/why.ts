import { z } from 'zod'
import { userKinds } from '../identity/permissions'
import { listEndpoint, zAnyOf, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'

/** Why somebody sees a machine, widest first. */
export const sightReasons = ['platform', 'owner', 'above', 'merchant', 'organisation', 'user'] as const
export type SightReason = (typeof sightReasons)[number]

const reason = {
  reason: z.enum(sightReasons),
  /** The merchant or unit through which; null where it is the user's own. */
  via: z.string().nullable(),
  since: zInstant.nullable(),
  until: zInstant.nullable(),
}

const seer = z.object({
  /** Of the user and the reason together: who sees a machine for two reasons stands here twice. */
  id: z.int(),
  userId: z.int(),
  account: z.string(),
  name: z.string(),
  kind: z.enum(userKinds),
  merchantName: z.string(),
  ...reason,
})
export type Seer = z.output<typeof seer>

/** Only people whom the caller may see are named; of the others only the number. */
export const listSeers = listEndpoint({
  name: 'sight.listSeers',
  path: '/api/machines/{id}/seers',
  access: 'user.read',
  summary: 'Who can see the machine, and why: a row a user and reason; `others` counts users out of sight',
  filters: { id: zId, reason: zAnyOf(sightReasons).optional() },
  sorts: ['reason'],
  item: seer,
  sums: { people: z.int(), others: z.int() },
})

const seen = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  pointName: z.string(),
  province: z.string(),
  city: z.string(),
  merchantName: z.string(),
  ...reason,
})
export type SeenMachine = z.output<typeof seen>

export const listMachinesOfUser = listEndpoint({
  name: 'sight.listMachinesOfUser',
  path: '/api/users/{id}/machines',
  access: 'user.read',
  summary: 'What a user sees: the machines, each with the strongest reason',
  filters: { id: zId, q: zSearch.optional() },
  sorts: ['code'],
  item: seen,
})

const reasonField = stateField('reason', sightReasons, {
  platform: 'idle',
  owner: 'good',
  above: 'good',
  merchant: 'busy',
  organisation: 'busy',
  user: 'busy',
})

export const seenFields = {
  code: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  name: { kind: 'text' },
  pointName: { kind: 'text' },
  city: { kind: 'region' },
  merchantName: { kind: 'text' },
  reason: reasonField,
  via: { kind: 'text' },
  since: { kind: 'dateTime' },
  until: { kind: 'dateTime' },
} satisfies Fields
