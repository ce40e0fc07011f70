/** A clock further off than this raises a flag, and times are corrected by the server's estimate. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000
/**
 * Whether nobody knows that somebody stands there now: what was asked lay somewhere on its way, was asked without a
 * link, or the clock that says so is wrong. Medicine is not sold then (goals M10).
 */
export const isInDoubt = (said: { occurredAt: string; offline: boolean }, receivedAt: Date): boolean =>
  said.offline || Math.abs(receivedAt.getTime() - Date.parse(said.occurredAt)) > CLOCK_TOLERANCE_MS

/** Facts older than this are refused: their month is closed and their partition may be gone. */
const OLDEST_MS = 90 * 86_400_000
const NEWEST_MS = 10 * 60_000

/**
 * When something happened, by the machine's clock corrected by its known skew; null when it can't have been then.
 * @returns `skewMs` is what was added: 0 within tolerance
 */
export function correctedTime(
  said: { occurredAt: string; sentAt: string },
  receivedAt: Date,
): { at: Date; skewMs: number } | null {
  const apart = receivedAt.getTime() - Date.parse(said.sentAt)
  const skewMs = Math.abs(apart) > CLOCK_TOLERANCE_MS ? apart : 0
  const at = new Date(Date.parse(said.occurredAt) + skewMs)
  const age = receivedAt.getTime() - at.getTime()
  return age > OLDEST_MS || age < -NEWEST_MS ? null : { at, skewMs }
}
