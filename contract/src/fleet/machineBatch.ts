import { z } from 'zod'
import { endpoint, zId } from '../kernel/endpoint'

/** What goes along when settings are copied; each word stands for the columns of one group of the form. */
export const copyable = ['flags', 'climate', 'sales', 'make', 'layout', 'region', 'flow'] as const
export type Copyable = (typeof copyable)[number]

/** More are done in two goes. */
export const MOST_IN_BATCH = 5_000
const ids = z.array(zId).min(1).max(MOST_IN_BATCH)

/** Why a machine was left as it was: `outcome.<name>` in the catalog. */
export const bindOutcomes = ['done', 'same', 'gone', 'retired', 'otherMerchant', 'openOrders', 'otherGoods'] as const
export type BindOutcome = (typeof bindOutcomes)[number]
const outcomes = z.object({ outcomes: z.array(z.object({ id: z.int(), outcome: z.enum(bindOutcomes) })) })

const chosen = {
  pointId: zId.optional(),
  routeId: zId.optional(),
  operatorId: zId.optional(),
  merchantId: zId.optional(),
}

/**
 * A machine goes to another merchant with what is in it, but not while one of its orders is under way, and only to who
 * may sell its goods. What has been sold stays with who sold it.
 */
export const bindMachines = endpoint({
  name: 'fleet.bindMachines',
  method: 'POST',
  path: '/api/machines/bind',
  access: 'machine.write',
  writes: true,
  input: z
    .strictObject({ ids, ...chosen })
    .refine((each) => Object.keys(chosen).some((name) => each[name as keyof typeof chosen] !== undefined), {
      params: { domain: 'fleet', rule: 'bindNothing' },
    }),
  output: outcomes,
  refusals: ['request.notFound', 'machine.pointStopped'],
  summary: 'Give machines a point, a route, an operator or another merchant; says of each what came of it',
})

export const copySettings = endpoint({
  name: 'fleet.copySettings',
  method: 'POST',
  path: '/api/machines/copy-settings',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({ ids, fromId: zId, what: z.array(z.enum(copyable)).min(1) }),
  output: outcomes,
  refusals: ['request.notFound'],
  summary: 'Set machines as another one is set, in the groups that are named',
})
