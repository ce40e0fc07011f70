import type { MedicineClass } from '@aisle/contract/catalog/product'
import { isPieceKind } from '@aisle/contract/promotion/plan'
import { clockTime } from '../../kernel/businessDay'
import type { Reader } from '../../kernel/context'
import { findCuts } from './cut.reads'
import { findCategories, findGroups, findLive, type StoredPlan } from './price.reads'
import type { Basket, Cut, LivePlan } from './price.rules'

/** A slot with goods in it that have a price, for one piece of which somebody stands before the machine. */
export type Single = {
  id: number
  machineId: number
  merchantId: number
  timeZone: string
  productId: number
  medicineClass: MedicineClass | null
  priceFen: number
}

/**
 * A machine shows what anybody pays for one piece, and what holders of cards do. A plan that can run out is not shown:
 * a price that is promised has to be asked.
 */
const isShown = (plan: StoredPlan): boolean => isPieceKind(plan.kind) && !plan.isFirstPurchase && !plan.isLimited

/** Each kind of holder that these plans tell from others. */
export function holdersOf(plans: readonly LivePlan[]): NonNullable<Basket['buyer']>[] {
  if (plans.every(({ levels, cardTypes }) => levels.length + cardTypes.length === 0)) return []
  const some = <T>(named: readonly T[], other: T) => (named.length > 0 ? [...new Set(named)] : [other])
  const levels = some(
    plans.flatMap((plan) => plan.levels),
    1,
  )
  const types = some(
    plans.flatMap((plan) => plan.cardTypes),
    'ordinary',
  )
  return levels.flatMap((level) => types.map((cardType) => ({ level, cardType, isFirst: false })))
}

export const findShownPlans = async (db: Reader, merchantIds: readonly number[], now: Date): Promise<StoredPlan[]> =>
  (await findLive(db, merchantIds, now)).filter(isShown)

/** One piece of each slot as a basket of whoever comes, with all that may make it cheaper. */
export async function singlesOf<S extends Single>(db: Reader, slots: readonly S[], now: Date) {
  const all: { slot: S; basket: Basket; plans: StoredPlan[]; cut: Cut | null }[] = []
  if (slots.length === 0) return all
  const of = <K extends keyof Single>(key: K) => slots.map((slot) => slot[key])
  const cuts = await findCuts(db, of('id'), now)
  const plans = await findShownPlans(db, of('merchantId'), now)
  const categories = plans.length > 0 ? await findCategories(db, of('productId')) : new Map<number, number[]>()
  const groups = plans.length > 0 ? await findGroups(db, of('machineId')) : new Map<number, number[]>()
  for (const slot of slots) {
    const { productId, medicineClass, machineId, merchantId, priceFen: listFen, timeZone } = slot
    const cut = cuts.get(slot.id) ?? null
    const basket: Basket = {
      machine: { id: machineId, merchantId, groupIds: groups.get(machineId) ?? [] },
      at: clockTime(now, timeZone),
      buyer: null,
      items: [{ productId, categoryIds: categories.get(productId) ?? [], medicineClass, listFen, cut }],
    }
    all.push({ slot, basket, plans, cut })
  }
  return all
}
