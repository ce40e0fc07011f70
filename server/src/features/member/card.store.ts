import type { CardState, CardType } from '@aisle/contract/member/card'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import { only } from '../../kernel/must'
import type { Charged, Worth } from './card.rules'

export type Shown = { key: number; code: string; merchantId: number }

/**
 * The card that a number means at a merchant's machine, read or typed: one of the merchant's own before one of those
 * above it, a physical number before a logical one. @returns the card's id by key
 */
export async function findShown(db: Reader, shown: readonly Shown[]): Promise<Map<number, number>> {
  if (shown.length === 0) return new Map()
  const found = await sql<{ key: number; id: number }>`
    select distinct on (s.key) s.key, c.id
    from ${rows('s', shown, { key: 'bigint', code: 'text', merchantId: 'bigint' })}
    join merchant m on m.id = s.merchant_id
    cross join lateral (
      select id, merchant_id, 0 as rank from member_card where physical_no = lower(s.code)
      union all select id, merchant_id, 1 from member_card where logical_no = upper(s.code)
    ) c where c.merchant_id = any(m.path)
    order by s.key, array_position(m.path, c.merchant_id) desc, c.rank`.execute(db)
  return new Map(found.rows.map(({ key, id }) => [key, id]))
}

export type CardRow = Worth & {
  id: number
  merchantId: number
  type: CardType
  state: CardState
  singleMaxFen: number
  dailyCountLimit: number
  dailyAmountFen: number
  isRestricted: boolean
}

/**
 * Locked in the order of their ids, then read: what another transaction took from a card is gone from it here. A refund
 * to one of them waits for nobody; who ends a card locks it whole.
 */
export async function lockCards(tx: Tx, ids: readonly number[]): Promise<Map<number, CardRow>> {
  if (ids.length === 0) return new Map()
  await sql`select 1 from member_card where id = any(${[...ids]}::bigint[]) order by id for no key update`.execute(tx)
  return findCards(tx, ids)
}

