import { z } from 'zod'
import { endpoint, zDay, zId, zLine } from '../kernel/endpoint'

export const pullOutcomes = ['done', 'pulledAlready', 'place', 'gone', 'notFound'] as const

/** `ids` are of batches where they lie (the list of expiry): one order a machine, with what is to come out of where. */
export const pullBatches = endpoint({
  name: 'maintenance.pullBatches',
  method: 'POST',
  path: '/api/repair-orders/pull',
  access: 'repairOrder.write',
  writes: true,
  input: z.strictObject({
    ids: z.array(zId).min(1).max(200),
    dueOn: zDay.nullable().default(null),
    note: zLine(100).default(''),
  }),
  output: z.object({ outcomes: z.array(z.object({ id: z.int(), outcome: z.enum(pullOutcomes) })) }),
  refusals: ['request.notFound'],
  summary: 'Have the field take these batches out of machines',
})
