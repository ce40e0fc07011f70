import type { MedicineClass } from '@aisle/contract/catalog/product'
import type { MessageRefusal } from '@aisle/contract/device/messages'
import { clockTime } from '../../kernel/businessDay'
import type { AuthKeys, Reader, Tx } from '../../kernel/context'
import { must } from '../../kernel/must'
import { findOffered } from '../medicine/public'
import { type Buyer, findBuyers } from '../member/public'
import { findCuts } from './cut.reads'
import { type FoundVoucher, findVouchers } from './voucher/asked.reads'
import type { PricedVoucher } from './voucher/hold.commands'
import { voucherRefusal } from './voucher/voucher.rules'
import { type Basket, type LivePlan, type Priced, priceBasket, type Room } from './price.rules'
import {
  findBought,
  findCategories,
  findGroups,
  findLive,
  findVersions,
  insertUses,
  lockRooms,
  type NewUse,
  releaseUses,
  type StoredPlan,
} from './price.reads'

type Slot = { id: number; product_id: number; price_fen: number; medicine_class: MedicineClass | null }
/** What somebody wants at a machine; `code` is of the card that is shown, if one is. */
export type PriceAsk = {
  machine: { id: number; merchantId: number; timeZone: string }
  slots: readonly Slot[]
  code: string | null
  /** The number of a coupon or promotion code, where one is brought along. */
  voucher: string | null
}

/** What an ask costs, and what it would where less is left of plans that have a limit. */
export type Quotation = Priced & {
  buyer: Buyer | null
  limited: readonly { planId: number; perMember: number | null }[]
  again: (rooms: ReadonlyMap<number, Room>) => Priced
  voucher: PricedVoucher | null
  /** Of the plan behind the voucher that was brought along. */
  voucherPlanId: number | null
}

/** Prices baskets by all that is in force now: a few statements, however many they are. */
export async function priceAsks<A extends PriceAsk>(
  db: Reader,
  asks: readonly A[],
  now: Date,
  keys: AuthKeys,
): Promise<Map<A, Quotation>> {
  if (asks.length === 0) return new Map()
  const slots = asks.flatMap((ask) => ask.slots)
  const cuts = await findCuts(
    db,
    slots.map(({ id }) => id),
    now,
  )
  const plans = await findLive(
    db,
    asks.map(({ machine }) => machine.merchantId),
    now,
  )
  const vouchers = await findVouchers(db, asks, keys)
  const behind = await findVersions(
    db,
    asks.map(({ machine }) => machine.merchantId),
    [...vouchers.values()].map(({ versionId }) => versionId),
  )
  const sets = await findSets(db, asks)
  const facts = await findFacts(db, asks, [...plans, ...behind], vouchers)
  return new Map(
    asks.map((ask) => {
      const buyer = facts.buyers.get(ask) ?? null
      const basket: Basket = {
        machine: { ...ask.machine, groupIds: facts.groups.get(ask.machine.id) ?? [] },
        at: clockTime(now, ask.machine.timeZone),
        buyer,
        items: ask.slots.map((slot) => ({
          productId: slot.product_id,
          categoryIds: facts.categories.get(slot.product_id) ?? [],
          medicineClass: slot.medicine_class,
          listFen: slot.price_fen,
          cut: cuts.get(slot.id) ?? null,
        })),
      }
      const open = plans.filter(({ merchantIds }) => merchantIds.includes(ask.machine.merchantId))
      const own = (by: readonly LivePlan[], of: Basket) => priceBasket(of, by, sets.get(ask.machine.merchantId))
      // A card never makes dearer what the machine shows to all.
      const price = (by: readonly LivePlan[]) =>
        buyer === null ? own(by, basket) : lesserOf(own(by, basket), own(by, { ...basket, buyer: null }))
      const found = vouchers.get(ask)
      const refused = found ? voucherRefusal(found, buyer?.key ?? null, now) : 'voucherUnknown'
      const plan = refused === null ? behind.find(({ versionId }) => versionId === found?.versionId) : undefined
      const all = plan ? [...open, plan] : open
      const isOfUse = plan !== undefined && sumOf(price(all)) < sumOf(price(open))
      const voucher = ask.voucher === null ? null : pricedVoucher(found, refused, isOfUse)
      const limited = all.filter(({ isLimited }) => isLimited)
      const again: Quotation['again'] = (rooms) =>
        price(all.map((plan) => ({ ...plan, room: rooms.get(plan.planId) ?? plan.room })))
      return [ask, { ...price(all), buyer, limited, again, voucher, voucherPlanId: plan?.planId ?? null }]
    }),
  )
}

const lesserOf = (one: Priced, other: Priced): Priced => (sumOf(other) < sumOf(one) ? other : one)

const isAboutBuyer = ({ levels, cardTypes, isFirstPurchase, perMember }: StoredPlan) =>
  levels.length > 0 || cardTypes.length > 0 || isFirstPurchase || perMember !== null

const sumOf = ({ items }: Priced) => items.reduce((sum, { askedFen }) => sum + askedFen, 0)

