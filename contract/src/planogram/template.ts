import { z } from 'zod'
import { medicineClasses } from '../catalog/product'
import { thermostat } from '../fleet/thermostat'
import { endpoint, listEndpoint, zId, zInstant, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { isThresholdFitting, thresholdFits, zCapacity, zLayer, zPrice, zSlotCount, zThreshold } from './slot'

export const templateRefusals = defineRefusals('planogram', {
  'template.nameTaken': 409,
  /** The filter finds another number of machines than the person saw. */
  'template.machinesChanged': 409,
  'template.nothingToApply': 409,
})

/** MB a month (specification, sections 5 and 9); 0 never alarms. */
const zFlowAlarm = z.int().min(0).max(10_240)
const zCelsius = z.number().min(-40).max(80)
const zHumidity = z.number().min(0).max(100)

const zTemplateSlot = z
  .strictObject({
    layer: zLayer,
    position: zSlotCount,
    productId: zId.nullable(),
    priceFen: zPrice.nullable(),
    capacity: zCapacity,
    alarmThreshold: zThreshold,
  })
  .refine(isThresholdFitting, thresholdFits)
export type TemplateSlot = z.output<typeof zTemplateSlot>

const isInOrder = (low: number | null, high: number | null) => low === null || high === null || low < high
const placeOf = ({ layer, position }: { layer: number; position: number }) => `${layer}/${position}`
const rule = (name: string) => ({ domain: 'planogram', rule: name })

/** Of each setting null: the machine keeps its own. */
const editable = {
  name: z.string().trim().min(1).max(60),
  remark: z.string().trim().max(200).default(''),
  flowAlarmMb: zFlowAlarm.nullable().default(null),
  temperatureMinC: zCelsius.nullable().default(null),
  temperatureMaxC: zCelsius.nullable().default(null),
  humidityMin: zHumidity.nullable().default(null),
  humidityMax: zHumidity.nullable().default(null),
  thermostat: thermostat.nullable().default(null),
  slots: z
    .array(zTemplateSlot)
    .min(1)
    .max(100)
    .refine((slots) => new Set(slots.map(placeOf)).size === slots.length, { params: rule('slotTwice') }),
}

type Limits = Record<'temperatureMinC' | 'temperatureMaxC' | 'humidityMin' | 'humidityMax', number | null>
const hasTemperatures = (limits: Limits) => isInOrder(limits.temperatureMinC, limits.temperatureMaxC)
const hasHumidities = (limits: Limits) => isInOrder(limits.humidityMin, limits.humidityMax)
const wrongTemperatures = { path: ['temperatureMaxC'], params: rule('temperatureOrder') }
const wrongHumidities = { path: ['humidityMax'], params: rule('humidityOrder') }

const template = z.object({
  id: z.int(),
  name: z.string(),
  remark: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  slotCount: z.int(),
  productCount: z.int(),
  machineCount: z.int(),
  /** Machines that were given an older version of it. */
  behindCount: z.int(),
  updatedAt: zInstant,
  /** Null for somebody out of the caller's sight. */
  updatedBy: z.string().nullable(),
})
export type Template = z.output<typeof template>

export const listTemplates = listEndpoint({
  name: 'planogram.listTemplates',
  path: '/api/templates',
  access: 'template.read',
  summary: 'Machine templates of merchants in sight, with how many machines follow each',
  filters: { q: zSearch.optional(), merchantId: zId.optional() },
  sorts: ['updated', 'name', 'machines'],
  item: template,
})

export const templateFields = {
  name: { kind: 'text' },
  remark: { kind: 'longText' },
  merchantName: { kind: 'text' },
  slotCount: { kind: 'count' },
  productCount: { kind: 'count' },
  machineCount: { kind: 'count' },
  behindCount: { kind: 'count' },
  updatedAt: { kind: 'dateTime' },
  updatedBy: { kind: 'text' },
} satisfies Fields

const shownSlot = z.object({
  layer: z.int(),
  position: z.int(),
  productId: z.int().nullable(),
  productCode: z.string().nullable(),
  productName: z.string().nullable(),
  picture: z.string().nullable(),
  medicineClass: z.enum(medicineClasses).nullable(),
  priceFen: z.int().nullable(),
  capacity: z.int(),
  alarmThreshold: z.int(),
})
export type ShownTemplateSlot = z.output<typeof shownSlot>

export const getTemplate = endpoint({
  name: 'planogram.getTemplate',
  method: 'GET',
  path: '/api/templates/{id}',
  access: 'template.read',
  input: z.strictObject({ id: zId }),
  output: template.extend({
    version: z.int(),
    flowAlarmMb: z.int().nullable(),
    temperatureMinC: z.number().nullable(),
    temperatureMaxC: z.number().nullable(),
    humidityMin: z.number().nullable(),
    humidityMax: z.number().nullable(),
    thermostat: thermostat.nullable(),
    slots: z.array(shownSlot),
    /** At most 200 in sight, those behind first; `machineCount` counts all that are in sight. */
    machines: z.array(
      z.object({
        id: z.int(),
        code: z.string(),
        name: z.string(),
        pointName: z.string(),
        isNewest: z.boolean(),
        appliedAt: zInstant,
      }),
    ),
    runs: z.array(
      z.object({
        batchId: z.string(),
        createdAt: zInstant,
        createdBy: z.string().nullable(),
        reason: z.string(),
        total: z.int(),
        waiting: z.int(),
        done: z.int(),
        failed: z.int(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'A template with its slots, the machines that follow it and how its last applications went',
})
export type TemplateDetail = z.output<typeof getTemplate.output>

const changed = z.object({ id: z.int() })

export const addTemplate = endpoint({
  name: 'planogram.addTemplate',
  method: 'POST',
  path: '/api/templates',
  access: 'template.write',
  writes: true,
  input: z
    .strictObject({ merchantId: zId, ...editable })
    .refine(hasTemperatures, wrongTemperatures)
    .refine(hasHumidities, wrongHumidities),
  output: changed,
  refusals: ['request.notFound', 'template.nameTaken'],
  summary: 'Make a template for machines of a merchant',
})

export const editTemplate = endpoint({
  name: 'planogram.editTemplate',
  method: 'POST',
  path: '/api/templates/{id}/edit',
  access: 'template.write',
  writes: true,
  input: z
    .strictObject({ id: zId, version: z.int(), ...editable })
    .refine(hasTemperatures, wrongTemperatures)
    .refine(hasHumidities, wrongHumidities),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'template.nameTaken'],
  summary: 'Change a template; machines follow when it is applied again',
})

export const removeTemplate = endpoint({
  name: 'planogram.removeTemplate',
  method: 'POST',
  path: '/api/templates/{id}/remove',
  access: 'template.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'request.inUse'],
  summary: 'Delete a template that no machine follows',
})

const named = { name: editable.name, remark: editable.remark }

export const copyTemplate = endpoint({
  name: 'planogram.copyTemplate',
  method: 'POST',
  path: '/api/templates/{id}/copy',
  access: 'template.write',
  writes: true,
  input: z.strictObject({ id: zId, ...named }),
  output: changed,
  refusals: ['request.notFound', 'template.nameTaken'],
  summary: 'Make a template like this one',
})

export const makeTemplate = endpoint({
  name: 'planogram.makeTemplate',
  method: 'POST',
  path: '/api/machines/{id}/make-template',
  access: 'template.write',
  writes: true,
  input: z.strictObject({ id: zId, ...named }),
  output: changed,
  refusals: ['request.notFound', 'template.nameTaken'],
  summary: 'Make a template of what stands in a machine and how it is set',
})

export const listParentTemplates = endpoint({
  name: 'planogram.listParentTemplates',
  method: 'GET',
  path: '/api/merchants/{id}/parent-templates',
  access: 'template.write',
  input: z.strictObject({ id: zId }),
  output: z.object({
    parentName: z.string().nullable(),
    items: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        remark: z.string(),
        slotCount: z.int(),
        /** The merchant has one of this name: it would not be imported. */
        isTaken: z.boolean(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'Templates of the merchant above, to be imported',
})

export const importTemplates = endpoint({
  name: 'planogram.importTemplates',
  method: 'POST',
  path: '/api/merchants/{id}/import-templates',
  access: 'template.write',
  writes: true,
  input: z.strictObject({ id: zId, templateIds: z.array(zId).min(1).max(200) }),
  output: z.object({ imported: z.array(z.string()), skipped: z.array(z.string()) }),
  refusals: ['request.notFound'],
  summary: 'Copy templates of the merchant above; of a name that is taken, none (specification, section 5)',
})
