import {
  type NeededPaper,
  type Paper,
  type PaperState,
  type SupplierState,
  supplierState,
} from '@aisle/contract/purchase/supplier'

export type MedicineClass = Paper['scope'][number]

/** A paper is good on its last day. Days are those of the merchant, as `2026-11-20`. */
export function paperStateOf(
  paper: { validFrom: string; isRevoked: boolean; daysLeft: number | null },
  day: string,
  warningDays: number,
): PaperState {
  if (paper.isRevoked) return 'revoked'
  if (paper.validFrom > day) return 'coming'
  if (paper.daysLeft === null) return 'valid'
  if (paper.daysLeft < 0) return 'expired'
  return paper.daysLeft <= warningDays ? 'expiring' : 'valid'
}

/** Whose verb it is when the papers have come to this; null where the state fits them. */
export function verbFor(state: SupplierState, missing: readonly NeededPaper[]): 'suspend' | 'reinstate' | null {
  if (missing.length > 0) return supplierState.can(state, 'suspend') ? 'suspend' : null
  return supplierState.can(state, 'reinstate') ? 'reinstate' : null
}

type Standing = {
  state: SupplierState
  deliversMedicine: boolean
  missing: readonly NeededPaper[]
  /** Classes that its medicine licences in force allow. */
  scope: readonly MedicineClass[]
}

export type SupplierFault = 'supplier.notQualified' | 'supplier.papers' | 'supplier.scope'

/**
 * Why nothing may be ordered from a supplier, or taken in from it, on this day; null where it may. Papers are asked as
 * they are and not by the state alone, so that one that ended last night stops the first order of the morning
 * (GSP 61, 62).
 * @param classes of the medicines among the goods
 */
export function faultOfSupplier(supplier: Standing, classes: readonly MedicineClass[]): SupplierFault | null {
  if (supplier.missing.length > 0) return 'supplier.papers'
  if (!supplierState.is(supplier.state, 'qualified')) return 'supplier.notQualified'
  if (classes.length === 0) return null
  if (!supplier.deliversMedicine) return 'supplier.notQualified'
  return classes.every((each) => supplier.scope.includes(each)) ? null : 'supplier.scope'
}
