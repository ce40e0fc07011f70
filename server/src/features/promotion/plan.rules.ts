import type { MedicineClass } from '@aisle/contract/catalog/product'
import { type Conflict, isPieceKind, type Plan, planMarks } from '@aisle/contract/promotion/plan'
import { type BasketItem, isAt, isFor, type LivePlan, priceBasket } from './price.rules'

type Derived = {
  isListed: boolean
  startsOn: string | null
  endsOn: string | null
  maxUses: number | null
  uses: number
  budgetFen: number | null
  spentFen: number
}

/** What follows from its days, by the calendar of its merchant, and from what is gone of it. */
export function marksOf(plan: Derived, day: string): Plan['marks'] {
  const isOver = plan.endsOn !== null && plan.endsOn < day
  const isSoldOut =
    (plan.maxUses !== null && plan.uses >= plan.maxUses) || (plan.budgetFen !== null && plan.spentFen >= plan.budgetFen)
  const isWaiting = plan.startsOn !== null && plan.startsOn > day
  const holds = { over: isOver, soldOut: isSoldOut, waiting: isWaiting && !isOver }
  const isOnSale = plan.isListed && !isOver && !isSoldOut && !isWaiting
  return planMarks.filter((mark) => (mark === 'onSale' ? isOnSale : holds[mark]))
}

/** A slot as a plan meets it. */
export type Met = {
  machine: { id: number; merchantId: number; groupIds: readonly number[]; code: string }
  slotCode: string
  productId: number
  productName: string
  categoryIds: readonly number[]
  medicineClass: MedicineClass | null
  priceFen: number
  costFen: number
  /** The least that was paid for it there in the last seven days. */
  lowestFen: number | null
}

const always = { weekdays: [], fromMinute: null, toMinute: null, startsOn: null, endsOn: null } as const
const anybody = { levels: [], cardTypes: [], isFirstPurchase: false } as const

/** What speaks against listing it, by what is listed already and where it would hold. */
export function conflictsOf(plan: LivePlan, others: readonly LivePlan[], slots: readonly Met[]): Conflict[] {
  const here = slots.filter((slot) => isAt(plan, slot.machine))
  const met = here.filter((slot) => isFor(plan, slot))
  const named = here.filter((slot) => isFor({ ...plan, kind: 'rate', ...anybody }, asGoods(slot)))
  const below = met.filter((slot) => isBelowCost(plan, slot))
  const sold = met.filter((slot) => isPieceKind(plan.kind) && isSoldForLess(plan, slot))
  const isOpen = plan.voucherKind === null
  return [
    ...(met.length === 0 ? [{ kind: 'nowhere' as const, count: 0, name: plan.name, planId: null }] : []),
    ...(isOpen ? overlapsOf(plan, others, met) : []),
    ...counted('belowCost', below),
    ...counted('soldForLess', isOpen ? sold : []),
    ...counted(
      'lawLeftOut',
      named.filter((slot) => !met.includes(slot)),
    ),
  ]
}

const asGoods = (slot: Met): Met => ({ ...slot, medicineClass: null })

function counted(kind: Conflict['kind'], slots: readonly Met[]): Conflict[] {
  const [first] = slots
  if (!first) return []
  return [
    { kind, count: slots.length, name: `${first.productName} · ${first.machine.code} ${first.slotCode}`, planId: null },
  ]
}

/** Which of two wins is then only a matter of which saves more, or is older: most probably nobody meant that. */
function overlapsOf(plan: LivePlan, others: readonly LivePlan[], met: readonly Met[]): Conflict[] {
  return others.flatMap((other): Conflict[] => {
    const isEqual =
      other.planId !== plan.planId &&
      other.priority === plan.priority &&
      roundOf(other) === roundOf(plan) &&
      !(other.stacks && plan.stacks)
    if (!isEqual || !mayMeet(plan, other)) return []
    const count = met.filter((slot) => isAt(other, slot.machine) && isFor(other, slot)).length
    return count > 0 ? [{ kind: 'overlap', count, name: other.name, planId: other.planId }] : []
  })
}

const roundOf = ({ kind }: LivePlan) => (isPieceKind(kind) ? 'piece' : kind === 'threshold' ? 'order' : 'group')

/** Whether there is a moment and a buyer for both. */
export function mayMeet(one: LivePlan, other: LivePlan): boolean {
  const share = <T>(a: readonly T[], b: readonly T[]) =>
    a.length === 0 || b.length === 0 || a.some((each) => b.includes(each))
  const begins = [one.startsOn, other.startsOn].map((day) => day ?? '0')
  const ends = [one.endsOn, other.endsOn].map((day) => day ?? '9')
  const isSameDay = begins.every((begin) => ends.every((end) => begin <= end))
  return (
    isSameDay &&
    share(one.levels, other.levels) &&
    share(one.cardTypes, other.cardTypes) &&
    share(one.weekdays, other.weekdays) &&
    share(minutesOf(one), minutesOf(other))
  )
}

/** Minutes of the day; none is all of them. */
function minutesOf({ fromMinute: from, toMinute: to }: LivePlan): number[] {
  if (from === null || to === null) return []
  return Array.from({ length: (to - from + 1440) % 1440 }, (_, i) => (from + i) % 1440)
}

/** What so many of a slot's goods come to by the plan alone, whenever it holds. */
function paidFen(plan: LivePlan, slot: Met, count: number): number {
  const item: BasketItem = { ...slot, listFen: slot.priceFen, cut: null }
  const at = { day: '', weekday: 1, minute: 0 }
  const items = Array.from({ length: count }, () => item)
  const basket = { machine: slot.machine, at, buyer: null, items }
  const free = { ...plan, ...always, ...anybody, perOrder: null, room: { uses: null, fen: null } }
  return priceBasket(basket, [free]).items.reduce((sum, { askedFen }) => sum + askedFen, 0)
}

/** As many of it as the plan asks for, bought at once. */
function isBelowCost(plan: LivePlan, slot: Met): boolean {
  const needed = plan.kind === 'threshold' ? (plan.leastFen ?? 0) / Math.max(1, slot.priceFen) : (plan.pieces ?? 1)
  const count = Math.min(MOST_TRIED, Math.max(1, Math.ceil(needed)))
  return paidFen(plan, slot, count) < slot.costFen * count
}
const MOST_TRIED = 50

/** What it costs by the plan is no less than what was paid lately: nothing may be struck through beside it. */
const isSoldForLess = (plan: LivePlan, slot: Met): boolean =>
  slot.lowestFen !== null && slot.lowestFen <= paidFen(plan, slot, 1)
