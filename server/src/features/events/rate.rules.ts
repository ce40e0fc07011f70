import type { Rate } from './gate.store'

/** As the IETF's draft of rate limit headers for HTTP says them. */
export function limits(rate: Rate | undefined): Record<string, string> {
  if (!rate) return {}
  return {
    'RateLimit-Policy': `"minute";q=${rate.most};w=60`,
    RateLimit: `"minute";r=${Math.max(0, rate.left)};t=${rate.seconds}`,
    ...(rate.left < 0 ? { 'Retry-After': String(rate.seconds) } : {}),
  }
}
