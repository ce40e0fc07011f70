import { z } from 'zod'
import { endpoint, zDay, zId, zInstant } from '../kernel/endpoint'
import { replenishmentState } from './replenishmentOrder'

const coming = z.object({
  orderId: z.int(),
  no: z.string(),
  state: z.enum(replenishmentState.states),
  replenisherName: z.string(),
  machines: z.int(),
  /** What it brings, and of that what is in already. */
  pieces: z.int(),
  filled: z.int(),
  startedAt: zInstant.nullable(),
})
export type ComingVisit = z.output<typeof coming>

export const listComingVisits = endpoint({
  name: 'field.listComingVisits',
  method: 'GET',
  path: '/api/coming-visits',
  access: 'replenishmentOrder.read',
  input: z.strictObject({ machineId: zId.optional(), routeId: zId.optional() }),
  output: z.object({
    items: z.array(coming),
    /** The day on which the route, or that of the machine, is driven next; today included. */
    nextOn: zDay.nullable(),
  }),
  summary: 'Who brings what next to a machine, or to those of a route, and the next day of its route',
})
