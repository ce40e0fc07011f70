/** How much more or less than before, of a thousand; null where there was nothing to compare with. */
export const changePermille = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round(((now - before) / Math.abs(before)) * 1_000)

/** Of a thousand, without a division by nothing. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1_000))
