import type { MedicineClass } from '@aisle/contract/catalog/product'
import type { CardType } from '@aisle/contract/member/card'
import { markedDownFen } from '@aisle/contract/promotion/markdown'
import { isPieceKind, isPlanLawful, MARKDOWN_PRIORITY, type PlanKind } from '@aisle/contract/promotion/plan'
import type { VoucherKind } from '@aisle/contract/promotion/voucher'
import { setPriceOf } from '../medicine/public'

/** Why a piece costs less than its slot asks: the step of an order item that says so. */
export type PriceStep = {
  kind: 'markdown' | 'combination' | 'plan' | VoucherKind
  /** Of a plan its version, also where the order brought a coupon or code of it. */
  reference: number
  beforeFen: number
  afterFen: number
  reason: string
}

/** What a plan that has a limit may still give; null is without end. */
export type Room = { uses: number | null; fen: number | null }

/** A version of a plan as it is in force. */
export type LivePlan = {
  planId: number
  versionId: number
  name: string
  kind: PlanKind
  /** What an order has to bring for it; who prices hands in no other plans of such a kind. */
  voucherKind: VoucherKind | null
  priority: number
  stacks: boolean
  paidPercent: number | null
  amountFen: number | null
  pieces: number | null
  leastFen: number | null
  perOrder: number | null
  /** Those at whose machines it holds: its own merchant and all below. */
  merchantIds: readonly number[]
  productIds: readonly number[]
  categoryIds: readonly number[]
  machineIds: readonly number[]
  groupIds: readonly number[]
  /** Kept out of it while its campaign runs, to be compared with. */
  leftOutIds: readonly number[]
  levels: readonly number[]
  cardTypes: readonly CardType[]
  weekdays: readonly number[]
  fromMinute: number | null
  toMinute: number | null
  startsOn: string | null
  endsOn: string | null
  isFirstPurchase: boolean
  room: Room
}

/** What a slot is marked down to; it counts as a plan for that slot. */
export type Cut = { markdownId: number; paidPercent: number; reason: string }

export type BasketItem = {
  productId: number
  /** That of the product and all above it. */
  categoryIds: readonly number[]
  medicineClass: MedicineClass | null
  listFen: number
  cut: Cut | null
}

export type Basket = {
  machine: { id: number; merchantId: number; groupIds: readonly number[] }
  /** By the machine's own clock; 1 is Monday. */
  at: { day: string; weekday: number; minute: number }
  /** Null for whoever is not known. */
  buyer: { level: number; cardType: CardType; isFirst: boolean } | null
  items: readonly BasketItem[]
}

export type PricedItem = { askedFen: number; steps: readonly PriceStep[] }
export type Use = { planId: number; versionId: number; fen: number }
/** `uses`: what each plan gave, once an order. */
export type Priced = { items: readonly PricedItem[]; uses: readonly Use[] }

type Sets = Parameters<typeof setPriceOf>[1]
type Piece = { at: number; item: BasketItem; fen: number; steps: PriceStep[]; isClosed: boolean; by: Set<number> }

/**
 * What a basket costs. First each piece by itself, which is what the machine shows, then several together, then the
 * order; so that nobody is asked for more than was shown. In each round the highest priority comes first, of equal ones
 * what saves more, of those the older plan. A piece that a plan has made cheaper is touched by another only where both
 * stack, each from the reduced price. Sets of medicines come last and take their pieces as they cost by then.
 */
export function priceBasket(basket: Basket, plans: readonly LivePlan[], sets: Sets = []): Priced {
  const fitting = plans.filter((plan) => isInForce(plan, basket) && (plan.room.uses ?? 1) > 0)
  const pieces = basket.items.map(
    (item, at): Piece => ({ at, item, fen: item.listFen, steps: [], isClosed: false, by: new Set() }),
  )
  const given = new Map<number, Use>()
  const saves = { plans: fitting, given }
  pricePieces(pieces, saves)
  priceTogether(pieces, saves)
  priceSet(pieces, sets)
  return { items: pieces.map(({ fen, steps }) => ({ askedFen: fen, steps })), uses: [...given.values()] }
}

type Saves = { plans: readonly LivePlan[]; given: Map<number, Use> }

/** Whether it holds at the machine, for who buys, by now. */
export function isInForce(plan: LivePlan, { machine, at, buyer }: Basket): boolean {
  const isTheirs =
    (plan.levels.length === 0 || (buyer !== null && plan.levels.includes(buyer.level))) &&
    (plan.cardTypes.length === 0 || (buyer !== null && plan.cardTypes.includes(buyer.cardType))) &&
    (!plan.isFirstPurchase || buyer?.isFirst === true)
  return isAt(plan, machine) && isTheirs && isTime(plan, at)
}

export const isAt = (plan: LivePlan, machine: Basket['machine']): boolean =>
  plan.merchantIds.includes(machine.merchantId) &&
  !plan.leftOutIds.includes(machine.id) &&
  ((plan.machineIds.length === 0 && plan.groupIds.length === 0) ||
    plan.machineIds.includes(machine.id) ||
    machine.groupIds.some((id) => plan.groupIds.includes(id)))

