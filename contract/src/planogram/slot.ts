import { z } from 'zod'
import { batchHindrances } from '../medicine/batchState'
import { medicineClasses, unlawfulReasons } from '../catalog/product'
import { commandState, commandTypes } from '../device/commands'
import { MOST_LAYERS, MOST_SLOTS } from '../fleet/layout'
import { licenceModes } from '../fleet/machine'
import { slotStates } from '../fleet/states'
import { endpoint, listEndpoint, zId, zInstant, zSearch } from '../kernel/endpoint'
import { zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { comparedFields, syncStates } from './sync'

export const slotRefusals = defineRefusals('planogram', {
  /** What the licence mode forbids; `fields` names each slot with its reason. */
  'slot.unlawful': 422,
  /** Another product lies in it; `fields` names each slot with how much. */
  'slot.holdsStock': 409,
  'slot.waitsForOrder': 409,
  'slot.layerFull': 409,
  'slot.lastOne': 409,
  'slot.nothingChanged': 409,
  'slot.retired': 409,
  /** Locked by an excursion or a recall: it is released elsewhere, by who may judge the goods. */
  'slot.held': 409,
  /** More than fits in, by the slot's capacity; said once more with `isSure`, it is taken. `fields` names each. */
  'slot.overCapacity': 409,
})

export const slotChoices = ['none', 'stopped_sale', 'reserved_only'] as const
export const zSlotCode = z.string().min(1).max(12)
export const zPrice = zFenPositive.max(10_000_000)
export const zCapacity = z.int().min(0).max(999)
export const zThreshold = z.int().min(0).max(999)
/** Layers and slots of a layer: never 0 or empty, at most 10 (specification, section 5). */
export const zLayer = z.int().min(1).max(MOST_LAYERS)
export const zSlotCount = z.int().min(1).max(MOST_SLOTS)
const MOST_AT_ONCE = MOST_LAYERS * MOST_SLOTS
/** The person was asked whether that many fit in, and says that they do. */
const isSure = z.boolean().default(false)

/** What a person may have mistyped: more in a slot, or more wanted in it, than fits in. */
export const overCapacity = ({ stock, capacity }: { stock: number; capacity: number }): boolean => stock > capacity

/** What is in a slot, by the facts that its screens show beside it. */
const stands = {
  productId: z.int().nullable(),
  productCode: z.string().nullable(),
  productName: z.string().nullable(),
  picture: z.string().nullable(),
  priceFen: z.int().nullable(),
  capacity: z.int(),
}

const scalar = z.union([z.string(), z.number(), z.boolean()]).nullable()

const planSlot = z.object({
  ...stands,
  code: z.string(),
  layer: z.int(),
  position: z.int(),
  version: z.int(),
  state: z.enum(slotStates),
  medicineClass: z.enum(medicineClasses).nullable(),
  stock: z.int(),
  alarmThreshold: z.int(),
  choice: z.enum(slotChoices),
  isLocked: z.boolean(),
  lockReason: z.string(),
  fault: z.string().nullable(),
  /** Why the licence mode forbids what stands in it: it is sold to nobody. */
  unlawful: z.enum(unlawfulReasons).nullable(),
  /** Good pieces behind a batch that may not be sold, and what they would sell for; `why`: nothing is sold now. */
  held: z
    .object({
      why: z.enum(batchHindrances).nullable(),
      trapped: z.int(),
      trappedFen: z.int(),
      isDoubtful: z.boolean(),
    })
    .nullable(),
  /** Applies when a filler puts the product in. */
  next: z.object({ ...stands, at: zInstant, by: z.string().nullable() }).nullable(),
  sync: z.enum(syncStates),
  differences: z.array(z.object({ field: z.enum(comparedFields), desired: scalar, reported: scalar })),
  /** What the machine's last snapshot says of this product in this slot; null where it says nothing. */
  reportedStock: z.int().nullable(),
  /** Our books less the machine's figure brought up to now; not 0: one of the two is wrong. Null as above. */
  stockDrift: z.int().nullable(),
})
export type PlanSlot = z.output<typeof planSlot>

const push = z.object({
  id: z.string(),
  type: z.enum(commandTypes),
  state: z.enum(commandState.states),
  createdAt: zInstant,
  createdBy: z.string().nullable(),
  detail: z.string().nullable(),
})

export const getPlanogram = endpoint({
  name: 'planogram.getPlanogram',
  method: 'GET',
  path: '/api/machines/{id}/planogram',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  output: z.object({
    id: z.int(),
    code: z.string(),
    name: z.string(),
    pointName: z.string(),
    licenceMode: z.enum(licenceModes),
    merchantId: z.int(),
    isRetired: z.boolean(),
    planVersion: z.int(),
    /** Null: the machine has never told what it holds. */
    snapshotAt: zInstant.nullable(),
    template: z.object({ id: z.int(), name: z.string(), isNewest: z.boolean() }).nullable(),
    /** The last pushes of a plan, prices or locks, newest first. */
    pushes: z.array(push),
    slots: z.array(planSlot),
  }),
  refusals: ['request.notFound'],
  summary: 'What should stand in each slot of a machine, against what the machine says',
})
export type Planogram = z.output<typeof getPlanogram.output>

const product = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  brand: z.string(),
  specification: z.string(),
  category: z.string(),
  picture: z.string().nullable(),
  medicineClass: z.enum(medicineClasses).nullable(),
  priceFen: z.int(),
  unlawful: z.enum(unlawfulReasons).nullable(),
  /** False warns: no assortment of the machine names it. */
  isInAssortment: z.boolean(),
  /** Slots of the machine for which its assortments recommend it. */
  recommendedFor: z.array(z.string()),
  /** In how many slots of the machine it stands already. */
  standsIn: z.int(),
})
export type Placeable = z.output<typeof product>

