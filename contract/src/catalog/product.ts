/** What may be sold where depends on the class (docs/GLOSSARY.md): prescription, OTC A and OTC B. */
export const medicineClasses = ['rx', 'otc_a', 'otc_b'] as const
export type MedicineClass = (typeof medicineClasses)[number]

export const productKinds = ['goods', 'medicine'] as const

/** What a licence mode lets a machine sell (regulator's ruling of April 2024: retail machines sell OTC B only). */
export function isSaleLawful(mode: 'none' | 'retail' | 'hospital', medicineClass: MedicineClass | null): boolean {
  if (medicineClass === null) return true
  if (mode === 'none') return false
  return mode === 'hospital' || medicineClass === 'otc_b'
}