export async function findCards(db: Reader, ids: readonly number[]): Promise<Map<number, CardRow>> {
  if (ids.length === 0) return new Map()
  const found = await sql<CardRow>`
    select c.id, c.merchant_id as "merchantId", c.type, c.state, c.single_max_fen as "singleMaxFen",
      c.daily_count_limit as "dailyCountLimit", c.daily_amount_fen as "dailyAmountFen",
      c.is_restricted as "isRestricted", coalesce(-b.balance_fen, 0) as "balanceFen",
      coalesce(-g.balance_fen, 0) as "giftFen"
    from member_card c
    left join ledger_account b on b.kind = 'card_liability' and b.merchant_id = c.merchant_id and b.key = c.id::text
    left join ledger_account g on g.kind = 'gift_liability' and g.merchant_id = c.merchant_id and g.key = c.id::text
    where c.id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(found.rows.map((card) => [card.id, card]))
}

/** Which restricted cards may pay at which machines. @returns `card/machine` */
export async function findAllowed(
  db: Reader,
  asked: readonly { cardId: number; machineId: number }[],
): Promise<Set<string>> {
  if (asked.length === 0) return new Set()
  const found = await sql<{ card: number; machine: number }>`
    select k.card_id as card, k.machine_id as machine
    from ${rows('a', asked, { cardId: 'bigint', machineId: 'bigint' })}
    join member_card_machine k on k.card_id = a.card_id and k.machine_id = a.machine_id`.execute(db)
  return new Set(found.rows.map(({ card, machine }) => `${card}/${machine}`))
}

export type Spent = { charges: number; amountFen: number }

/** What cards paid on a day of the machine's. @returns by `card/day` */
export async function findSpent(
  db: Reader,
  asked: readonly { cardId: number; businessDay: string }[],
): Promise<Map<string, Spent>> {
  if (asked.length === 0) return new Map()
  const found = await sql<Spent & { cardId: number; day: string }>`
    select h.card_id as "cardId", h.business_day::text as day,
      count(*) filter (where h.balance_fen + h.gift_fen > h.credited_balance_fen + h.credited_gift_fen)::int as charges,
      sum(h.balance_fen + h.gift_fen - h.credited_balance_fen - h.credited_gift_fen)::bigint as "amountFen"
    from (select distinct card_id, business_day
      from ${rows('a', asked, { cardId: 'bigint', businessDay: 'date' })}) a
    join member_card_charge h on h.card_id = a.card_id and h.business_day = a.business_day
    group by 1, 2`.execute(db)
  return new Map(found.rows.map(({ cardId, day, ...spent }) => [`${cardId}/${day}`, spent]))
}

export type NewCharge = Worth & {
  orderId: number
  cardId: number
  merchantId: number
  machineId: number
  businessDay: string
  at: Date
}

export async function insertCharges(tx: Tx, charges: readonly NewCharge[]): Promise<void> {
  if (charges.length === 0) return
  await sql`insert into member_card_charge (order_id, card_id, merchant_id, machine_id, business_day, balance_fen,
      gift_fen, charged_at)
    select * from ${rows('c', charges, {
      orderId: 'bigint',
      cardId: 'bigint',
      merchantId: 'bigint',
      machineId: 'bigint',
      businessDay: 'date',
      balanceFen: 'bigint',
      giftFen: 'bigint',
      at: 'timestamptz',
    })}`.execute(tx)
}

/** From whose accounts an order was paid, as the sale posts it. */
export type Charge = Worth & { cardId: number; issuerId: number }

export async function findCharges(db: Reader, orderIds: readonly number[]): Promise<Map<number, Charge>> {
  if (orderIds.length === 0) return new Map()
  const found = await sql<Charge & { orderId: number }>`
    select h.order_id as "orderId", h.card_id as "cardId", c.merchant_id as "issuerId", h.balance_fen as "balanceFen",
      h.gift_fen as "giftFen"
    from member_card_charge h join member_card c on c.id = h.card_id
    where h.order_id = any(${[...orderIds]}::bigint[])`.execute(db)
  return new Map(found.rows.map(({ orderId, ...charge }) => [orderId, charge]))
}

export type ChargeRow = Charged & Charge & { merchantId: number; timeZone: string }

export async function lockCharge(tx: Tx, orderId: number): Promise<ChargeRow | undefined> {
  const found = await sql<ChargeRow>`
    select h.card_id as "cardId", c.merchant_id as "issuerId", h.merchant_id as "merchantId",
      m.time_zone as "timeZone", h.balance_fen as "balanceFen", h.gift_fen as "giftFen",
      h.credited_balance_fen as "creditedBalanceFen", h.credited_gift_fen as "creditedGiftFen"
    from member_card_charge h join member_card c on c.id = h.card_id join machine m on m.id = h.machine_id
    where h.order_id = ${orderId} for update of h`.execute(tx)
  return found.rows[0]
}

type Credit = Worth & { orderId: number; refundId: number; cardId: number; at: Date }

/** @returns false when this refund was credited before */
export async function insertCredit(tx: Tx, credit: Credit): Promise<boolean> {
  const { orderId, refundId, cardId, balanceFen, giftFen, at } = credit
  const made =
    await sql`insert into member_card_credit (refund_id, order_id, card_id, balance_fen, gift_fen, credited_at)
    values (${refundId}, ${orderId}, ${cardId}, ${balanceFen}, ${giftFen}, ${at})
    on conflict (refund_id) do nothing returning refund_id`.execute(tx)
  if (made.rows.length === 0) return false
  await sql`update member_card_charge set credited_balance_fen = credited_balance_fen + ${balanceFen},
    credited_gift_fen = credited_gift_fen + ${giftFen} where order_id = ${orderId}`.execute(tx)
  return true
}

/** The card that stands in the place of one by now; nobody ends it before this transaction does. */
export async function lockStanding(tx: Tx, cardId: number): Promise<number> {
  const found = await sql<{ next: number | null }>`select replaced_by as next from member_card where id = ${cardId}
    for key share`.execute(tx)
  const { next } = only(found)
  return next === null ? cardId : lockStanding(tx, next)
}

export async function isCredited(db: Reader, refundId: number): Promise<boolean> {
  const found = await sql`select 1 from member_card_credit where refund_id = ${refundId}`.execute(db)
  return found.rows.length > 0
}