/** What may be dropped into a machine's slots: products of its merchant and of those above. */
export const listPlaceable = listEndpoint({
  name: 'planogram.listPlaceable',
  path: '/api/machines/{id}/placeable-products',
  access: 'slot.write',
  summary: 'Products that the merchant of a machine may sell, with what the licence mode forbids',
  filters: { id: zId, q: zSearch.optional(), category: zSearch.optional() },
  /** `recommended`: those that an assortment recommends for the machine first, each part by name. */
  sorts: ['recommended', 'name', 'code'],
  item: product,
})

/** The same for a template, which has no machine; each machine's licence is looked at when it is applied. */
export const listTemplateProducts = listEndpoint({
  name: 'planogram.listTemplateProducts',
  path: '/api/template-products',
  access: 'template.read',
  summary: 'Products that a template of a merchant may name',
  filters: { merchantId: zId.optional(), q: zSearch.optional(), category: zSearch.optional() },
  sorts: ['name', 'code'],
  item: product,
})

/** A slot that alarms at more than it can hold would always alarm. */
export const isThresholdFitting = (slot: { alarmThreshold: number; capacity: number }): boolean =>
  slot.alarmThreshold <= slot.capacity
export const thresholdFits = { path: ['alarmThreshold'], params: { domain: 'planogram', rule: 'thresholdFits' } }

const wanted = z
  .strictObject({
    code: zSlotCode,
    /** As it was read; another one means that somebody saved the slot meanwhile. */
    version: z.int(),
    productId: zId.nullable(),
    priceFen: zPrice.nullable(),
    capacity: zCapacity,
    alarmThreshold: zThreshold,
    choice: z.enum(slotChoices),
    isLocked: z.boolean(),
  })
  .refine(isThresholdFitting, thresholdFits)
export type WantedSlot = z.output<typeof wanted>

