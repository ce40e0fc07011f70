import {
  BALANCES_SINCE,
  type CardLogLine,
  type Deduction,
  type listCardLog,
  type listDeductions,
  type listTopUps,
  type TopUp,
} from '@aisle/contract/member/cardTransaction'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, summed } from '../../kernel/list'
import { midnight, withinDays } from '../../kernel/platformDays'
import { merchantInSight, type Sight } from '../../kernel/scope'

/** Whose card: of every line of all three lists. */
const cardFacts = sql`c.id as "cardId", c.physical_no as "physicalNo", c.logical_no as "logicalNo", c.type,
  holder.id as "memberId", coalesce(holder.name, '') as "holderName", m.name as "merchantName", c.merchant_id`
const ofCard = sql`join member_card c on c.id = f.card_id join merchant m on m.id = c.merchant_id
  left join member holder on holder.id = c.member_id`

type OfCard = Pick<InputOf<typeof listCardLog>, 'q' | 'from' | 'to' | 'merchantId' | 'memberId' | 'cardId'>
const whereCard = ({ q, from, to, merchantId, memberId, cardId }: OfCard) => [
  q && sql`("physicalNo" = lower(${q}) or "logicalNo" = upper(${q}) or ${holds(sql`"holderName"`, q)})`,
  ...withinDays(sql`happened_at`, { from, to }),
  merchantId && sql`merchant_id = ${merchantId}`,
  memberId && sql`"memberId" = ${memberId}`,
  cardId && sql`"cardId" = ${cardId}`,
]

const newest = { by: sql`happened_at`, type: 'timestamptz', newestFirst: true } as const

type Balances = Pick<TopUp, 'beforeFen' | 'afterFen' | 'giftBeforeFen' | 'giftAfterFen'>
/** A line before its balances are read; `movedKind` and `reference` name its transfer, where it has one. */
type Bare<L> = Omit<L, keyof Balances> & { movedKind: string | null; reference: string | null }

export function listTopUpsIn(sight: Sight, userId: number, filter: InputOf<typeof listTopUps>): Listing<TopUp> {
  const found: RawBuilder<Bare<TopUp>> = sql`
    select f.id, ${cardFacts}, to_json(f.topped_up_at) #>> '{}' as at, f.topped_up_at as happened_at, f.method,
      f.amount_fen as "amountFen", f.gift_fen as "giftFen", u.display_name as "byName", f.note,
      case when r.top_up_id is null then 'standing' else 'reversed' end as reversal,
      to_json(r.reversed_at) #>> '{}' as "reversedAt", ru.display_name as "reversedBy", r.paid_fen as "reversedFen",
      coalesce(f.topped_up_by = ${userId}, false) as "isOwn", 'card_top_up' as "movedKind", f.id::text as reference
    from member_card_top_up f ${ofCard} left join app_user u on u.id = f.topped_up_by
    left join member_card_reversal r on r.top_up_id = f.id left join app_user ru on ru.id = r.reversed_by
    where ${merchantInSight(sight, sql`c.merchant_id`)}`
  const { method, reversal } = filter
  const where = allOf([...whereCard(filter), isAnyOf(sql`method`, method), isAnyOf(sql`reversal`, reversal)])
  const order =
    filter.sort === 'amount' ? ({ by: sql`"amountFen"`, type: 'bigint', newestFirst: true } as const) : newest
  return mapRows(
    listRows({ rows: found, where, order, sums: summed('amountFen', 'giftFen'), isCountedWhole: true }),
    withBalances,
  )
}

