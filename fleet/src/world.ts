import type { Answer } from '@aisle/contract/device/messages'
import type { Clock } from './machine/clock'
import type { Boot } from './link/envelope'
import type { Link, LinkEvents, LinkOptions } from './link/link'
import type { Outbox } from './link/outbox'
import type { Random, Span } from './random'
import type { Ticket, Wheel } from './machine/wheel'

/** How machines behave. Times are milliseconds, shares are between 0 and 1. */
export type Settings = {
  url: string
  /** Where files lie that a command names by their path alone. */
  serverUrl: string
  heartbeatMs: number
  snapshotMs: number
  /** How often the controller is read out. */
  auditMs: number
  /** How often it notes what its screen played. */
  advertMs: number
  /** How long a customer is asked to wait for a price, and for the motor after having paid. */
  answerMs: number
  shipMs: number
  /** For what is to be scanned, after the price. */
  offerMs: number
  payMs: Span
  /** Between paying and saying yes to the goods, where the machine asks. */
  touchMs: Span
  vendMs: Span
  /** What was stored within this time before the link came up is sent at once: its customer may still stand there. */
  freshMs: number
  /** The rest waits for the machine's own share of this, so that a town does not speak at once after a power cut. */
  replayWithinMs: number
  replayBatch: number
  replayBatchMs: number
  /** No acknowledgement for this long: sent again, then after twice as long, and so on. */
  resendMs: number
  reconnectMs: Span
  rebootMs: Span
  repairMs: number
  /** Of a self-check, of an open door, of fetching software. */
  checkMs: number
  doorMs: number
  downloadMs: Span
  /** Software that turns out broken; commands that are never answered, and how many are answered how late. */
  updateFailShare: number
  silentShare: number
  lateShare: number
  lateMs: Span
  /** How long the answer to a repeated ship command is known. */
  keepOrdersMs: number
  jamShare: number
  abandonShare: number
  /** Of those who scan, so many pay so late. */
  payLateShare: number
  payLateMs: Span
  duplicateShare: number
  reorderShare: number
  /** How late the second copy and the overtaken message are. */
  mischiefMs: Span
}

export const productionSettings: Settings = {
  url: 'mqtt://127.0.0.1:18830',
  serverUrl: 'http://127.0.0.1:3000',
  heartbeatMs: 60_000,
  snapshotMs: 3_600_000,
  auditMs: 6 * 3_600_000,
  advertMs: 60_000,
  answerMs: 5_000,
  shipMs: 90_000,
  offerMs: 30_000,
  payMs: [3_000, 15_000],
  touchMs: [500, 2_000],
  vendMs: [3_000, 8_000],
  freshMs: 60_000,
  replayWithinMs: 300_000,
  replayBatch: 20,
  replayBatchMs: 5_000,
  resendMs: 30_000,
  reconnectMs: [1_000, 60_000],
  rebootMs: [2_000, 6_000],
  repairMs: 20 * 60_000,
  checkMs: 4_000,
  doorMs: 40_000,
  downloadMs: [8_000, 40_000],
  updateFailShare: 0,
  silentShare: 0,
  lateShare: 0,
  lateMs: [5_000, 90_000],
  keepOrdersMs: 24 * 3_600_000,
  jamShare: 0.01,
  abandonShare: 0.03,
  payLateShare: 0.004,
  payLateMs: [100_000, 240_000],
  duplicateShare: 0,
  reorderShare: 0,
  mischiefMs: [100, 3_000],
}

export const outcomes = [
  'sold',
  'failed',
  'refused',
  'noAnswer',
  'abandoned',
  'notShipped',
  'notWon',
  'interrupted',
  'impossible',
] as const
/** How a customer's visit ended. `failed`: the motor turned and (some) goods did not come out. */
export type SaleOutcome = (typeof outcomes)[number]

export type Counted = SaleOutcome | 'sent' | 'acknowledged' | 'rejected' | 'unreadable' | 'connected' | 'signInRefused'

/** What all machines of a process share. */
export type World = {
  readonly clock: Clock
  readonly wheel: Wheel
  readonly outbox: Outbox
  readonly settings: Settings
  readonly openLink: (options: LinkOptions, events: LinkEvents) => Link
  /** A customer's wallet pays what was scanned. @returns false where the channel wouldn't have it */
  readonly pay: (payUrl: string) => Promise<boolean>
  count(what: Counted, howMany?: number): void
}

export type SlotPlan = {
  code: string
  product: string | null
  priceFen: number | null
  stock: number
  capacity: number
  /** Motor code of a fault that stands at the start. */
  fault?: string | null
  isLocked?: boolean
  /** Nothing is sold from it for the time being. */
  isStopped?: boolean
  /** Of medicine: the codes of the packs in it that were scanned, from front to back. */
  traceCodes?: readonly string[]
  /** What its filler brings: of which batch, and how the codes of such packs begin. */
  lot?: { product: string; batch: string; prefix: string }
  /** Pieces that are past their day, until somebody takes them out. */
  lapsed?: { batch: string; pieces: number } | null
  struckFen?: number | null
  memberFen?: number | null
  isMedicine?: boolean
}

