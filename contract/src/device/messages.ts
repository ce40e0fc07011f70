import { z } from 'zod'
import { zFenPositive } from '../kernel/money'
import { paymentMethods } from '../trade/states'

/**
 * What machines say. `critical` is never dropped and is acknowledged once durable; `request` gets an answer;
 * `latest` may be merged; `droppable` may be dropped under load (docs/DEVICES.md).
 */
export type MessageClass = 'critical' | 'request' | 'latest' | 'droppable'

const orderNo = z.string().regex(/^[A-Za-z0-9-]{1,40}$/)
const slotCode = z.string().min(1).max(12)
const text = z.string().max(120)
const motorCode = z.string().max(8)

const saleItem = z.strictObject({
  slot: slotCode,
  product: z.string().max(40),
  priceFen: zFenPositive.max(10_000_000),
  ok: z.boolean(),
  motorCode: motorCode.optional(),
  sensorCode: motorCode.optional(),
  batch: text.optional(),
  traceCode: text.optional(),
})

export const messageData = {
  presence: z.strictObject({
    online: z.boolean(),
    reason: text.optional(),
    ip: text.optional(),
    network: text.optional(),
    signal: z.number().optional(),
  }),
  heartbeat: z.strictObject({
    uptime: z.number().nonnegative(),
    cpu: z.number().optional(),
    storage: z.number().optional(),
    doorOpen: z.boolean().optional(),
    tempNow: z.array(z.number().min(-80).max(120)).max(8).optional(),
    faults: z.array(text).max(32).optional(),
    fwApp: text.optional(),
    fwBoard: text.optional(),
    flowUsedMb: z.number().nonnegative().optional(),
    lowChange: z.boolean().optional(),
  }),
  snapshot: z.strictObject({
    slots: z
      .array(
        z.strictObject({
          code: slotCode,
          product: z.string().max(40).nullable(),
          priceFen: zFenPositive.nullable(),
          stock: z.int().min(0).max(999),
          capacity: z.int().min(0).max(999),
          status: text,
          lock: z.boolean().optional(),
          motor: text.optional(),
        }),
      )
      .max(400),
    versions: z.record(text, text).optional(),
    settings: z.record(text, z.union([z.string().max(200), z.number(), z.boolean()])).optional(),
  }),
  /** One slot's fault, as it comes and goes between two snapshots. */
  'slot.state': z.strictObject({ slot: slotCode, status: z.enum(['normal', 'fault']), reason: text.optional() }),
  sale: z.strictObject({
    orderNo,
    method: z.enum(paymentMethods),
    paidFen: zFenPositive.max(10_000_000),
    items: z.array(saleItem).min(1).max(20),
  }),
  'order.request': z.strictObject({
    orderNo,
    method: z.enum(paymentMethods),
    items: z
      .array(z.strictObject({ slot: slotCode }))
      .min(1)
      .max(20),
    code: z.string().max(64).optional(),
  }),
  'pay.result': z.strictObject({
    orderNo,
    method: z.enum(paymentMethods),
    amountFen: zFenPositive.max(10_000_000),
    channelNo: z.string().min(1).max(64),
    basis: text.optional(),
  }),
  'vend.received': z.strictObject({ orderNo }),
  'vend.result': z.strictObject({
    orderNo,
    index: z.int().min(0).max(19),
    slot: slotCode,
    ok: z.boolean(),
    motorCode,
    sensorCode: motorCode,
    durationMs: z.int().nonnegative().optional(),
    attempts: z.int().min(1).max(9).optional(),
    batch: text.optional(),
    traceCode: text.optional(),
    photoRef: text.optional(),
  }),
  'stock.delta': z.strictObject({
    slot: slotCode,
    product: z.string().max(40),
    before: z.int().min(-999).max(999),
    change: z.int().min(-999).max(999),
    after: z.int().min(-999).max(999),
    cause: z.enum(['vend', 'fill', 'count', 'remove', 'expired']),
    user: text.optional(),
    batch: text.optional(),
  }),
  /** One probe, measured; kept as a record that nobody changes. */
  temperature: z.strictObject({
    probe: z.int().min(0).max(15).default(0),
    celsius: z.number().min(-80).max(120),
    humidity: z.number().min(0).max(100).optional(),
    mode: z.string().max(20).optional(),
    compressor: z.boolean().optional(),
  }),
  /** An EVA-DTS file as the controller gave it. */
  'audit.dex': z.strictObject({ kind: z.enum(['interval', 'fill', 'collect']), raw: z.string().min(1).max(60_000) }),
  'cmd.ack': z.strictObject({
    cmdId: z.uuid(),
    state: z.enum(['received', 'done', 'failed', 'refused']),
    detail: text.optional(),
    /** What came of it, by the type of the command (docs/DEVICES.md). */
    result: z.record(z.string().max(40), z.unknown()).optional(),
  }),
} as const

