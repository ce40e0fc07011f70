/** What may be sold where depends on the class (docs/GLOSSARY.md): prescription, OTC A and OTC B. */
export const medicineClasses = ['rx', 'otc_a', 'otc_b'] as const
export type MedicineClass = (typeof medicineClasses)[number]

export const productKinds = ['goods', 'medicine'] as const

/** Worded as `law.<reason>` in the catalog of planogram, wherever a product is turned down for it. */
export const unlawfulReasons = ['noLicence', 'otcBOnly'] as const
export type UnlawfulReason = (typeof unlawfulReasons)[number]

type LicenceMode = 'none' | 'retail' | 'hospital'

/**
 * Why a machine of this licence mode may not sell a product; null when it may (domain rules, section 5: the regulator's
 * ruling of April 2024, retail machines sell OTC B only). The one rule for slot, template, push and order.
 */
export function unlawfulBecause(mode: LicenceMode, medicineClass: MedicineClass | null): UnlawfulReason | null {
  if (medicineClass === null || mode === 'hospital') return null
  if (mode === 'none') return 'noLicence'
  return medicineClass === 'otc_b' ? null : 'otcBOnly'
}

export const isSaleLawful = (mode: LicenceMode, medicineClass: MedicineClass | null): boolean =>
  unlawfulBecause(mode, medicineClass) === null