/** Where a card of a merchant above paid is told by that merchant's own lists. */
export function listDeductionsIn(sight: Sight, filter: InputOf<typeof listDeductions>): Listing<Deduction> {
  const found: RawBuilder<Bare<Deduction>> = sql`
    select f.order_id as id, ${cardFacts}, to_json(f.charged_at) #>> '{}' as at, f.charged_at as happened_at,
      n.order_no as "orderNo", k.code as "machineCode", seller.name as "sellerName",
      f.balance_fen + f.gift_fen as "paidFen", f.balance_fen as "ofBalanceFen", f.gift_fen as "ofGiftFen",
      f.credited_balance_fen + f.credited_gift_fen as "creditedFen", 'sale' as "movedKind",
      f.order_id::text as reference
    from member_card_charge f ${ofCard} join order_number n on n.order_id = f.order_id
    join machine k on k.id = f.machine_id join merchant seller on seller.id = f.merchant_id
    where ${merchantInSight(sight, sql`c.merchant_id`)} and ${merchantInSight(sight, sql`f.merchant_id`)}`
  const { orderNo, machineCode, back } = filter
  const where = allOf([
    ...whereCard(filter),
    orderNo && sql`"orderNo" = upper(${orderNo})`,
    machineCode && sql`"machineCode" = ${machineCode}`,
    back && (back === 'some' ? sql`"creditedFen" > 0` : sql`"creditedFen" = 0`),
  ])
  const order = filter.sort === 'amount' ? ({ by: sql`"paidFen"`, type: 'bigint', newestFirst: true } as const) : newest
  return mapRows(
    listRows({ rows: found, where, order, sums: summed('paidFen', 'creditedFen'), isCountedWhole: true }),
    withBalances,
  )
}

export function listCardLogIn(sight: Sight, filter: InputOf<typeof listCardLog>): Listing<CardLogLine> {
  const found: RawBuilder<Bare<CardLogLine>> = sql`
    select f.id, ${cardFacts}, to_json(f.at) #>> '{}' as at, f.at as happened_at, f.action, u.display_name as "byName",
      f.note, f.transfer_kind as "movedKind", f.reference
    from member_card_log f ${ofCard} left join app_user u on u.id = f.user_id
    where ${merchantInSight(sight, sql`f.merchant_id`)}`
  const where = allOf([...whereCard(filter), isAnyOf(sql`action`, filter.action)])
  return mapRows(listRows({ rows: found, where, order: newest }), withBalances)
}

type Placed = { id: number; cardId: number; at: string; movedKind: string | null; reference: string | null }

/** Of a page alone: what stood on each card before and after, by the entries of its accounts. */
async function withBalances<L extends Placed>(
  lines: readonly L[],
  db: Reader,
): Promise<(Omit<L, 'movedKind' | 'reference'> & Balances)[]> {
  const found = await findBalances(db, lines)
  return lines.map(({ movedKind: _, reference: __, ...line }) => ({ ...line, ...(found.get(line.id) ?? unknown) }))
}

const unknown: Balances = { beforeFen: null, afterFen: null, giftBeforeFen: null, giftAfterFen: null }

async function findBalances(db: Reader, lines: readonly Placed[]): Promise<Map<number, Balances>> {
  if (lines.length === 0) return new Map()
  const asked = lines.map(({ id, cardId, at, movedKind, reference }) => ({ id, cardId, at, movedKind, reference }))
  const found = await sql<Balances & { id: number }>`
    select l.id, b.after - b.own as "beforeFen", b.after as "afterFen", g.after - g.own as "giftBeforeFen",
      g.after as "giftAfterFen"
    from ${rows('l', asked, {
      id: 'bigint',
      cardId: 'bigint',
      at: 'timestamptz',
      movedKind: 'text',
      reference: 'text',
    })}
    join member_card c on c.id = l.card_id
    left join ledger_transfer x on x.kind = l.moved_kind and x.reference = l.reference
    cross join lateral (${standing('card_liability')}) b cross join lateral (${standing('gift_liability')}) g
    where l.at >= ${midnight(BALANCES_SINCE)}`.execute(db)
  return new Map(found.rows.map(({ id, ...balances }) => [id, balances]))
}

const standing = (kind: 'card_liability' | 'gift_liability') => sql`
  select coalesce(-sum(e.amount_fen), 0)::bigint as after,
    coalesce(-sum(e.amount_fen) filter (where e.transfer_id = x.id), 0)::bigint as own
  from ledger_account a join ledger_entry e on e.account_id = a.id
  where a.kind = ${sql.lit(kind)} and a.merchant_id = c.merchant_id and a.key = c.id::text
    and case when x.id is null then e.posted_at <= l.at
      else (e.posted_at, e.transfer_id) <= (x.posted_at, x.id) end`