/** Taken and kept whole until the part that reads them is built: durable, acknowledged, shown on the machine. */
export const storedTypes = ['door', 'alarm.raised', 'alarm.cleared', 'cash'] as const

export type MessageType = keyof typeof messageData | (typeof storedTypes)[number]

const classes: Record<MessageType, MessageClass> = {
  presence: 'latest',
  heartbeat: 'droppable',
  snapshot: 'latest',
  'slot.state': 'latest',
  sale: 'critical',
  'order.request': 'request',
  'pay.result': 'critical',
  'vend.received': 'critical',
  'vend.result': 'critical',
  'cmd.ack': 'critical',
  'stock.delta': 'critical',
  door: 'critical',
  'alarm.raised': 'critical',
  'alarm.cleared': 'critical',
  cash: 'critical',
  'audit.dex': 'critical',
  temperature: 'critical',
}
export const classOf = (type: string): MessageClass | undefined =>
  Object.hasOwn(classes, type) ? classes[type as MessageType] : undefined

export const envelope = z.strictObject({
  v: z.literal(1),
  machineId: z.string().max(20),
  msgId: z.string().min(8).max(64),
  bootId: z.string().min(1).max(64),
  seq: z.int().nonnegative(),
  occurredAt: z.iso.datetime({ offset: true }),
  sentAt: z.iso.datetime({ offset: true }),
  offline: z.boolean(),
  type: z.string().max(40),
  data: z.record(z.string(), z.unknown()),
})
export type Envelope = z.output<typeof envelope>
export type MessageData<T extends keyof typeof messageData> = z.output<(typeof messageData)[T]>

/** A payload above this is refused unread. */
export const MAX_MESSAGE_BYTES = 64 * 1024
export const MAX_ACKS = 200

export const ackStates = ['processed', 'duplicate', 'refused', 'conflict'] as const
export type Ack = { msgId: string; state: (typeof ackStates)[number]; reason?: string }

/** Why a machine's message is refused; also the reasons that an administrator reads on the machine. */
export const messageRefusals = [
  'notJson',
  'tooLarge',
  'malformed',
  'wrongMachine',
  'unknownType',
  'unknownSlot',
  'unknownOrder',
  'orderState',
  'orderNoReused',
  'amountDiffers',
  'methodDiffers',
  'itemUnknown',
  'productDiffers',
  'methodNotOpen',
  'slotNotForSale',
  'machineStopped',
  'notLawful',
  'clockImpossible',
  'sameIdOtherContent',
  'forbiddenTopic',
  'unknownCommand',
  'notUnderstood',
] as const
export type MessageRefusal = (typeof messageRefusals)[number]

/** The answer to an order.request, on down/answer. */
export type OrderAnswer =
  | { msgId: string; orderNo: string; amountFen: number; expiresAt: string }
  | { msgId: string; orderNo: string; refused: MessageRefusal }
