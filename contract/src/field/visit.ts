import { z } from 'zod'
import { batchState } from '../medicine/batchState'
import { endpoint, zDay, zId, zInstant, zLine, zNeeded, zPictureUrl } from '../kernel/endpoint'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { needReasons, replenishmentState } from './replenishmentOrder'

/**
 * One stop of a tour, told step by step by the phone of who is there, often hours later. A step is a fact with a name
 * of its own: it counts once however often it is sent, and the steps of a phone count in the order of their numbers.
 */
export const visitState = stateTable({
  initial: 'open',
  states: ['open', 'done'],
  moves: { finish: { from: ['open'], to: 'done' } },
  sets: { over: ['done'] },
})

export const stepKinds = ['open', 'photo', 'count', 'takeOut', 'fill', 'cash', 'fault', 'done'] as const
export type StepKind = (typeof stepKinds)[number]
export const takeOutReasons = ['expired', 'damaged', 'otherProduct'] as const

/** `needsReview`: kept, and somebody decides about what contradicts; `refused`: kept too, and nothing came of it. */
export const stepAnswers = ['applied', 'duplicate', 'needsReview', 'refused'] as const

/** What a step and the books say otherwise. */
export const differenceKinds = [
  /** The plan has changed since the phone read it. */
  'slotChanged',
  'priceChanged',
  /** Not what the slot should hold. */
  'otherProduct',
  'batchStopped',
  'batchExpired',
  'batchUnknown',
  /** The books have fewer in the bag. */
  'bagShort',
  /** The books have fewer in the slot. */
  'slotShort',
  /** Somebody else filled the same slot on this tour. */
  'otherFilled',
  /** Another phone has told the same of the same slot. */
  'twice',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/** `keep`: it stands as it is booked; `book`: it is another one and counts; `drop`: nothing comes of it. */
export const stepVerbs = ['keep', 'book', 'drop'] as const

export const visitRefusals = defineRefusals('field', {
  /** Nobody has set out with this order. */
  'visit.notBegun': 409,
  'visit.machine': 422,
  /** Steps before it have not come; send them first. */
  'visit.early': 409,
  'visit.slot': 422,
  'visit.product': 422,
  /** Decided already, or there is nothing to decide. */
  'visit.decided': 409,
})

const named = { id: z.uuid(), seq: z.int().min(1).max(9_999), occurredAt: zInstant }
const pieces = z.int().min(1).max(999)
/** Of goods, or of a medicine whose batch nobody can read, it is empty. */
const goods = { slotCode: zNeeded(12), productCode: zNeeded(40), batch: zLine(120).default('') }

const step = z.discriminatedUnion('kind', [
  z.strictObject({ ...named, kind: z.literal('open') }),
  z.strictObject({ ...named, kind: z.literal('photo'), when: z.enum(['before', 'after']), picture: zPictureUrl }),
  z.strictObject({ ...named, kind: z.literal('count'), ...goods, counted: z.int().min(0).max(999) }),
  z.strictObject({ ...named, kind: z.literal('takeOut'), ...goods, pieces, why: z.enum(takeOutReasons) }),
  z.strictObject({
    ...named,
    kind: z.literal('fill'),
    ...goods,
    pieces,
    /** What the phone held for the plan of the slot. */
    plannedCode: zLine(40).default(''),
    priceFen: zFen.nullable().default(null),
  }),
  /** The cash box was taken out of the machine. */
  z.strictObject({ ...named, kind: z.literal('cash'), boxNo: zNeeded(40) }),
  z.strictObject({
    ...named,
    kind: z.literal('fault'),
    /** Empty: of the machine as a whole. */
    slotCode: zLine(12).default(''),
    what: z.string().trim().min(2).max(200),
    picture: zPictureUrl.nullable().default(null),
  }),
  z.strictObject({ ...named, kind: z.literal('done') }),
])
export type Step = z.output<typeof step>
export const MOST_STEPS = 200

const difference = z.object({ kind: z.enum(differenceKinds), said: z.string(), books: z.string() })
export type Difference = z.output<typeof difference>

const answer = z.object({
  id: z.string(),
  answer: z.enum(stepAnswers),
  /** Of a duplicate: what was answered first. */
  first: z.enum(stepAnswers).nullable(),
  /** The code of a refusal. */
  reason: z.string().nullable(),
  /** False: not kept. It is to be sent again, after those before it. */
  isKept: z.boolean(),
  differs: z.array(difference),
})
export type StepAnswer = z.output<typeof answer>

export const sendVisit = endpoint({
  name: 'field.sendVisit',
  method: 'POST',
  path: '/api/visits',
  access: 'visit.write',
  writes: true,
  /** Times are by the phone's clock; `sentAt` tells by how much it is wrong. */
  input: z.strictObject({
    orderId: zId,
    machineId: zId,
    phone: z.uuid(),
    sentAt: zInstant,
    steps: z.array(step).min(1).max(MOST_STEPS),
  }),
  output: z.object({ state: z.enum(visitState.states).nullable(), answers: z.array(answer) }),
  refusals: ['request.notFound', 'visit.notBegun', 'visit.machine'],
  summary: 'Steps of one visit to a machine, in any order and as often as it takes',
})

/** A step about which somebody has to decide. */
const review = z.object({
  id: z.int(),
  orderId: z.int(),
  orderNo: z.string(),
  machineId: z.int(),
  machineCode: z.string(),
  kind: z.enum(stepKinds),
  at: zInstant,
  who: z.string(),
  slotCode: z.string().nullable(),
  productName: z.string().nullable(),
  batch: z.string().nullable(),
  pieces: z.int().nullable(),
  /** Why nothing came of it, in the caller's language. */
  reason: z.string().nullable(),
  differs: z.array(difference),
  verbs: z.array(z.enum(stepVerbs)),
})
export type Review = z.output<typeof review>

export const decideStep = endpoint({
  name: 'field.decideStep',
  method: 'POST',
  path: '/api/visit-steps/{id}/decide',
  access: 'visit.write',
  writes: true,
  input: z.strictObject({ id: zId, verb: z.enum(stepVerbs), note: zLine(200).default('') }),
  output: z.object({ id: z.int(), verb: z.enum(stepVerbs) }),
  refusals: ['request.notFound', 'visit.decided', 'visit.slot', 'visit.product'],
  summary: 'What comes of a step that contradicts the books or another phone',
})

const visit = z.object({
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  state: z.enum(visitState.states),
  openedAt: zInstant,
  doneAt: zInstant.nullable(),
  who: z.string(),
  steps: z.int(),
  countId: z.int().nullable(),
  countNo: z.string().nullable(),
  pictures: z.array(z.object({ when: z.enum(['before', 'after', 'fault']), picture: z.string() })),
})

export const listVisits = endpoint({
  name: 'field.listVisits',
  method: 'GET',
  path: '/api/replenishment-orders/{id}/visits',
  access: 'replenishmentOrder.read',
  input: z.strictObject({ id: zId }),
  output: z.object({ visits: z.array(visit), reviews: z.array(review) }),
  refusals: ['request.notFound'],
  summary: 'How the visits of one order went, and what is to be decided of them',
})

const product = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  specification: z.string(),
  picture: z.string().nullable(),
  isMedicine: z.boolean(),
  barcodes: z.array(z.string()),
  /** Of a medicine: what is known of it and good or stopped, first expiry first. */
  batches: z.array(z.object({ batch: z.string(), expiresOn: zDay, state: z.enum(batchState.states) })),
})
export type FieldProduct = z.output<typeof product>