/** On an average day; the shares of its 24 hours, in any unit; and times what on each weekday, Sunday first. */
export type Sells = { aDay: number; hours: readonly number[]; weekdays: readonly number[] }

/** One machine of the fleet file. */
export type MachinePlan = {
  code: string
  secret: string
  timeZone: string
  category: string
  /** Not said: six in ten take coins and notes, medicine machines none. */
  takesCash?: boolean
  isStopped?: boolean
  /** Customers may play for goods there. */
  isHighGo?: boolean
  /** How much it sells; not said: as machines of its kind usually do. */
  sells?: Sells
  /** What its customers hold of prescriptions: the code, and the product that one pack of is had on it a day. */
  prescriptions?: readonly { code: string; product: string }[]
  /** Products that are cheaper together, as its screen offers them. */
  sets?: readonly (readonly string[])[]
  /** Pick-up codes that were given to its customers, and numbers of the cards they carry. */
  codes?: readonly string[]
  cards?: readonly string[]
  /** Coupons that they carry, each for one purchase. */
  vouchers?: readonly string[]
  slots: SlotPlan[]
}

/** What a customer holds: from when on it is tried (again), by the steady clock. */
export type Held = { code: string; freeFromMs: number }

export type Slot = SlotPlan & {
  /** Stock as the fleet file told it: when the file tells another, the file is newer than our own count. */
  readonly plannedStock: number
  fault: string | null
  isLocked: boolean
  isStopped: boolean
  traceCodes: readonly string[]
  lapsed: { batch: string; pieces: number } | null
  /** What its price was before, shown struck through. */
  struckFen: number | null
  /** What holders of cards pay from so much on, shown beside it. */
  memberFen: number | null
  /** Sold with an answer of the server alone. */
  isMedicine: boolean
  /** Counters since the machine was made, as its controller keeps them. */
  sold: number
  soldFen: number
  soldCashFen: number
  /** The server would not sell from it; asking again every minute would only fill its log. */
  closedUntilMs: number
  /** What came out or was put in of late, by the machine's clock. */
  moves: readonly { atMs: number; change: number }[]
}

/** A machine is plain data; the verbs are in machine.ts, sale.ts, ship.ts and commands.ts. */
export type Machine = {
  readonly world: World
  readonly code: string
  readonly secret: string
  readonly timeZone: string
  readonly category: string
  readonly takesCash: boolean
  readonly isHighGo: boolean
  readonly sells: Sells | null
  readonly prescriptions: { code: string; product: string; freeFromMs: number }[]
  sets: readonly (readonly string[])[]
  readonly codes: Held[]
  readonly cards: Held[]
  readonly vouchers: Held[]
  readonly slots: Slot[]
  readonly random: Random
  /** How wrong its wall clock is. */
  skewMs: number
  /** Beyond what its compressor manages, in °C. */
  warmerBy: number
  hasLowChange: boolean
  boot: Boot
  link: Link | null
  isOn: boolean
  isUp: boolean
  isSaleStopped: boolean
  isDoorOpen: boolean
  /** A tester is at work: customers read that it is closed for the moment. */
  testingUntilMs: number
  /** The plan of the fleet file by its fingerprint: what the machine was told since counts as long as that stays. */
  readonly plan: string
  /** A customer is being served; one at a time. */
  isBusy: boolean
  /** The program is to end soon: motors finish at once. */
  isHurried: boolean
  outageUntilMs: number
  failedConnects: number
  orderCount: number
  /** How often a motor was turned; what must never be more than once for an order's item. */
  turns: number
  question: { msgId: string; answer: (answer: Answer | null) => void } | null
  awaited: { orderNo: string; end: (outcome: SaleOutcome) => void; patience: Ticket } | null
  /** Orders whose customer was told that the money comes back. */
  readonly givenUp: string[]
  /**
   * Of its screen: how many lists of adverts and of questions came (a newer one ends the fetching for the one before),
   * when it was asked last what it played and how often, and parts of a play that are not due yet.
   */
  readonly screen: { lists: number; questions: number; playedMs: number; runs: number; carried: Map<string, number> }
  /** Settles when the motor is free. */
  motor: Promise<void>
  readonly tickets: Record<'connect' | 'pump' | 'beat' | 'snapshot' | 'audit' | 'adverts' | 'motor', Ticket | null>
}

export const wallMs = (machine: Machine): number => machine.world.clock.wallMs() + machine.skewMs
export const steadyMs = (machine: Machine): number => machine.world.clock.steadyMs()
export const slotOf = (machine: Machine, code: string): Slot | undefined =>
  machine.slots.find((slot) => slot.code === code)
