import type { PaymentMethod } from '@aisle/contract/trade/states'
import type { Season } from './catalog.types'
import type { PointKind } from './cities'

/** January to December, 1 is the year's middle. */
export const months: Record<Season, readonly number[]> = {
  even: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
  cold: [0.55, 0.6, 0.75, 0.9, 1.15, 1.4, 1.6, 1.55, 1.25, 0.95, 0.7, 0.55],
  warm: [1.6, 1.5, 1.2, 0.95, 0.75, 0.6, 0.55, 0.55, 0.75, 1.05, 1.35, 1.6],
  flu: [1.7, 1.5, 1.25, 0.95, 0.75, 0.65, 0.6, 0.6, 0.8, 1.05, 1.35, 1.65],
  summer: [0.2, 0.25, 0.45, 0.8, 1.4, 1.9, 2.1, 2, 1.5, 0.8, 0.35, 0.2],
  spring: [0.7, 0.9, 1.6, 1.8, 1.4, 0.9, 0.7, 0.8, 1.2, 1, 0.7, 0.6],
  rain: [0.6, 0.7, 1, 1.3, 1.4, 1.6, 1.4, 1.3, 1, 0.7, 0.6, 0.6],
  winter: [1.9, 1.6, 1, 0.6, 0.4, 0.25, 0.2, 0.2, 0.45, 0.9, 1.4, 1.8],
}

/** How many orders a machine of middling pull takes on a working day. */
export const dailyOrders: Record<PointKind, number> = {
  hospital: 52,
  store: 42,
  campus: 48,
  station: 58,
  office: 40,
}

/** Sunday to Saturday. */
export const weekdays: Record<PointKind, readonly number[]> = {
  hospital: [0.62, 1.15, 1.08, 1.02, 1, 1.02, 0.78],
  store: [1.15, 0.93, 0.92, 0.95, 0.98, 1.1, 1.2],
  campus: [0.78, 1.05, 1.05, 1.06, 1.02, 0.95, 0.74],
  station: [1.18, 0.95, 0.88, 0.9, 0.98, 1.25, 1.1],
  office: [0.16, 1.08, 1.1, 1.1, 1.05, 0.98, 0.22],
}

/** Fixed-date holidays: at home, on the road, or in the wards. */
export const holiday: Record<PointKind, number> = {
  hospital: 0.7,
  store: 1.15,
  campus: 0.55,
  station: 1.4,
  office: 0.15,
}

/** Shares of the 24 hours, not summing to anything in particular. */
export const hours: Record<PointKind, readonly number[]> = {
  hospital: [8, 5, 4, 3, 4, 8, 20, 52, 88, 100, 92, 74, 66, 58, 72, 78, 66, 48, 40, 38, 34, 26, 18, 12],
  store: [14, 8, 5, 3, 3, 6, 20, 50, 62, 48, 46, 58, 74, 58, 50, 52, 60, 78, 96, 100, 92, 76, 50, 28],
  campus: [6, 2, 1, 1, 1, 3, 14, 46, 52, 62, 60, 84, 100, 62, 54, 62, 66, 78, 82, 84, 96, 100, 62, 20],
  station: [6, 3, 2, 2, 4, 22, 58, 96, 100, 70, 58, 62, 66, 58, 56, 60, 74, 98, 100, 78, 60, 46, 30, 14],
  office: [1, 1, 1, 1, 1, 2, 10, 42, 84, 100, 86, 58, 78, 92, 88, 84, 74, 62, 42, 28, 18, 10, 5, 2],
}

/** In a hundred, where everything is taken. */
export const methodShares: readonly (readonly [PaymentMethod, number])[] = [
  ['wechat', 42],
  ['alipay', 35],
  ['cash', 10],
  ['unionpay', 5],
  ['member_card', 4],
  ['pickup_code', 2],
  ['other', 2],
]
