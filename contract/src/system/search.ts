import { z } from 'zod'
import { endpoint, zSearch } from '../kernel/endpoint'

export const search = endpoint({
  name: 'system.search',
  method: 'GET',
  path: '/api/search',
  access: 'session',
  input: z.strictObject({ q: zSearch }),
  output: z.object({
    items: z.array(
      z.object({
        kind: z.enum(['machine', 'order', 'product', 'medicine', 'batch', 'member', 'merchant', 'screen']),
        code: z.string(),
        title: z.string(),
        /** Where it opens: a path of our own with the row's filter in its query. */
        path: z.string(),
      }),
    ),
  }),
  summary: 'Jump to a screen, machine, order, product, batch, member or merchant by code, name or sound, in sight',
})
