import { isSaleLawful, type MedicineClass } from '@aisle/contract/catalog/product'
import { type Problem, type WrongSale } from '@aisle/contract/trade/states'
import type { MachineRef } from '../trade.types'

type Piece = {
  product: { id: number; medicine_class: MedicineClass | null; is_unknown: boolean }
  /** What the rules of medicines say of it. */
  medicine: 'prescriptionMissing' | 'batchNotForSale' | null
  slotProductId: number | null
  /** The slot held the product when it was sold, whatever it holds now. */
  wasThere: boolean
}

/** Why a piece should not have been sold, worst first; null of nearly all. */
export function wrongOf(machine: Pick<MachineRef, 'licenceMode'>, piece: Piece): WrongSale | null {
  const { product, medicine } = piece
  if (!isSaleLawful(machine.licenceMode, product.medicine_class)) return 'notLawful'
  if (medicine !== null) return medicine
  if (product.is_unknown) return 'productUnknown'
  return product.id === piece.slotProductId || piece.wasThere ? null : 'slotHoldsOther'
}

const unlawful: readonly WrongSale[] = ['notLawful', 'prescriptionMissing', 'batchNotForSale']
export const isUnlawful = (why: WrongSale): boolean => unlawful.includes(why)

/** What is the law's stands above money that is due, and that above goods of another name. */
export function problemOf(wrongs: readonly WrongSale[], money: Problem | null): Problem | null {
  if (wrongs.some(isUnlawful)) return 'unlawful_sale'
  if (money === 'undelivered' || wrongs.length === 0) return money
  return 'goods_differ'
}

/** A piece that a machine let out and should not have; `product` is the code under which it was sold. */
export type WrongPiece = {
  machine: MachineRef
  slot: string
  product: string
  orderNo: string
  why: WrongSale
  /** Of a trace code that was sold before: the code, and the order that counts. */
  twice?: { code: string; other: string }
}