const stop = z.object({
  orderId: z.int(),
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  pointName: z.string(),
  address: z.string(),
  state: z.enum(visitState.states).nullable(),
  stakeFen: zFen,
  /** What is to be done; what lies there by the books is not in it, since it is counted blind. */
  lines: z.array(
    z.object({
      slotCode: z.string(),
      productId: z.int(),
      bring: z.int(),
      takeOut: z.int(),
      reason: z.enum(needReasons),
    }),
  ),
  slots: z.array(
    z.object({
      code: z.string(),
      layer: z.int(),
      position: z.int(),
      capacity: z.int(),
      productId: z.int().nullable(),
      /** What stands in it until then, where it is to hold another product. */
      heldId: z.int().nullable(),
      priceFen: zFen.nullable(),
      isLocked: z.boolean(),
    }),
  ),
})
export type FieldStop = z.output<typeof stop>

export const getFieldDay = endpoint({
  name: 'field.getFieldDay',
  method: 'GET',
  path: '/api/field-day',
  access: 'visit.read',
  input: z.strictObject({}),
  output: z.object({
    /** Of the server, by which a phone knows how wrong its own clock is. */
    at: zInstant,
    account: z.string(),
    displayName: z.string(),
    orders: z.array(
      z.object({
        id: z.int(),
        no: z.string(),
        state: z.enum(replenishmentState.states),
        warehouseName: z.string(),
        routeName: z.string().nullable(),
        note: z.string(),
        /** What is loaded, or is to be: first expiry first. */
        picks: z.array(z.object({ productId: z.int(), batch: z.string(), quantity: z.int() })),
      }),
    ),
    /** In the order of the tours. */
    stops: z.array(stop),
    products: z.array(product),
    bag: z.array(z.object({ productId: z.int(), batch: z.string(), expiresOn: zDay.nullable(), quantity: z.int() })),
    reviews: z.array(review),
  }),
  summary: 'All that a replenisher needs for the day, in one answer that a phone keeps',
})
export type FieldDay = z.output<typeof getFieldDay.output>
