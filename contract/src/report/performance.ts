import { z } from 'zod'
import { listEndpoint, zDay, zInstant, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFenPositive } from '../kernel/money'

const performance = z.object({
  /** Of the user. */
  id: z.int(),
  displayName: z.string(),
  account: z.string(),
  merchantName: z.string(),
  roles: z.string(),
  /** Authorised to the user, in the caller's sight; every figure is of these machines. */
  machineCount: z.int(),
  fillCount: z.int(),
  filledUnits: z.int(),
  /** Units that counts had to correct, of a thousand filled; null where nothing was filled. */
  correctedPermille: z.int().nullable(),
  /** Hours that a slot stood empty, over all slots. */
  stockOutHours: z.int(),
  /** The same for one machine and day, in minutes: what can be compared between people. */
  stockOutMinutesPerDay: z.int().nullable(),
  /** Repairs that ended, and how many hours they took from being asked for, on average; null where none did. */
  repairCount: z.int(),
  repairHours: z.int().nullable(),
  orderCount: z.int(),
  paidFen: zFenPositive,
  lastFilledAt: zInstant.nullable(),
})
export type Performance = z.output<typeof performance>

/** `from` and `to` are days of the network's home, both included; without them the last 30 days. At most a year. */
export const listPerformance = listEndpoint({
  name: 'report.listPerformance',
  path: '/api/performance',
  access: 'user.read',
  summary: 'People with machines in their care: what happened to those, from stock moves, stock-outs and orders',
  filters: { q: zSearch.optional(), from: zDay.optional(), to: zDay.optional() },
  sorts: ['name'],
  item: performance,
})

export const performanceFields = {
  displayName: { kind: 'text' },
  account: { kind: 'code' },
  merchantName: { kind: 'text' },
  roles: { kind: 'text' },
  machineCount: { kind: 'count' },
  fillCount: { kind: 'count' },
  filledUnits: { kind: 'count' },
  correctedPermille: { kind: 'count' },
  stockOutHours: { kind: 'count' },
  stockOutMinutesPerDay: { kind: 'count' },
  repairCount: { kind: 'count' },
  repairHours: { kind: 'count' },
  orderCount: { kind: 'count' },
  paidFen: { kind: 'money' },
  lastFilledAt: { kind: 'dateTime', saysNever: true },
} satisfies Fields
