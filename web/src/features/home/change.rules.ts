import { numberFormat } from '@aisle/contract/kernel/formatters'
import { type Language, locales } from '@aisle/contract/kernel/text'

/** How far a figure is from what it was, as a share of it; null where there was nothing to compare with. */
export const changeOf = (now: number, before: number): number | null => (before === 0 ? null : (now - before) / before)

/** Beyond this the figure says nothing but that there was hardly anything to compare with. */
const LARGEST_CHANGE = 9.99

/** With its sign, in whole percent from 10 on, else to a tenth. */
export function changeText(change: number, language: Language): string {
  const isBeyond = change > LARGEST_CHANGE
  const share = Math.abs(isBeyond ? LARGEST_CHANGE : change)
  const options = { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 } as const
  const shown = numberFormat(locales[language], options).format(share)
  if (isBeyond) return `> +${shown}`
  if (Math.round(share * 1_000) === 0) return `±${shown}`
  return `${change > 0 ? '+' : '−'}${shown}`
}
