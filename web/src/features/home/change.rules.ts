/** How far a figure is from what it was, as a share of it; null where there was nothing to compare with. */
export const changeOf = (now: number, before: number): number | null => (before === 0 ? null : (now - before) / before)

/** With its sign, in whole percent from 10 on, else to a tenth. */
export function changeText(change: number): string {
  const percent = Math.abs(change) * 100
  const shown = percent >= 10 ? Math.round(percent) : Math.round(percent * 10) / 10
  const sign = shown === 0 ? '±' : change > 0 ? '+' : '−'
  return `${sign}${shown}%`
}
