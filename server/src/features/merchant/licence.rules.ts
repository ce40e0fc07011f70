import { kindsOf, type LicenceHolder, type LicenceKind, warningThresholds } from '@aisle/contract/merchant/licence'

/** Why a licence can't be recorded so; null when it can. */
export function faultOf(licence: {
  holderKind: LicenceHolder
  kind: LicenceKind
  validFrom: string
  validTo: string | null
}): 'licence.kindOfHolder' | 'licence.period' | null {
  if (!kindsOf[licence.holderKind].includes(licence.kind)) return 'licence.kindOfHolder'
  return licence.validTo !== null && licence.validTo < licence.validFrom ? 'licence.period' : null
}

/** Whether a term ends after the one that it follows; null is long-term. */
export const endsLater = (next: string | null, now: string | null): boolean =>
  now !== null && (next === null || next > now)

/**
 * The threshold that has been reached and not passed by another: what to warn of today. The job may have missed days.
 * @param daysLeft negative once it has expired
 * @param warningDays from how many on the merchant wants to hear of it; the last day is always said
 */
export function warningFor(daysLeft: number, warningDays: number): (typeof warningThresholds)[number] | null {
  const reached = warningThresholds.filter((days) => daysLeft <= days && (days === 0 || days <= warningDays))
  return reached.at(-1) ?? null
}
