import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getCard, listCards, MemberCard } from '@aisle/contract/member/memberCard'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order, summed } from '../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'

type Filter = InputOf<typeof listCards>

/** Balances stand in the ledger: what is owed on a card is below 0 there. */
const rowsInSight = (sight: Sight): RawBuilder<MemberCard> => sql`
  select c.id, c.physical_no as "physicalNo", c.logical_no as "logicalNo", c.type, c.level, c.state, c.merchant_id,
    m.name as "merchantName", holder.id as "memberId", coalesce(holder.name, '') as "holderName",
    holder.phone as "holderPhone",
    coalesce(-b.balance_fen, 0) as "balanceFen", coalesce(-g.balance_fen, 0) as "giftFen",
    (select to_json(max(charged_at)) #>> '{}' from member_card_charge where card_id = c.id) as "lastPaidAt",
    c.created_at, to_json(c.created_at) #>> '{}' as "createdAt",
    c.single_max_fen as "singleMaxFen", c.daily_count_limit as "dailyCountLimit",
    c.daily_amount_fen as "dailyAmountFen", c.is_restricted as "isRestricted"
  from member_card c join merchant m on m.id = c.merchant_id
  left join member holder on holder.id = c.member_id
  left join ledger_account b on b.kind = 'card_liability' and b.merchant_id = c.merchant_id and b.key = c.id::text
  left join ledger_account g on g.kind = 'gift_liability' and g.merchant_id = c.merchant_id and g.key = c.id::text
  where ${merchantInSight(sight, sql`c.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`created_at`, type: 'timestamptz', newestFirst: true },
  number: { by: sql`"logicalNo"`, type: 'text' },
  balance: { by: sql`"balanceFen"`, type: 'bigint', newestFirst: true },
}

const whereOf = ({ q, state, type, merchantId, memberId, level, holder }: Filter) =>
  allOf([
    q &&
      sql`("physicalNo" = lower(${q}) or "logicalNo" = upper(${q}) or ${holds(sql`"holderName"`, q)}
      or "holderPhone" = ${q})`,
    isAnyOf(sql`state`, state),
    isAnyOf(sql`type`, type),
    merchantId && sql`merchant_id = ${merchantId}`,
    memberId && sql`"memberId" = ${memberId}`,
    level && sql`level = ${level}`,
    holder && (holder === 'named' ? sql`"memberId" is not null` : sql`"memberId" is null`),
  ])

export const listCardsIn = (sight: Sight, filter: Filter): Listing<MemberCard> =>
  listRows({
    rows: rowsInSight(sight),
    where: whereOf(filter),
    order: orders[filter.sort],
    sums: summed('balanceFen', 'giftFen'),
    isCountedWhole: true,
  })

type Detail = OutputOf<typeof getCard>
type Tallies = Pick<Detail, 'toppedUpFen' | 'topUpCount' | 'spentFen' | 'spentCount'>

export async function findCardDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Omit<Detail, keyof Tallies | 'topUps' | 'charges' | 'machines'>>`
    select seen.*, c.version, c.merchant_id as "merchantId", c.activation_digest is not null as "hasCode",
      before.logical_no as replaces, after.logical_no as "replacedBy", c.cancel_why as "cancelWhy",
      u.display_name as "cancelAskedBy", to_json(c.cancel_asked_at) #>> '{}' as "cancelAskedAt",
      (select coalesce(sum(paid_fen), 0)::bigint from member_card_payout where card_id = c.id) as "paidOutFen"
    from (${rowsInSight(sight)}) seen join member_card c on c.id = seen.id
    left join member_card before on before.replaced_by = c.id left join member_card after on after.id = c.replaced_by
    left join app_user u on u.id = c.cancel_asked_by where seen.id = ${id}`.execute(db)
  const [row] = found.rows
  if (!row) return undefined
  const tallies = await sql<Tallies>`
    select coalesce(t.fen, 0)::bigint as "toppedUpFen", t.count as "topUpCount",
      coalesce(h.fen, 0)::bigint as "spentFen", h.count as "spentCount"
    from (select sum(amount_fen) as fen, count(*)::int as count from member_card_top_up where card_id = ${id}) t,
      (select sum(balance_fen + gift_fen - credited_balance_fen - credited_gift_fen) as fen, count(*) filter (
        where balance_fen + gift_fen > credited_balance_fen + credited_gift_fen)::int as count
      from member_card_charge where card_id = ${id}) h`.execute(db)
  const none = { toppedUpFen: 0, topUpCount: 0, spentFen: 0, spentCount: 0 }
  const [topUps, charges] = [await findTopUps(db, id), await findCharged(db, sight, id)]
  const machines = await sql<Detail['machines'][number]>`select k.id, k.code, k.name from member_card_machine t
    join machine k on k.id = t.machine_id where t.card_id = ${id} and ${machineInSight(sight, sql`k.id`)}
    order by k.code`.execute(db)
  return { ...row, ...none, ...tallies.rows[0], machines: machines.rows, topUps, charges }
}

async function findTopUps(db: Reader, id: number): Promise<Detail['topUps']> {
  const found = await sql<Detail['topUps'][number]>`
    select t.id, t.method, t.amount_fen as "amountFen", t.gift_fen as "giftFen", u.display_name as "byName", t.note,
      to_json(t.topped_up_at) #>> '{}' as at
    from member_card_top_up t left join app_user u on u.id = t.topped_up_by
    where t.card_id = ${id} order by t.topped_up_at desc, t.id desc limit 50`.execute(db)
  return found.rows
}

/** A card of a merchant above pays below it: where it paid out of sight is not told. */
async function findCharged(db: Reader, sight: Sight, id: number): Promise<Detail['charges']> {
  const found = await sql<Detail['charges'][number]>`
    select n.order_no as "orderNo", k.code as "machineCode", h.balance_fen + h.gift_fen as "paidFen",
      h.gift_fen as "giftFen", h.credited_balance_fen + h.credited_gift_fen as "creditedFen",
      to_json(h.charged_at) #>> '{}' as at
    from member_card_charge h join order_number n on n.order_id = h.order_id join machine k on k.id = h.machine_id
    where h.card_id = ${id} and ${merchantInSight(sight, sql`h.merchant_id`)}
    order by h.charged_at desc, h.order_id desc limit 50`.execute(db)
  return found.rows
}
