export type LimitedPiece = { isLimited: boolean; minAge: number | null }
export type LimitedSale = {
  mode: 'none' | 'retail' | 'hospital'
  /** Whether retail machines sell limited medicine at all (setting `medicine.limitedInRetail`). */
  isSoldInRetail: boolean
  /** A prescription says who it is for, and a doctor has seen them. */
  hasPrescription: boolean
  /** Whose document the machine has checked. */
  person: { age: number } | null
  pieces: readonly LimitedPiece[]
}

/**
 * Why pieces of a limited group may not be sold to whoever stands there; null when they may. How many of them a person
 * may have is counted elsewhere. An age is asked only of whoever showed a document.
 */
export function limitedRefusal(sale: LimitedSale): 'limitedNotSold' | 'personMissing' | 'personTooYoung' | null {
  const { mode, isSoldInRetail, hasPrescription, person, pieces } = sale
  if (hasPrescription) return null
  if (pieces.some(({ isLimited }) => isLimited)) {
    if (mode === 'retail' && !isSoldInRetail) return 'limitedNotSold'
    if (person === null) return 'personMissing'
  }
  const isTooYoung = person !== null && pieces.some(({ minAge }) => minAge !== null && person.age < minAge)
  return isTooYoung ? 'personTooYoung' : null
}

export type Rule = { packs: number; days: number }

/** A merchant may be stricter than the platform and never looser: fewer packs, or the same in more days. */
export const isLooser = (own: Rule, platform: Rule): boolean => own.packs > platform.packs || own.days < platform.days
