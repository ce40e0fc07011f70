import { isPlanLawful } from '@aisle/contract/promotion/plan'
import type { Basket, LivePlan } from './price.rules'

type Item = { fen: number; refs: number[]; plans: LivePlan[]; isCut: boolean }
type Option = { rank: number; saved: number; age: number; take: () => void }

/** A plan that holds everywhere and always but for what is said. */
export const anyPlanOf = (values: Partial<LivePlan> & Pick<LivePlan, 'kind'>): LivePlan => ({
  planId: 1,
  versionId: values.planId ?? 1,
  name: 'plan',
  voucherKind: null,
  priority: 5,
  stacks: false,
  paidPercent: null,
  amountFen: null,
  pieces: null,
  leastFen: null,
  perOrder: null,
  merchantIds: [1],
  productIds: [],
  categoryIds: [],
  machineIds: [],
  groupIds: [],
  leftOutIds: [],
  levels: [],
  cardTypes: [],
  weekdays: [],
  fromMinute: null,
  toMinute: null,
  startsOn: null,
  endsOn: null,
  isFirstPurchase: false,
  room: { uses: null, fen: null },
  ...values,
})

/** The same rules said again as plainly as can be, for the engine to be held against. @returns price and versions */
export function plainPrices(basket: Basket, plans: readonly LivePlan[]): [number, number[]][] {
  const items: Item[] = basket.items.map(({ listFen }) => ({ fen: listFen, refs: [], plans: [], isCut: false }))
  const spent = new Map<LivePlan, number>()
  const times = new Map<LivePlan, number>()
  const live = plans.filter((plan) => plan.room.uses !== 0 && holds(plan, basket))
  const about = (plan: LivePlan, i: number) => {
    const { productId, categoryIds, medicineClass } = basket.items[i] ?? never()
    const isAny = plan.productIds.length + plan.categoryIds.length === 0
    const isNamed = plan.productIds.includes(productId) || plan.categoryIds.some((id) => categoryIds.includes(id))
    return (isAny || isNamed) && isPlanLawful(plan, medicineClass)
  }
  const mayTake = (plan: LivePlan, { plans: by, isCut }: Item) =>
    !isCut && !by.includes(plan) && (by.length === 0 || [plan, ...by].every(({ stacks }) => stacks))
  const leftFen = (plan: LivePlan) => (plan.room.fen ?? Infinity) - (spent.get(plan) ?? 0)
  const set = (item: Item, fen: number, plan: LivePlan) => {
    if (!item.plans.includes(plan)) item.plans.push(plan)
    if (fen >= item.fen) return
    spent.set(plan, (spent.get(plan) ?? 0) + item.fen - fen)
    item.refs.push(plan.versionId)
    item.fen = fen
  }
  const order = (of: readonly Item[]) => [...of].sort((a, b) => b.fen - a.fen || items.indexOf(a) - items.indexOf(b))

  for (const item of order(items)) {
    const i = items.indexOf(item)
    takeWhilePossible(() => {
      const options: Option[] = []
      for (const plan of live) {
        const fen = onePiece(plan, item.fen)
        if (fen === null || fen >= item.fen || !about(plan, i) || !mayTake(plan, item)) continue
        if (item.fen - fen > leftFen(plan) || (times.get(plan) ?? 0) === plan.perOrder) continue
        const take = () => {
          times.set(plan, (times.get(plan) ?? 0) + 1)
          set(item, fen, plan)
        }
        options.push({ rank: plan.priority, saved: item.fen - fen, age: plan.planId, take })
      }
      const { cut } = basket.items[i] ?? never()
      if (cut && item.plans.length === 0 && !item.isCut) {
        const fen = Math.max(1, Math.floor((item.fen * cut.paidPercent) / 100))
        const take = () => Object.assign(item, { fen, isCut: true, refs: [...item.refs, cut.markdownId] })
        if (fen < item.fen) options.push({ rank: 5, saved: item.fen - fen, age: 0, take })
      }
      return options
    })
  }
  for (const kinds of [['nth', 'bundle'], ['threshold']]) {
    const done: LivePlan[] = []
    takeWhilePossible(() =>
      live
        .filter((plan) => kinds.includes(plan.kind) && !done.includes(plan))
        .map((plan) => {
          const own = order(items.filter((item, i) => item.fen > 0 && about(plan, i) && mayTake(plan, item)))
          const after = manyPieces(
            plan,
            own.map(({ fen }) => fen),
            leftFen(plan),
          )
          const saved = after.reduce((sum, fen, k) => sum + (own[k]?.fen ?? 0) - fen, 0)
          const take = () => {
            done.push(plan)
            after.forEach((fen, k) => set(own[k] ?? never(), fen, plan))
          }
          return { rank: plan.priority, saved, age: plan.planId, take }
        }),
    )
  }
  return items.map(({ fen, refs }) => [fen, refs])
}

