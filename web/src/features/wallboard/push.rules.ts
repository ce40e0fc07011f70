import { figures, MAP_POINTS_KEPT, PUSH_THROTTLE_MS, type PushMessage } from '@aisle/contract/wallboard/board'
import { type Sale, saleOfPush } from './panels/sale.rules'

/**
 * What arrived within 2.5 seconds of the last drawing waits here (spec §4). Figures are running totals, so the newest
 * replaces those before it and none is lost; new points queue up.
 */
export type Backlog = { appliedAtMs: number; message: PushMessage | null; sales: readonly Sale[] }

export const emptyBacklog: Backlog = { appliedAtMs: Number.NEGATIVE_INFINITY, message: null, sales: [] }

export function receive(backlog: Backlog, message: PushMessage, receivedAt: string): Backlog {
  const sale = saleOfPush(message, receivedAt)
  const sales = sale ? [sale, ...backlog.sales].slice(0, MAP_POINTS_KEPT) : backlog.sales
  return { ...backlog, message, sales }
}

/** How long until the backlog may be drawn; null while it is empty. */
export function waitMs(backlog: Backlog, nowMs: number): number | null {
  if (!backlog.message) return null
  const sinceMs = nowMs - backlog.appliedAtMs
  // A clock that was set back would otherwise hold the board for as long as it was wrong.
  if (sinceMs < 0) return 0
  return Math.max(0, PUSH_THROTTLE_MS - sinceMs)
}

export const drained = (nowMs: number): Backlog => ({ appliedAtMs: nowMs, message: null, sales: [] })

/** A frame that is no push (the greeting, a proxy's page) is null. */
export function readPush(text: unknown): PushMessage | null {
  if (typeof text !== 'string') return null
  const json = jsonIn(text)
  if (!figures.safeParse(json).success) return null
  const message = json as PushMessage
  if (message.value !== undefined && !Array.isArray(message.value)) return null
  return message
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
