import { z } from 'zod'
import { unlawfulReasons } from '../catalog/product'
import { machineCategories } from '../fleet/machine'
import { endpoint, zId, zInstant, zSearch } from '../kernel/endpoint'

/** More than this many are named by the filter that finds them. */
const MOST_NAMED = 500
export const MOST_APPLIED = 5_000

const machines = z.union([
  z.strictObject({ machineIds: z.array(zId).min(1).max(MOST_NAMED) }),
  z.strictObject({
    filter: z.strictObject({
      q: zSearch.optional(),
      province: zSearch.optional(),
      category: z.enum(machineCategories).optional(),
      merchantId: zId.optional(),
      groupId: zId.optional(),
      /** Those that follow this template in an older version. */
      behind: z.boolean().optional(),
    }),
    /** As the person saw it; null in a preview. */
    count: z.int().min(0).max(MOST_APPLIED).nullable(),
  }),
])
export type TemplateMachines = z.output<typeof machines>

export const applyOutcomes = [
  'changes',
  'same',
  'unlawful',
  'holdsStock',
  'waitsForOrder',
  'foreignProduct',
  'wrongRange',
  'retired',
] as const
export type ApplyOutcome = (typeof applyOutcomes)[number]
export const templateSettings = ['flowAlarmMb', 'temperature', 'humidity', 'thermostat'] as const

const previewed = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  merchantName: z.string(),
  outcome: z.enum(applyOutcomes),
  /** Slots that stand in the way, by their codes. */
  refusedSlots: z.array(z.string()),
  added: z.int(),
  removed: z.int(),
  changed: z.int(),
  prices: z.int(),
  settings: z.array(z.enum(templateSettings)),
})
export type PreviewedMachine = z.output<typeof previewed>

export const previewTemplate = endpoint({
  name: 'planogram.previewTemplate',
  method: 'POST',
  path: '/api/templates/{id}/preview',
  access: 'template.read',
  input: z.strictObject({ id: zId, machines, removeContents: z.boolean().default(false) }),
  output: z.object({
    version: z.int(),
    count: z.int(),
    /** How many machines end how. */
    outcomes: z.record(z.string(), z.int()),
    /** At most 200, those that are refused first. */
    items: z.array(previewed),
  }),
  refusals: ['request.notFound', 'template.machinesChanged'],
  summary: 'What a template would change in each of these machines, and where it is refused',
})

const side = z.object({
  productName: z.string().nullable(),
  priceFen: z.int().nullable(),
  capacity: z.int(),
  alarmThreshold: z.int(),
})

export const previewTemplateMachine = endpoint({
  name: 'planogram.previewTemplateMachine',
  method: 'GET',
  path: '/api/templates/{id}/preview-machine',
  access: 'template.read',
  input: z.strictObject({ id: zId, machineId: zId }),
  output: z.object({
    slots: z.array(
      z.object({
        code: z.string(),
        kind: z.enum(['added', 'removed', 'changed']),
        before: side.nullable(),
        after: side.nullable(),
        stock: z.int(),
        unlawful: z.enum(unlawfulReasons).nullable(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'Slot by slot, what a template would change in one machine',
})

export const applyTemplate = endpoint({
  name: 'planogram.applyTemplate',
  method: 'POST',
  path: '/api/templates/{id}/apply',
  access: 'template.write',
  writes: true,
  input: z.strictObject({
    id: zId,
    /** As it was previewed. */
    version: z.int(),
    machines,
    removeContents: z.boolean().default(false),
    reason: z.string().trim().min(2).max(200),
  }),
  output: z.object({ batchId: z.string().nullable(), applied: z.int(), same: z.int(), refused: z.int() }),
  refusals: ['request.notFound', 'edit.stale', 'template.machinesChanged', 'template.nothingToApply'],
  summary: 'Give a template to many machines: all that may take it change and are told, the others stay as they are',
})

export const releaseMachines = endpoint({
  name: 'planogram.releaseMachines',
  method: 'POST',
  path: '/api/templates/{id}/release',
  access: 'template.write',
  writes: true,
  input: z.strictObject({ id: zId, machineIds: z.array(zId).min(1).max(MOST_NAMED) }),
  output: z.object({ released: z.int() }),
  refusals: ['request.notFound'],
  summary: 'Say that machines follow a template no longer; what stands in them stays',
})

export const getTemplateRun = endpoint({
  name: 'planogram.getTemplateRun',
  method: 'GET',
  path: '/api/templates/{id}/run',
  access: 'template.read',
  input: z.strictObject({ id: zId, batch: z.uuid() }),
  output: z.object({
    total: z.int(),
    states: z.record(z.string(), z.int()),
    /** Of each machine in sight, failures first; at most 200. */
    items: z.array(
      z.object({
        id: z.int(),
        code: z.string(),
        name: z.string(),
        state: z.string(),
        detail: z.string().nullable(),
        finishedAt: zInstant.nullable(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'How an application goes, machine by machine',
})