export function isTime(plan: LivePlan, { day, weekday, minute }: Basket['at']): boolean {
  if (plan.startsOn !== null && day < plan.startsOn) return false
  if (plan.endsOn !== null && day > plan.endsOn) return false
  if (plan.weekdays.length > 0 && !plan.weekdays.includes(weekday)) return false
  const { fromMinute: from, toMinute: to } = plan
  if (from === null || to === null) return true
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

/** Whether it is about such goods, and may be. */
export const isFor = (plan: LivePlan, item: Omit<BasketItem, 'listFen' | 'cut'>): boolean =>
  ((plan.productIds.length === 0 && plan.categoryIds.length === 0) ||
    plan.productIds.includes(item.productId) ||
    item.categoryIds.some((id) => plan.categoryIds.includes(id))) &&
  isPlanLawful(plan, item.medicineClass)

/** Only whole pieces of a budget are given. */
const isLeft = ({ room }: LivePlan, fen: number, given: number) => room.fen === null || given + fen <= room.fen

const isOpenTo = (piece: Piece, plan: LivePlan): boolean =>
  !piece.isClosed && (piece.by.size === 0 || plan.stacks) && !piece.by.has(plan.versionId)

function lower(piece: Piece, toFen: number, plan: LivePlan, saves: Saves): void {
  const { planId, versionId, name: reason, voucherKind } = plan
  const given = saves.given.get(planId)?.fen ?? 0
  saves.given.set(planId, { planId, versionId, fen: given + piece.fen - toFen })
  piece.steps.push({ kind: voucherKind ?? 'plan', reference: versionId, beforeFen: piece.fen, afterFen: toFen, reason })
  piece.fen = toFen
}

/** What is not free by word costs a fen at least. */
export function singleFen({ kind, paidPercent, amountFen }: LivePlan, fen: number): number {
  if (kind === 'rate') return markedDownFen(fen, paidPercent ?? 100)
  return Math.max(1, kind === 'amount' ? fen - (amountFen ?? 0) : (amountFen ?? fen))
}

/** Dearest pieces first: a plan that gives an order only so many pieces gives those. */
function pricePieces(pieces: readonly Piece[], saves: Saves): void {
  const times = new Map<number, number>()
  for (const piece of byPrice(pieces)) {
    for (;;) {
      const best = bestSingle(piece, saves, times)
      if (!best) break
      if (best.plan === null) {
        cut(piece, best.cut, best.fen)
        break
      }
      times.set(best.plan.versionId, (times.get(best.plan.versionId) ?? 0) + 1)
      lower(piece, best.fen, best.plan, saves)
      touch([piece], best.plan)
    }
  }
}

const byPrice = (pieces: readonly Piece[]) => [...pieces].sort((a, b) => b.fen - a.fen || a.at - b.at)

type Best = { plan: LivePlan; fen: number } | { plan: null; cut: Cut; fen: number }

/** A markdown is the oldest of what is as good. */
function bestSingle(piece: Piece, { plans, given }: Saves, times: ReadonlyMap<number, number>): Best | undefined {
  const open = plans.filter(
    (plan) =>
      isPieceKind(plan.kind) &&
      isFor(plan, piece.item) &&
      isOpenTo(piece, plan) &&
      (times.get(plan.versionId) ?? 0) < (plan.perOrder ?? Infinity),
  )
  const found: Best[] = open.map((plan) => ({ plan, fen: singleFen(plan, piece.fen) }))
  const { cut: own } = piece.item
  if (own && piece.by.size === 0) {
    found.push({ plan: null, cut: own, fen: markedDownFen(piece.fen, own.paidPercent) })
  }
  const better = found.filter(
    ({ plan, fen }) => fen < piece.fen && (!plan || isLeft(plan, piece.fen - fen, given.get(plan.planId)?.fen ?? 0)),
  )
  return better.sort((a, b) => rankOf(a) - rankOf(b) || a.fen - b.fen || ageOf(a) - ageOf(b))[0]
}

const rankOf = ({ plan }: { plan: LivePlan | null }) => plan?.priority ?? MARKDOWN_PRIORITY
const ageOf = ({ plan }: { plan: LivePlan | null }) => plan?.planId ?? 0

function cut(piece: Piece, { markdownId: reference, reason }: Cut, afterFen: number): void {
  piece.steps.push({ kind: 'markdown', reference, beforeFen: piece.fen, afterFen, reason })
  piece.fen = afterFen
  piece.isClosed = true
}

/** Those that make a group are taken by its plan, whether they got cheaper or are what others got cheaper by. */
function touch(pieces: readonly Piece[], plan: LivePlan): void {
  for (const piece of pieces) {
    piece.by.add(plan.versionId)
    if (!plan.stacks) piece.isClosed = true
  }
}

/** Several pieces, then the order. */
function priceTogether(pieces: readonly Piece[], saves: Saves): void {
  for (const isOrder of [false, true]) {
    const left = new Set(saves.plans.filter(({ kind }) => !isPieceKind(kind) && (kind === 'threshold') === isOrder))
    while (left.size > 0) {
      const best = [...left]
        .map((plan) => ({ plan, ...effectOf(plan, pieces, saves) }))
        .filter(({ savedFen }) => savedFen > 0)
        .sort((a, b) => rankOf(a) - rankOf(b) || b.savedFen - a.savedFen || ageOf(a) - ageOf(b))[0]
      if (!best) break
      left.delete(best.plan)
      for (const { piece, fen } of best.to) if (fen < piece.fen) lower(piece, fen, best.plan, saves)
      touch(
        best.to.map(({ piece }) => piece),
        best.plan,
      )
    }
  }
}

type To = { piece: Piece; fen: number }
type Effect = { savedFen: number; to: To[] }

function effectOf(plan: LivePlan, all: readonly Piece[], { given }: Saves): Effect {
  const free = byPrice(all.filter((piece) => isFor(plan, piece.item) && isOpenTo(piece, plan) && piece.fen > 0))
  const before = given.get(plan.planId)?.fen ?? 0
  if (plan.kind === 'threshold') return thresholdOf(plan, free, before)
  const effect: Effect = { savedFen: 0, to: [] }
  const size = plan.pieces ?? Infinity
  for (let from = 0, n = 0; from + size <= free.length && n < (plan.perOrder ?? Infinity); from += size, n += 1) {
    const group = free.slice(from, from + size)
    const to = plan.kind === 'nth' ? nthOf(plan, group) : bundleOf(plan, group)
    const savedFen = savedBy(to)
    if (savedFen === 0 || !isLeft(plan, effect.savedFen + savedFen, before)) break
    effect.savedFen += savedFen
    effect.to.push(...to)
  }
  return effect
}

const savedBy = (to: readonly To[]) => to.reduce((sum, { piece, fen }) => sum + piece.fen - fen, 0)
const sumOf = (pieces: readonly Piece[]) => pieces.reduce((sum, { fen }) => sum + fen, 0)

/** The cheapest of the group; nothing is asked for it only where the plan says 0. */
const nthOf = ({ paidPercent }: LivePlan, group: readonly Piece[]): To[] =>
  group.map((piece, i) => {
    const isLast = i === group.length - 1
    return { piece, fen: !isLast ? piece.fen : paidPercent === 0 ? 0 : markedDownFen(piece.fen, paidPercent ?? 100) }
  })

const bundleOf = ({ amountFen }: LivePlan, group: readonly Piece[]): To[] =>
  spread(group, sumOf(group) - (amountFen ?? Infinity))

/** So much off as often as the order reaches it, and not more than leaves a fen a piece. */
function thresholdOf(plan: LivePlan, free: readonly Piece[], before: number): Effect {
  const [least, amount] = [plan.leastFen ?? Infinity, plan.amountFen ?? 0]
  const sum = sumOf(free)
  const room = plan.room.fen === null ? Infinity : Math.floor((plan.room.fen - before) / amount)
  const times = Math.min(Math.floor(sum / least), plan.perOrder ?? Infinity, Math.max(0, room))
  const to = spread(free, times * amount)
  return { savedFen: savedBy(to), to }
}

/** Parted by what each can give, which is all but a fen, by largest remainder; of equal ones the dearest. */
function spread(pieces: readonly Piece[], wantedFen: number): To[] {
  const whole = sumOf(pieces) - pieces.length
  const offFen = Math.min(wantedFen, whole)
  if (offFen <= 0) return pieces.map((piece) => ({ piece, fen: piece.fen }))
  const shares = pieces.map((piece) => {
    const part = BigInt(offFen) * BigInt(piece.fen - 1)
    return { piece, off: Number(part / BigInt(whole)), rest: Number(part % BigInt(whole)) }
  })
  let missing = offFen - shares.reduce((sum, { off }) => sum + off, 0)
  for (const share of [...shares].sort((a, b) => b.rest - a.rest)) {
    if (missing === 0) break
    share.off += 1
    missing -= 1
  }
  return shares.map(({ piece, off }) => ({ piece, fen: piece.fen - off }))
}

/** The set's price is a step of each of its pieces. */
function priceSet(pieces: readonly Piece[], sets: Sets): void {
  if (sets.length === 0 || pieces.length < 2) return
  const wanted = pieces.map(({ item, fen }) => ({ productId: item.productId, askedFen: fen }))
  const found = setPriceOf(wanted, sets)
  if (!found) return
  const { id: reference, name: reason } = found.set
  for (const { at, afterFen } of found.pieces) {
    const piece = pieces[at]
    if (!piece) continue
    piece.steps.push({ kind: 'combination', reference, beforeFen: piece.fen, afterFen, reason })
    piece.fen = afterFen
  }
}
