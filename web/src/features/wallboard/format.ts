import { dateTimeFormat, numberFormat, relativeTimeFormat } from '@aisle/contract/kernel/formatters'
import { type Language, locales } from '@aisle/contract/kernel/text'
import { BUSINESS_ZONE } from '../../ui/zone'

/** Of the network's clock, which a wallboard goes by wherever its screen hangs. */
const ZONE_OFFSET_MS = 8 * 3_600_000

export const countText = (count: number, language: Language): string => numberFormat(locales[language]).format(count)

/** Yuan in two parts, so that the fen can stand smaller. */
export function amountParts(amountFen: number, language: Language): { whole: string; decimals: string } {
  const format = numberFormat(locales[language], { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const text = format.format(amountFen / 100)
  return { whole: text.slice(0, -3), decimals: text.slice(-3) }
}

/** To the fen. */
export function exactAmountText(amountFen: number, language: Language): string {
  const { whole, decimals } = amountParts(amountFen, language)
  return `¥${whole}${decimals}`
}

/** Without fen, for columns and rows where a whole yuan is precise enough. */
export const roundAmountText = (amountFen: number, language: Language): string =>
  `¥${countText(Math.round(amountFen / 100), language)}`

/** How wide a figure is at most, in ems of a bold sans serif: a longer one gets smaller instead of cut. */
export const emsOf = (text: string): number =>
  [...text].reduce((ems, sign) => ems + (/[\d¥%]/.test(sign) ? 0.71 : 0.39), 0)

export function compactAmountText(amountFen: number, language: Language): string {
  const format = numberFormat(locales[language], { notation: 'compact', useGrouping: true })
  return `¥${format.format(amountFen / 100)}`
}

/** With a decimal, so that a column of them stands in line. */
export const hoursText = (hours: number, language: Language): string =>
  numberFormat(locales[language], { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(hours)

export const percentText = (share: number, language: Language): string =>
  numberFormat(locales[language], { style: 'percent', maximumFractionDigits: 1 }).format(share)

/** Beyond this the figure says nothing but that there was hardly anything to compare with. */
const LARGEST_CHANGE = 9.99

/** With its sign, for a change. */
export function changeText(change: number, language: Language): string {
  if (change > LARGEST_CHANGE) return `>${percentText(LARGEST_CHANGE, language)}`
  const options = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const
  return numberFormat(locales[language], options).format(change)
}

export const timeText = (atMs: number, language: Language): string =>
  zoned(language, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(atMs)

/** With the weekday, where each language puts it. */
export const dateText = (atMs: number, language: Language): string =>
  zoned(language, { dateStyle: 'full' }).format(atMs)

/** A day in figures, in the order in which each language says them. */
export const dayText = (atMs: number, language: Language): string =>
  zoned(language, { month: 'numeric', day: 'numeric' }).format(atMs)

export const monthText = (atMs: number, language: Language): string => zoned(language, { month: 'short' }).format(atMs)

/** In Chinese the short form (周五), as people say it: 上周五. */
export const weekdayText = (atMs: number, language: Language): string =>
  zoned(language, { weekday: language === 'zh' ? 'short' : 'long' }).format(atMs)

export const agoText = (seconds: number, language: Language): string =>
  relativeTimeFormat(locales[language], { numeric: 'auto', style: 'short' }).format(-seconds, 'second')

/** When a day of the board begins. @param day YYYY-MM-DD */
export const dawnOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) - ZONE_OFFSET_MS

/** The board's day of an instant, as days are written. */
export const dayOf = (atMs: number): string => new Date(atMs + ZONE_OFFSET_MS).toISOString().slice(0, 10)

/** Shanghai keeps no summer time, so its hour is arithmetic. */
export const hourOf = (atMs: number): number => new Date(atMs + ZONE_OFFSET_MS).getUTCHours()

const zoned = (language: Language, options: Intl.DateTimeFormatOptions) =>
  dateTimeFormat(locales[language], { ...options, timeZone: BUSINESS_ZONE })