const never = (): never => {
  throw new Error('not in the basket')
}

function takeWhilePossible(optionsOf: () => Option[]): void {
  for (let rounds = 0; rounds < 1000; rounds += 1) {
    const [best] = optionsOf()
      .filter(({ saved }) => saved > 0)
      .sort((a, b) => a.rank - b.rank || b.saved - a.saved || a.age - b.age)
    if (!best) return
    best.take()
  }
}

function holds(plan: LivePlan, { machine, at, buyer }: Basket): boolean {
  if (!plan.merchantIds.includes(machine.merchantId) || plan.leftOutIds.includes(machine.id)) return false
  const isSomewhere = plan.machineIds.length + plan.groupIds.length > 0
  if (
    isSomewhere &&
    !plan.machineIds.includes(machine.id) &&
    !plan.groupIds.some((id) => machine.groupIds.includes(id))
  )
    return false
  if (plan.levels.length > 0 && !plan.levels.includes(buyer?.level ?? -1)) return false
  if (plan.cardTypes.length > 0 && !plan.cardTypes.some((type) => type === buyer?.cardType)) return false
  if (plan.isFirstPurchase && !buyer?.isFirst) return false
  if ((plan.startsOn ?? '') > at.day || (plan.endsOn ?? '9999') < at.day) return false
  if (plan.weekdays.length > 0 && !plan.weekdays.includes(at.weekday)) return false
  const [from, to] = [plan.fromMinute, plan.toMinute]
  if (from === null || to === null) return true
  const length = (to - from + 1440) % 1440
  return (at.minute - from + 1440) % 1440 < length
}

function onePiece({ kind, paidPercent, amountFen }: LivePlan, fen: number): number | null {
  if (kind === 'rate') return Math.max(1, Math.floor((fen * (paidPercent ?? 0)) / 100))
  if (kind === 'amount') return Math.max(1, fen - (amountFen ?? 0))
  return kind === 'fixed' ? Math.max(1, amountFen ?? 0) : null
}

/** Prices by falling price, to those of as many as the plan takes. */
function manyPieces(plan: LivePlan, fens: readonly number[], leftFen: number): number[] {
  const sum = (of: readonly number[]) => of.reduce((all, fen) => all + fen, 0)
  if (plan.kind === 'threshold') {
    const off = plan.amountFen ?? 0
    let n = 0
    while (sum(fens) >= (n + 1) * (plan.leastFen ?? 0) && n !== plan.perOrder && (n + 1) * off <= leftFen) n += 1
    return lessBy(fens, n * off)
  }
  const [size, after] = [plan.pieces ?? 0, [] as number[]]
  for (let n = 0; n !== plan.perOrder && (n + 1) * size <= fens.length; n += 1) {
    const group = fens.slice(n * size, (n + 1) * size)
    const last = group.at(-1) ?? 0
    const less =
      plan.kind === 'bundle'
        ? lessBy(group, sum(group) - (plan.amountFen ?? 0))
        : [
            ...group.slice(0, -1),
            plan.paidPercent === 0 ? 0 : Math.max(1, Math.floor((last * (plan.paidPercent ?? 0)) / 100)),
          ]
    const saved = sum(fens.slice(0, (n + 1) * size)) - sum(after) - sum(less)
    if (sum(less) === sum(group) || saved > leftFen) break
    after.push(...less)
  }
  return after
}

/** A fen at a time to whom most is still due of what each can give. */
function lessBy(fens: readonly number[], wanted: number): number[] {
  const most = fens.map((fen) => fen - 1)
  const whole = most.reduce((sum, fen) => sum + fen, 0)
  const off = Math.max(0, Math.min(wanted, whole))
  const given = most.map((fen) => (whole === 0 ? 0 : Math.floor((off * fen) / whole)))
  while (given.reduce((sum, fen) => sum + fen, 0) < off) {
    const due = most.map((fen, i) => off * fen - whole * (given[i] ?? 0))
    const at = due.indexOf(Math.max(...due))
    given[at] = (given[at] ?? 0) + 1
  }
  return fens.map((fen, i) => fen - (given[i] ?? 0))
}
