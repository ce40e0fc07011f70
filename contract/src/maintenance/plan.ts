import { z } from 'zod'
import { endpoint, zDay, zId } from '../kernel/endpoint'
import { type Fields } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'

export const repairPlanRefusals = defineRefusals('maintenance', {
  'repairPlan.nameTaken': 409,
  'repairPlan.noMachine': 422,
})

const plan = z.object({
  id: z.int(),
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  name: z.string(),
  everyDays: z.int().nullable(),
  everyOrders: z.int().nullable(),
  since: zDay,
  /** Orders of the machine after that day. */
  orders: z.int(),
  /** By days, where it counts days. */
  dueOn: zDay.nullable(),
  /** Null where it does not count orders. */
  ordersLeft: z.int().nullable(),
  isDue: z.boolean(),
  openOrderId: z.int().nullable(),
  version: z.int(),
})
export type RepairPlan = z.output<typeof plan>

export const listRepairPlans = endpoint({
  name: 'maintenance.listRepairPlans',
  method: 'GET',
  path: '/api/repair-plans',
  access: 'repairOrder.read',
  input: z.strictObject({ code: z.string().trim().max(20).optional() }),
  output: z.object({ items: z.array(plan), total: z.int() }),
  summary: 'Maintenance plans of machines in sight, what is due next first; at most 200',
})

const zEvery = {
  everyDays: z.coerce.number().int().min(1).max(3650).nullable().default(null),
  everyOrders: z.coerce.number().int().min(1).max(1_000_000).nullable().default(null),
}
const name = z.string().trim().min(1).max(60)
const hasInterval = (input: { everyDays: number | null; everyOrders: number | null }) =>
  input.everyDays !== null || input.everyOrders !== null
/** Worded by `rule.every` of this domain's catalog. */
const everyRule = { path: ['everyDays'], params: { domain: 'maintenance', rule: 'every' } }

export const addRepairPlan = endpoint({
  name: 'maintenance.addRepairPlan',
  method: 'POST',
  path: '/api/repair-plans',
  access: 'repairOrder.write',
  writes: true,
  input: z
    .strictObject({ machineCode: z.string().trim().min(1).max(20), name, ...zEvery, since: zDay })
    .refine(hasInterval, everyRule),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', ...repairPlanRefusals],
  summary: 'A maintenance plan of a machine, by days, by orders sold, or whichever comes first',
})

export const editRepairPlan = endpoint({
  name: 'maintenance.editRepairPlan',
  method: 'POST',
  path: '/api/repair-plans/{id}/edit',
  access: 'repairOrder.write',
  writes: true,
  input: z
    .strictObject({ id: zId, version: z.int().positive(), name, ...zEvery, since: zDay })
    .refine(hasInterval, everyRule),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'edit.stale', 'repairPlan.nameTaken'],
  summary: 'Change a maintenance plan',
})

export const removeRepairPlan = endpoint({
  name: 'maintenance.removeRepairPlan',
  method: 'POST',
  path: '/api/repair-plans/{id}/remove',
  access: 'repairOrder.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound'],
  summary: 'Remove a maintenance plan; orders that it made stay',
})

export const repairPlanFields = {
  everyDays: { kind: 'count' },
  everyOrders: { kind: 'count' },
  since: { kind: 'day' },
} satisfies Fields
