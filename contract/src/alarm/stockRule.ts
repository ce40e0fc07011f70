import { z } from 'zod'
import { endpoint, zId, zInstant } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'

/** From how many empty slots on a machine is an alarm; `ofSlots` makes a share of it, as in 5 of 60. */
export type StockRule = { empty: number; ofSlots: number | null }

/** What holds where nobody has set anything: five of sixty (specification, section 8). */
export const shippedStockRule: StockRule = { empty: 5, ofSlots: 60 }

/**
 * Whether a machine is short of goods.
 * @param rule `empty` 0: never
 */
export function isOutOfStock(machine: { empty: number; slots: number }, rule: StockRule): boolean {
  if (rule.empty === 0 || machine.slots === 0 || machine.empty === 0) return false
  if (rule.ofSlots === null) return machine.empty >= rule.empty
  // Whole numbers: 5 of 60 is 1 of 12, and a share of floats would miss it at the edge.
  return machine.empty * rule.ofSlots >= rule.empty * machine.slots
}

export const stockRuleRefusals = defineRefusals('alarm', { 'stockRule.moreThanSlots': 422, 'stockRule.one': 422 })

export const stockRuleScopes = ['merchant', 'point', 'machine'] as const

const where = {
  /** Which of the three below it is for. */
  scope: z.enum(stockRuleScopes).default('merchant'),
  merchantId: zId.nullable().default(null),
  pointId: zId.nullable().default(null),
  machineCode: z.string().trim().max(20).nullable().default(null),
}
const threshold = {
  empty: z.coerce.number().int().min(0).max(400),
  ofSlots: z.coerce.number().int().min(1).max(400).nullable().default(null),
}

const stockRule = z.object({
  id: z.int(),
  merchantName: z.string(),
  pointName: z.string().nullable(),
  machineCode: z.string().nullable(),
  machineName: z.string().nullable(),
  empty: z.int(),
  ofSlots: z.int().nullable(),
  version: z.int(),
  updatedAt: zInstant,
  /** Machines in sight for which it decides now, and how many of them are short by it. */
  machines: z.int(),
  short: z.int(),
})
export type StockRuleRow = z.output<typeof stockRule>

export const listStockRules = endpoint({
  name: 'alarm.listStockRules',
  method: 'GET',
  path: '/api/stock-alarm-rules',
  access: 'machine.write',
  input: z.strictObject({}),
  output: z.object({
    items: z.array(stockRule),
    /** Machines for which the product's own rule decides. */
    shipped: z.object({ machines: z.int(), short: z.int() }),
  }),
  summary: 'When empty slots are an alarm, and for which machines each rule decides',
})

export const saveStockRule = endpoint({
  name: 'alarm.saveStockRule',
  method: 'POST',
  path: '/api/stock-alarm-rules',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({ ...where, ...threshold }),
  output: z.object({ id: z.int(), version: z.int() }),
  refusals: ['request.notFound', ...stockRuleRefusals],
  summary: 'Set from how many empty slots on a merchant’s, a point’s or a machine’s stock is an alarm',
})

export const editStockRule = endpoint({
  name: 'alarm.editStockRule',
  method: 'POST',
  path: '/api/stock-alarm-rules/{id}/edit',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int().positive(), ...threshold }),
  output: z.object({ id: z.int(), version: z.int() }),
  refusals: ['request.notFound', 'edit.stale', 'stockRule.moreThanSlots'],
  summary: 'Change a rule',
})

export const removeStockRule = endpoint({
  name: 'alarm.removeStockRule',
  method: 'POST',
  path: '/api/stock-alarm-rules/{id}/remove',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound'],
  summary: 'Take a rule away; the next wider one holds again',
})

/** The same input as saving or editing, before it is saved. */
export const previewStockRule = endpoint({
  name: 'alarm.previewStockRule',
  method: 'GET',
  path: '/api/stock-alarm-rules/preview',
  access: 'machine.write',
  input: z.strictObject({
    /** A saved rule that would become this one: exactly the machines for which it decides now. */
    id: zId.optional(),
    scope: z.enum(stockRuleScopes).default('merchant'),
    merchantId: zId.optional(),
    pointId: zId.optional(),
    machineCode: z.string().trim().max(20).optional(),
    empty: z.coerce.number().int().min(0).max(400),
    ofSlots: z.coerce.number().int().min(1).max(400).optional(),
  }),
  output: z.object({
    /** In the rule's reach and in sight. */
    machines: z.int(),
    /** Of them decided by a more special rule. */
    special: z.int(),
    /** Of those left, how many would alarm, and how many empty slots they have; then the same by the rules of now. */
    short: z.int(),
    shortSlots: z.int(),
    shortNow: z.int(),
    shortSlotsNow: z.int(),
    items: z.array(
      z.object({
        id: z.int(),
        code: z.string(),
        name: z.string(),
        pointName: z.string(),
        empty: z.int(),
        slots: z.int(),
      }),
    ),
  }),
  summary: 'Which machines would alarm now by a rule that is not saved yet',
})