export const saveSlots = endpoint({
  name: 'planogram.saveSlots',
  method: 'POST',
  path: '/api/machines/{id}/slots/save',
  access: 'slot.write',
  writes: true,
  input: z.strictObject({
    id: zId,
    slots: z.array(wanted).min(1).max(MOST_AT_ONCE),
    /** `nextService`: another product waits for its filler; prices and the rest apply at once all the same. */
    when: z.enum(['now', 'nextService']),
    /** What lies in a slot that gets another product is taken out, and booked so. */
    removeContents: z.boolean().default(false),
    isSure,
  }),
  output: z.object({ changed: z.int(), planned: z.int(), commandId: z.string().nullable() }),
  refusals: [
    'request.notFound',
    'edit.stale',
    'slot.unlawful',
    'slot.holdsStock',
    'slot.waitsForOrder',
    'slot.nothingChanged',
    'slot.retired',
    'slot.held',
    'slot.overCapacity',
  ],
  summary: 'Change what should stand in slots, and tell the machine now or when it is filled next',
})

export const cancelNextPlan = endpoint({
  name: 'planogram.cancelNextPlan',
  method: 'POST',
  path: '/api/machines/{id}/slots/cancel-next',
  access: 'slot.write',
  writes: true,
  input: z.strictObject({ id: zId, codes: z.array(zSlotCode).min(1).max(MOST_AT_ONCE) }),
  output: z.object({ cancelled: z.int() }),
  refusals: ['request.notFound', 'slot.nothingChanged'],
  summary: 'Forget what was planned for the next service',
})

export const countSlots = endpoint({
  name: 'planogram.countSlots',
  method: 'POST',
  path: '/api/machines/{id}/slots/count',
  access: 'slot.write',
  writes: true,
  input: z.strictObject({
    id: zId,
    counts: z
      .array(z.strictObject({ code: zSlotCode, counted: z.int().min(0).max(999) }))
      .min(1)
      .max(MOST_AT_ONCE),
    remark: z.string().trim().max(200).default(''),
    isSure,
  }),
  output: z.object({
    corrections: z.array(z.object({ code: z.string(), before: z.int(), counted: z.int() })),
    /** Tells the machine what was counted; null where it knows already, or may not be told. */
    commandId: z.string().nullable(),
    /** The plan goes with the count, and one that holds what the licence mode forbids is told to nobody. */
    isUnlawful: z.boolean(),
  }),
  refusals: ['request.notFound', 'slot.retired', 'slot.overCapacity'],
  summary: 'Say what lies in slots: each difference becomes a stock move with the name of who counted',
})

export const pushPlanogram = endpoint({
  name: 'planogram.pushPlanogram',
  method: 'POST',
  path: '/api/machines/{id}/push-planogram',
  access: 'slot.write',
  writes: true,
  input: z.strictObject({ id: zId, what: z.enum(['planogram', 'prices']) }),
  output: z.object({ commandId: z.string() }),
  refusals: ['request.notFound', 'slot.unlawful', 'slot.retired', 'slot.nothingChanged'],
  summary: 'Tell a machine again what should stand in it, or its prices alone',
})

export const addSlots = endpoint({
  name: 'planogram.addSlots',
  method: 'POST',
  path: '/api/machines/{id}/slots/add',
  access: 'slot.write',
  writes: true,
  input: z.strictObject({ id: zId, layer: zLayer, count: zSlotCount, capacity: zCapacity.default(8) }),
  output: z.object({ codes: z.array(z.string()) }),
  refusals: ['request.notFound', 'slot.layerFull', 'slot.retired'],
  summary: 'Add slots to a layer of a cabinet, or a layer',
})

export const removeSlots = endpoint({
  name: 'planogram.removeSlots',
  method: 'POST',
  path: '/api/machines/{id}/slots/remove',
  access: 'slot.write',
  writes: true,
  input: z.strictObject({ id: zId, codes: z.array(zSlotCode).min(1).max(MOST_AT_ONCE) }),
  output: z.object({ removed: z.int() }),
  refusals: ['request.notFound', 'slot.holdsStock', 'slot.waitsForOrder', 'slot.lastOne', 'slot.retired'],
  summary: 'Take empty slots out of a cabinet',
})
