import { z } from 'zod'
import { endpoint, zDay, zId, zInstant } from '../kernel/endpoint'
import { salePoint } from './board'

/** A day is replayed in spans, each fetched shortly before it is shown, so that no day is too large for a browser. */
export const REPLAY_SPAN_SECONDS = 600
export const REPLAY_SPANS = 86_400 / REPLAY_SPAN_SECONDS
/** Of a span with more sales, so many are shown on the map, spread evenly; all of them are counted. */
export const REPLAY_POINTS_A_SPAN = 400
export const replaySpeeds = [1, 10, 60, 300, 600] as const
export type ReplaySpeed = (typeof replaySpeeds)[number]

/** What was sold in a second, or in a span, by one method; amounts in fen. */
const sold = {
  /** The method's place among the seven of the board. */
  method: z.int(),
  orders: z.int(),
  paidFen: z.int(),
  onlineOrders: z.int(),
  onlineFen: z.int(),
}
const soldInSpan = z.object({
  span: z
    .int()
    .min(0)
    .max(REPLAY_SPANS - 1),
  ...sold,
})
/** `second` counts from the beginning of the span. */
const soldInSecond = z.object({
  second: z
    .int()
    .min(0)
    .max(REPLAY_SPAN_SECONDS - 1),
  ...sold,
})
export type SoldInSpan = z.output<typeof soldInSpan>
export type SoldInSecond = z.output<typeof soldInSecond>

export const getReplayDay = endpoint({
  name: 'wallboard.getReplayDay',
  method: 'GET',
  path: '/api/wallboard/replay-day',
  access: 'order.read',
  input: z.strictObject({ day: zDay }),
  output: z.object({
    day: zDay,
    /** Spans without a sale are left out. */
    spans: z.array(soldInSpan),
    /** The same of the same weekday a week before, for the marks beside the day's columns. */
    weekBefore: z.array(soldInSpan),
  }),
  summary: 'What was sold on a day of the platform from the orders in sight, in spans of ten minutes and by method',
})

export const getReplaySpan = endpoint({
  name: 'wallboard.getReplaySpan',
  method: 'GET',
  path: '/api/wallboard/replay-span',
  access: 'order.read',
  input: z.strictObject({
    day: zDay,
    span: z.coerce
      .number()
      .int()
      .min(0)
      .max(REPLAY_SPANS - 1),
  }),
  output: z.object({
    seconds: z.array(soldInSecond),
    /** Oldest first, at most `REPLAY_POINTS_A_SPAN`, spread evenly over the orders of the span. */
    points: z.array(salePoint),
    /** How many orders the points stand for. */
    orders: z.int(),
  }),
  summary: 'Ten minutes of a day that is replayed: its seconds and the points of its sales',
})

export const findSoldOrder = endpoint({
  name: 'wallboard.findSoldOrder',
  method: 'GET',
  path: '/api/wallboard/sold-order',
  access: 'order.read',
  input: z.strictObject({
    at: zInstant,
    longitude: z.coerce.number(),
    latitude: z.coerce.number(),
    amountFen: z.coerce.number().int().optional(),
  }),
  output: z.object({ id: zId }),
  refusals: ['request.notFound'],
  summary: 'The order in sight that a point of the wallboard was; the public board itself names no orders',
})
