import { OPEN_DAYS, withdrawalState } from '@aisle/contract/funds/states'
import type { getWithdrawal, listWithdrawals, summariseWithdrawals, Withdrawal } from '@aisle/contract/funds/withdrawal'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { maskedNumber } from '@aisle/contract/merchant/bankAccount'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, type Order } from '../../kernel/list'
import { only } from '../../kernel/must'
import { dayAtHome, withinDays } from '../../kernel/platformDays'
import { existing } from '../../kernel/refuse'
import { merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { statesIn } from '../../kernel/states'
import { heldBack } from './funds.store'
import { holderInSight, toDecide, withdrawalInSight } from './withdrawal.store'
import { decideRefusal } from './withdrawal.rules'
import { findEntriesByReference } from '../ledger/public'

type Filter = InputOf<typeof listWithdrawals>

const rowsInSight = (sight: Sight): RawBuilder<Withdrawal> => sql`
  select w.id, w.no, w.merchant_id as "merchantId", m.name as "merchantName", w.amount_fen as "amountFen",
    w.fee_fen as "feeFen", w.amount_fen + w.fee_fen as "totalFen", w.funds_mode as "fundsMode", b.bank,
    ${maskedNumber('')} || b.account_tail as account, w.state, w.detail, u.display_name as "requestedBy",
    to_json(w.requested_at) #>> '{}' as "requestedAt", w.requested_at, to_char(w.due_on, 'YYYY-MM-DD') as "dueOn",
    ${toDecide(sight)} as "toDecide",
    a.display_name as "approvedBy", to_json(w.paid_at) #>> '{}' as "paidAt",
    to_char(${dayAtHome(sql`w.paid_at`)} + ${sql.lit(OPEN_DAYS)}, 'YYYY-MM-DD') as "finalOn", w.bank_no as "bankNo"
  from withdrawal w join merchant m on m.id = w.merchant_id join bank_account b on b.id = w.bank_account_id
  join payout_account p on p.id = w.payout_account_id
  join app_user u on u.id = w.requested_by left join app_user a on a.id = w.approved_by
  where ${withdrawalInSight(sight)}`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  oldest: { by: sql`id`, type: 'bigint' },
}

export function listWithdrawalsIn(ctx: QueryContext, filter: Filter): Listing<Withdrawal> {
  const { no, state, merchantId, from, to, sort } = filter
  const where = allOf([
    no && sql`${no} in (no, "bankNo")`,
    isAnyOf(sql`state`, state, {
      waiting: sql`state in ${statesIn(withdrawalState, 'waiting')}`,
      inTransit: sql`state in ${statesIn(withdrawalState, 'inTransit')}`,
      toDecide: sql`"toDecide"`,
    }),
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    ...withinDays(sql`requested_at`, { from, to }),
  ])
  const sums = sql`coalesce(sum("amountFen"), 0)::bigint as "amountFen", coalesce(sum("feeFen"), 0)::bigint as "feeFen",
    coalesce(sum("amountFen") filter (where state = 'paid'), 0)::bigint as "paidFen"`
  const rows = rowsInSight(sightOf(ctx.actor))
  return listRows({ rows, where, order: orders[sort], sums, isCountedWhole: true })
}

type Summary = OutputOf<typeof summariseWithdrawals>

export async function summary(ctx: QueryContext): Promise<Summary> {
  const found = await sql<{ state: string; count: number; fen: number }>`
    select case when state in ${statesIn(withdrawalState, 'waiting')} then 'waiting' else state end as state,
      count(*)::int as count, sum(amount_fen)::bigint as fen
    from withdrawal w join payout_account p on p.id = w.payout_account_id where ${withdrawalInSight(sightOf(ctx.actor))}
      and (state in ${statesIn(withdrawalState, 'inTransit')} or (state in ${statesIn(withdrawalState, 'cameBack')}
        and ended_at > ${ctx.now()}::timestamptz - make_interval(days => ${sql.lit(OPEN_DAYS)})))
    group by 1`.execute(ctx.db)
  const of = (wanted: string) => {
    const row = found.rows.find(({ state }) => state === wanted)
    return { count: row?.count ?? 0, fen: row?.fen ?? 0 }
  }
  return {
    waiting: of('waiting'),
    approved: of('approved'),
    paying: of('paying'),
    unknown: of('unknown'),
    failed: of('failed'),
    returned: of('returned'),
  }
}

type Detail = OutputOf<typeof getWithdrawal>
type Beside = Pick<
  Detail,
  | 'version'
  | 'reason'
  | 'isOwn'
  | 'checkedBy'
  | 'limitFen'
  | 'holder'
  | 'accountHolder'
  | 'heldBack'
  | 'tries'
  | 'nextAt'
> & { requestedById: number; checkedById: number | null; isHolder: boolean }

/** What is posted of a withdrawal, in the end of its reference. */
const parts = ['hold', 'back', 'paid', 'returned', 'late']

export async function findWithdrawal(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Withdrawal>`select * from (${rowsInSight(sight)}) seen where id = ${id}`.execute(ctx.db)
  const row = existing(found.rows[0])
  const { requestedById, checkedById, isHolder, ...beside } = only(
    await sql<Beside>`select w.version, w.reason, c.display_name as "checkedBy", w.limit_fen as "limitFen", p.holder,
        b.holder as "accountHolder", w.tries,
        ${heldBack} as "heldBack",
        to_json(w.next_at) #>> '{}' as "nextAt", w.requested_by as "requestedById", w.checked_by as "checkedById",
        ${holderInSight(sight)} as "isHolder", ${merchantInSight(sight, sql`w.merchant_id`)} as "isOwn"
      from withdrawal w join merchant m on m.id = w.merchant_id join bank_account b on b.id = w.bank_account_id
      join payout_account p on p.id = w.payout_account_id left join app_user c on c.id = w.checked_by
      where w.id = ${id}`.execute(ctx.db),
  )
  const { userId } = ctx.actor
  return {
    ...row,
    ...beside,
    whyNot: decideRefusal({ requestedBy: requestedById, checkedBy: checkedById, isHolder }, userId),
    isMine: requestedById === userId,
    entries: await findEntriesByReference(
      ctx.db,
      'withdrawal',
      parts.map((part) => `${id}/${part}`),
    ),
    story: await storyOf(ctx.db, id),
  }
}

async function storyOf(db: Reader, id: number): Promise<Detail['story']> {
  const found = await sql<Detail['story'][number]>`
    select e.id, to_json(e.at) #>> '{}' as at, e.verb, u.display_name as who, e.note
    from withdrawal_event e left join app_user u on u.id = e.user_id
    where e.withdrawal_id = ${id} order by e.id desc limit 100`.execute(db)
  return found.rows
}
