import { z } from 'zod'
import { zFenPositive } from '../kernel/money'
import { stateNames } from '../kernel/states'
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
const counter = z.int().min(0).max(1_000_000)

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
    /** Of the pick-up code or the card, or what the customer shows to be scanned, as the method says. */
    code: z.string().min(1).max(64).optional(),
    /** The code of the prescription that names what only a prescription sells. */
    prescription: z.string().min(1).max(40).optional(),
    /** The number of a coupon, or a promotion code, as it was scanned or typed. */
    voucher: z.string().min(1).max(40).optional(),
    /**
     * Of a customer whose document the machine has read and compared with who stands there: what is limited by person
     * asks for it. Of the number only a keyed hash is kept, of the age nothing.
     */
    person: z
      .strictObject({ idNumber: z.string().regex(/^[A-Za-z0-9-]{6,32}$/), age: z.int().min(0).max(130) })
      .optional(),
    /** What the customer pays for is a play, not the goods (spec §9, high-go). */
    isPlay: z.boolean().optional(),
  }),
  /** What a customer's prescription allows, before anything is chosen; nothing is held by asking. */
  'rx.check': z.strictObject({ prescription: z.string().min(1).max(40) }),
  /** What a pick-up code gives here, and what a card may still pay: before anything is chosen. */
  'pickup.check': z.strictObject({ code: z.string().min(1).max(64) }),
  'card.check': z.strictObject({ code: z.string().min(1).max(64) }),
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
    /** 0: not turned, since a piece before it hung. */
    attempts: z.int().min(0).max(9).optional(),
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
    /** Of what a filler scanned, piece by piece. */
    traceCodes: z.array(text.min(1)).max(200).optional(),
  }),
  /** One probe, measured; kept as a record that nobody changes. */
  temperature: z.strictObject({
    probe: z.int().min(0).max(15).default(0),
    celsius: z.number().min(-80).max(120),
    humidity: z.number().min(0).max(100).optional(),
    mode: z.string().max(20).optional(),
    compressor: z.boolean().optional(),
  }),
  /** What the program wrote down of late; asked for whole by `upload_log`. */
  log: z.strictObject({
    level: z.enum(['debug', 'info', 'warn', 'error']),
    lines: z.array(z.string().min(1).max(300)).min(1).max(100),
  }),
  /** How often it played what on its day so far: running counts, so that a lost message loses nothing. */
  'ad.play': z.strictObject({
    /** Of an earlier day of the last week, whose counts the machine could not tell on it. */
    day: z.iso.date().optional(),
    ads: z
      .array(z.strictObject({ ad: z.string().min(1).max(40), plays: counter, seconds: counter }))
      .min(1)
      .max(100),
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
  'rx.check': 'request',
  'pickup.check': 'request',
  'card.check': 'request',
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
  log: 'droppable',
  'ad.play': 'droppable',
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
export const ackState = stateNames(ackStates)
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
  'productOffline',
  'machineStopped',
  'notLawful',
  'clockImpossible',
  'sameIdOtherContent',
  'forbiddenTopic',
  'unknownCommand',
  'notUnderstood',
  'codeUnknown',
  'codeSpent',
  'codeExpired',
  'codeElsewhere',
  'codeInvalid',
  'codesBlocked',
  'contentDiffers',
  'cardUnknown',
  'cardNotActive',
  'cardBalance',
  'cardLimit',
  'cardElsewhere',
  'cardsBlocked',
  'prescriptionMissing',
  'prescriptionUnknown',
  'prescriptionNotApproved',
  'prescriptionSpent',
  'prescriptionExpired',
  'prescriptionsBlocked',
  'medicineNotNamed',
  'limitReached',
  'personMissing',
  'personTooYoung',
  'limitedNotSold',
  'batchNotForSale',
  'clockDoubtful',
  'playNotOpen',
  'voucherUnknown',
  'voucherSpent',
  'voucherExpired',
  'voucherEarly',
  'voucherInvalid',
  'voucherOfAnother',
  'voucherNeedsCard',
  'voucherLimit',
  'voucherNoEffect',
  'paymentUnavailable',
] as const
export type MessageRefusal = (typeof messageRefusals)[number]

/** The answer to an rx.check: packs of each product that may be had now, or why nothing. */
export type PrescriptionAnswer =
  | { msgId: string; prescription: string; medicines: { product: string; packs: number }[]; expiresAt: string }
  | { msgId: string; prescription: string; refused: MessageRefusal }

/**
 * The answer to a pickup.check: pieces of each product that the pick-up under way still gives, and how many pick-ups
 * are left with it. The code itself is not repeated.
 */
export type PickupAnswer =
  | { msgId: string; content: { product: string; pieces: number }[]; pickupsLeft: number; expiresAt: string }
  | { msgId: string; refused: MessageRefusal }

/** The answer to a card.check; `mostFen` is the dearest purchase that balances and limits allow now. */
export type CardAnswer =
  | { msgId: string; balanceFen: number; giftFen: number; mostFen: number }
  | { msgId: string; refused: MessageRefusal }

/** All that comes on down/answer. */
export type Answer = OrderAnswer | PrescriptionAnswer | PickupAnswer | CardAnswer

/**
 * The answer to an order.request, on down/answer. `isOffered`: a payment channel takes the money; a second answer to
 * the same message brings `payUrl`, shown as a picture to be scanned, or `refused` where the channel won't. Else the
 * machine's own reader takes the money, unless `isPaid`: then the ship command follows at once.
 */
export type OrderAnswer =
  | {
      msgId: string
      orderNo: string
      amountFen: number
      expiresAt: string
      isOffered?: boolean
      payUrl?: string
      isPaid?: boolean
      /** Of a play: its odds, and what binds its draw before it is paid (docs/decisions/0019). */
      play?: { seedHash: string; oddsPermille: number }
      /** Customers are asked to follow this account before they pay: its name, and what the picture to scan holds. */
      follow?: { name: string; url: string }
    }
  | { msgId: string; orderNo: string; refused: MessageRefusal }
  /** A paid play, drawn. Who won gets the ship command too, and what stands for the prize; after `lost` none comes. */
  | { msgId: string; orderNo: string; drawn: 'won' | 'lost'; number: number; oddsPermille: number; prizeCode?: string }
