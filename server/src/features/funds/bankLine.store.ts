import type { BankLine, listBankLines } from '@aisle/contract/funds/bankLine'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader, Tx } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, type Order } from '../../kernel/list'
import { only } from '../../kernel/must'
import { instantAtHome } from '../../kernel/platformDays'
import { existing } from '../../kernel/refuse'
import { type Sight, sightOf } from '../../kernel/scope'
import { holderInSight } from './withdrawal.store'

type Row = BankLine & { withdrawalId: number | null }

const unclear = sql<boolean>`not s.is_clear`
const isOpen = sql<boolean>`(d.outcome <> 'matched' and x.id is null)`

/**
 * The bank's lines, and what we took for paid and it has no line of by the end of the next day.
 * @param which of statements `s`
 */
const judged = (which: RawBuilder<boolean>) => sql`
  select l.id * 2 as id, l.day, s.payout_account_id, s.day as statement_day, l.kind, l.reference,
    l.bank_no as "bankNo", l.amount_fen as "amountFen", w.id as withdrawal_id,
    case when w.id is null then 'strange'
      when exists (select from bank_statement_line e where e.payout_account_id = l.payout_account_id
        and e.reference = l.reference and e.kind = l.kind and e.id < l.id) then 'twice'
      when w.amount_fen = l.amount_fen and case l.kind when 'paid' then w.paid_at is not null
        else w.state = 'returned' end then 'matched'
      else 'differs' end as outcome
  from bank_statement s join bank_statement_line l on l.payout_account_id = s.payout_account_id and l.day = s.day
  left join withdrawal w on w.no = l.reference and w.payout_account_id = l.payout_account_id
  where ${which}
  union all
  select w.id * 2 + 1, s.day - 1, s.payout_account_id, s.day, 'paid', w.no, w.bank_no, w.amount_fen, w.id, 'missing'
  from bank_statement s
  join withdrawal w on w.payout_account_id = s.payout_account_id
    and w.paid_at >= ${instantAtHome(sql`s.day - 1`)} and w.paid_at < ${instantAtHome(sql`s.day`)}
  where ${which} and not exists (select from bank_statement_line l
    where l.payout_account_id = w.payout_account_id and l.reference = w.no and l.kind = 'paid')`

const rowsInSight = (sight: Sight, which: RawBuilder<boolean> = sql`true`): RawBuilder<Row> => sql`
  select d.id, to_char(d.day, 'YYYY-MM-DD') as day, d.day - date '2000-01-01' as "dayNo", p.holder, d.kind, d.reference,
    d."bankNo", d."amountFen", w.amount_fen as "ourFen", m.name as "merchantName", w.id as "withdrawalId", d.outcome,
    ${isOpen} as "isOpen", x.reason, u.display_name as "explainedBy"
  from (${judged(which)}) d
  join payout_account p on p.id = d.payout_account_id
  left join withdrawal w on w.id = d.withdrawal_id
  left join merchant m on m.id = w.merchant_id
  left join bank_difference x on x.id = d.id
  left join app_user u on u.id = x.explained_by
  where ${holderInSight(sight)}`

const newest: Order = { by: sql`"dayNo"`, type: 'bigint', newestFirst: true }

export function listBankLinesIn(ctx: QueryContext, filter: InputOf<typeof listBankLines>): Listing<BankLine> {
  const { no, outcome, from, to } = filter
  const where = allOf([
    no && sql`${no} in (reference, "bankNo")`,
    isAnyOf(sql`outcome`, outcome, { open: sql`"isOpen"` }),
    from && sql`day >= ${from}`,
    to && sql`day <= ${to}`,
  ])
  const sums = sql`coalesce(sum("amountFen") filter (where kind = 'paid' and outcome <> 'missing'), 0)::bigint
    as "paidFen", coalesce(sum("amountFen") filter (where kind = 'returned'), 0)::bigint as "returnedFen"`
  const rows = rowsInSight(sightOf(ctx.actor), outcome?.every((each) => each === 'open') ? unclear : sql`true`)
  return listRows({ rows, where, order: newest, sums })
}

/** With who had a part in the withdrawal that it is about. */
type Line = BankLine & { withdrawalMerchantId: number | null; people: (number | null)[] }

export async function findLine(db: Reader, sight: Sight, id: number): Promise<Line> {
  const found = await sql<Row>`select * from (${rowsInSight(sight)}) seen where id = ${id}`.execute(db)
  const { withdrawalId, ...row } = existing(found.rows[0])
  const about = await sql<{ merchantId: number; people: (number | null)[] }>`select merchant_id as "merchantId",
    array[requested_by, checked_by, approved_by] as people from withdrawal where id = ${withdrawalId}`.execute(db)
  const [withdrawal] = about.rows
  return { ...row, withdrawalMerchantId: withdrawal?.merchantId ?? null, people: withdrawal?.people ?? [] }
}

export async function findBankLine({ db, actor }: QueryContext, { id }: { id: number }) {
  const { people, withdrawalMerchantId: _, ...line } = await findLine(db, sightOf(actor), id)
  return { ...line, isMine: people.includes(actor.userId) }
}

export async function countOpenLines(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count
    from (${rowsInSight(sight, unclear)}) seen where "isOpen"`.execute(db)
  return only(found).count
}

/** Days of which nothing is open any more. */
export async function clearDays(tx: Tx): Promise<void> {
  await sql`update bank_statement c set is_clear = true
    where not c.is_clear and (c.payout_account_id, c.day) not in (
      select d.payout_account_id, d.statement_day from (${judged(unclear)}) d left join bank_difference x on x.id = d.id
      where ${isOpen})`.execute(tx)
}