/** One that saves nothing beside what anybody gets is not taken from its holder. */
function pricedVoucher(
  found: FoundVoucher | undefined,
  refused: MessageRefusal | null,
  isOfUse: boolean,
): PricedVoucher {
  if (!found) return { id: null, refused: 'voucherUnknown' }
  return { id: found.id, refused: refused ?? (isOfUse ? null : 'voucherNoEffect') }
}

/** Only what a plan asks for is looked up. */
async function findFacts<A extends PriceAsk>(
  db: Reader,
  asks: readonly A[],
  plans: readonly StoredPlan[],
  vouchers: ReadonlyMap<A, FoundVoucher>,
) {
  const asksFor = (of: (plan: StoredPlan) => boolean) => plans.some(of)
  const withCard = asks.filter(({ code }) => code !== null)
  return {
    categories: asksFor(({ categoryIds }) => categoryIds.length > 0)
      ? await findCategories(
          db,
          asks.flatMap((ask) => ask.slots.map(({ product_id }) => product_id)),
        )
      : new Map<number, number[]>(),
    groups: asksFor(({ groupIds }) => groupIds.length > 0)
      ? await findGroups(
          db,
          asks.map(({ machine }) => machine.id),
        )
      : new Map<number, number[]>(),
    buyers: vouchers.size > 0 || asksFor(isAboutBuyer) ? await findBuyers(db, withCard) : new Map<A, Buyer>(),
  }
}

const findSets = (db: Reader, asks: readonly PriceAsk[]) =>
  findOffered(
    db,
    asks
      .filter(({ slots }) => slots.length > 1)
      .map(({ machine, slots }) => ({
        merchantId: machine.merchantId,
        productIds: slots.map(({ product_id }) => product_id),
      })),
  )

type Wanted = { orderId: number; quotation: Quotation }

/**
 * Prices anew what a plan with a limit could make cheaper, while nobody else takes of it: each finds what those before
 * it left. What is kept of it is noted by `noteUses` in the same transaction.
 */
export async function holdRooms(tx: Tx, wanted: readonly Wanted[]): Promise<Map<number, Priced>> {
  const limited = wanted.filter(({ quotation }) => quotation.limited.length > 0)
  if (limited.length === 0) return new Map()
  const plans = limited.flatMap(({ quotation }) => quotation.limited)
  const rooms = await lockRooms(
    tx,
    plans.map(({ planId }) => planId),
  )
  const bought = await findBought(tx, limited.flatMap(askedOf))
  return new Map(
    limited.map(({ orderId, quotation }) => {
      const priced = quotation.again(roomsFor(quotation, rooms, bought))
      for (const { planId, fen } of priced.uses) {
        const room = rooms.get(planId)
        if (room) rooms.set(planId, { uses: lessBy(room.uses, 1), fen: lessBy(room.fen, fen) })
        const key = `${planId}/${quotation.buyer?.key}`
        bought.set(key, (bought.get(key) ?? 0) + 1)
      }
      return [orderId, priced]
    }),
  )
}

const lessBy = (left: number | null, taken: number) => (left === null ? null : left - taken)

const askedOf = ({ quotation: { buyer, limited } }: Wanted) =>
  buyer === null
    ? []
    : limited.flatMap(({ planId, perMember }) => (perMember === null ? [] : [{ planId, buyer: buyer.key }]))

/** What each member may have of it is only given to who is known. */
function roomsFor(
  { buyer, limited }: Quotation,
  rooms: ReadonlyMap<number, Room>,
  bought: ReadonlyMap<string, number>,
): Map<number, Room> {
  return new Map(
    limited.map(({ planId, perMember }): [number, Room] => {
      const room = must(rooms.get(planId), `what is left of plan ${planId}`)
      if (perMember === null) return [planId, room]
      const own = buyer === null ? 0 : Math.max(0, perMember - (bought.get(`${planId}/${buyer.key}`) ?? 0))
      return [planId, { ...room, uses: Math.min(room.uses ?? own, own) }]
    }),
  )
}

/** Of orders that were opened: what counts against a limit. */
export async function noteUses(tx: Tx, opened: readonly { order: Opened; quotation: Quotation }[]): Promise<void> {
  const uses = opened.flatMap(({ order: { id: orderId, receivedAt: usedAt }, quotation }) => {
    const { uses: own, limited, buyer, voucher, voucherPlanId } = quotation
    const voucherId = (planId: number) => (voucher?.refused === null && planId === voucherPlanId ? voucher.id : null)
    return own
      .map((use): NewUse => {
        return { ...use, orderId, usedAt, buyer: buyer?.key ?? null, voucherId: voucherId(use.planId) }
      })
      .filter((use) => use.voucherId !== null || limited.some(({ planId }) => planId === use.planId))
  })
  await insertUses(tx, uses)
}

type Opened = { id: number; receivedAt: Date }

/** Orders that have ended; where nothing came of one, its plans have as much left again. */
export async function settleUses(
  tx: Tx,
  ended: readonly { orderId: number; at: Date; items: readonly { isDispensed: boolean; isUnknown: boolean }[] }[],
): Promise<void> {
  const [first] = ended
  const empty = ended.filter(({ items }) => items.every(({ isDispensed, isUnknown }) => !isDispensed && !isUnknown))
  if (!first) return
  await releaseUses(
    tx,
    empty.map(({ orderId }) => orderId),
    first.at,
  )
}
