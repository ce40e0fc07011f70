import { z } from 'zod'
import { endpoint } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'
import { paymentMethods } from '../trade/states'

/** Spec §9, all in one place. */
export const MAP_POINTS_KEPT = 80
export const COUNTER_ANIMATION_MS = 1_500
export const PUSH_THROTTLE_MS = 2_500
export const CLOCK_REFRESH_MS = 1_000
export const STATISTICS_REFRESH_MS = 60_000
export const TOOLTIP_HIDE_MS = 5_000
/** The tag of a push message that carries a new sale point. */
export const TAG_NEW_SALE = 2

export const boardTabs = ['sales', 'production', 'afterSales', 'merchant', 'product', 'customer'] as const

export const boardRefusals = defineRefusals('wallboard', {
  'wallboard.closed': 403,
  'wallboard.keyInvalid': 403,
})

/** The board is shown all the same; it is told nothing by itself. */
export const boardLimits = defineRefusals('wallboard', { 'wallboard.tooMany': 429 })

const key = z.string().max(64).optional()

export const doRegisterClient = endpoint({
  name: 'wallboard.doRegisterClient',
  method: 'POST',
  path: '/service-order/register/doRegisterClient',
  access: 'public',
  input: z.strictObject({ userId: z.string().min(8).max(64), type: z.int().min(0).max(5), key }),
  output: z.object({}),
  refusals: ['wallboard.closed', 'wallboard.keyInvalid', 'wallboard.tooMany'],
  summary: 'Say which tab a wallboard shows (0 to 5); the push follows it',
})

/** First row counts, second row amounts in yuan (spec §3, payment-method statistics row). */
const statisticsRow = z.object({
  classify: z.string(),
  alipaysl: z.number(),
  wxpaysl: z.number(),
  unionpaysl: z.number(),
  pickcodesl: z.number(),
  memberpaysl: z.number(),
  cashsl: z.number(),
  othersl: z.number(),
  allCount: z.number(),
})
export type StatisticsRow = z.output<typeof statisticsRow>

export const statisticsColumn: Record<(typeof paymentMethods)[number], Exclude<keyof StatisticsRow, 'classify'>> = {
  alipay: 'alipaysl',
  wechat: 'wxpaysl',
  unionpay: 'unionpaysl',
  pickup_code: 'pickcodesl',
  member_card: 'memberpaysl',
  cash: 'cashsl',
  other: 'othersl',
}

export const doGetTradeStatisticsOfToday = endpoint({
  name: 'wallboard.doGetTradeStatisticsOfToday',
  method: 'POST',
  path: '/service-order/salesBigData/doGetTradeStatisticsOfToday',
  access: 'public',
  input: z.strictObject({ key }),
  output: z.array(statisticsRow),
  refusals: ['wallboard.closed', 'wallboard.keyInvalid'],
  summary: "Today's sales by payment method: the counts, then the amounts",
})

export const doSendMessage = endpoint({
  name: 'wallboard.doSendMessage',
  method: 'POST',
  path: '/service-order/producer/doSendMessage',
  access: 'wallboard.push',
  writes: true,
  isKeyMade: true,
  input: z.strictObject({}),
  output: z.object({ boards: z.int() }),
  summary: 'Push the present figures once to all wallboards',
})

export const figures = z.object({
  todaytransactionsSum: z.number(),
  todaytransactionsOnLine: z.number(),
  allTransactionSum: z.number(),
  todaytransactionsNumberSum: z.int(),
  todaytransactionsNumberOnLine: z.int(),
  allTransactionsNumberSum: z.int(),
})
export type Figures = z.output<typeof figures>

/** One WebSocket message (spec §3, live push message): the six figures, and with tag 2 a new sale point. */
export type PushMessage = Figures & {
  tag?: number
  productName?: string
  /** Longitude, latitude, picture address. */
  value?: [number, number, string]
  /** Beyond the specification, for our own board: where, how much (fen) and when. */
  place?: string
  amountFen?: number
  at?: string
  /** The machine stands in another country than China, so that the map of China leaves it out. */
  isAbroad?: boolean
}

export const salePoint = z.object({
  productName: z.string(),
  value: z.tuple([z.number(), z.number(), z.string()]),
  place: z.string(),
  amountFen: z.int(),
  at: z.string(),
  isAbroad: z.boolean(),
})
export type SalePoint = z.output<typeof salePoint>

export const getBoard = endpoint({
  name: 'wallboard.getBoard',
  method: 'GET',
  path: '/api/wallboard',
  access: 'public',
  input: z.strictObject({ key }),
  output: z.object({
    figures,
    /** Newest first, at most 80. */
    points: z.array(salePoint),
    /** 24 amounts in fen: today so far, and the same weekday last week. */
    hoursToday: z.array(z.int()),
    hoursLastWeek: z.array(z.int()),
    /** Fen up to the same time of day a week ago; the comparison beside today's figure. */
    lastWeekSoFarFen: z.int(),
    machinesOnline: z.int(),
    machinesTotal: z.int(),
    /** Of them in other countries than China: the board then offers a map of the world. */
    machinesAbroad: z.int(),
    at: z.string(),
  }),
  refusals: ['wallboard.closed', 'wallboard.keyInvalid'],
  summary: 'What a wallboard needs to draw itself at once, before the first push',
})
