import type { BankLine, listBankLines } from '@aisle/contract/funds/bankLine'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, type Listing, listRows, type Order } from '../../kernel/list'
import { only } from '../../kernel/must'
import { dayAtHome } from '../../kernel/platformDays'
import { existing } from '../../kernel/refuse'
import { type Sight, sightOf } from '../../kernel/scope'
import { holderInSight } from './withdrawal.store'

type Row = BankLine & { withdrawalId: number | null }

/** The bank's lines, and what we took for paid and it has no line of by the end of the next day. */
const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select d.id, to_char(d.day, 'YYYY-MM-DD') as day, d.day - date '2000-01-01' as "dayNo", p.holder, d.kind, d.reference,
    d."bankNo", d."amountFen", w.amount_fen as "ourFen", m.name as "merchantName", w.id as "withdrawalId", d.outcome,
    d.outcome <> 'matched' and x.id is null as "isOpen", x.reason, u.display_name as "explainedBy"
  from (
    select l.id * 2 as id, l.day, l.payout_account_id, l.kind, l.reference, l.bank_no as "bankNo",
      l.amount_fen as "amountFen", w.id as withdrawal_id,
      case when w.id is null then 'strange'
        when exists (select from bank_statement_line e where e.payout_account_id = l.payout_account_id
          and e.reference = l.reference and e.kind = l.kind and e.id < l.id) then 'twice'
        when w.amount_fen = l.amount_fen and case l.kind when 'paid' then w.paid_at is not null
          else w.state = 'returned' end then 'matched'
        else 'differs' end as outcome
    from bank_statement_line l
    left join withdrawal w on w.no = l.reference and w.payout_account_id = l.payout_account_id
    union all
    select w.id * 2 + 1, s.day - 1, w.payout_account_id, 'paid', w.no, w.bank_no, w.amount_fen, w.id, 'missing'
    from withdrawal w
    join bank_statement s on s.payout_account_id = w.payout_account_id and s.day = ${dayAtHome(sql`w.paid_at`)} + 1
    where w.paid_at is not null and not exists (select from bank_statement_line l
      where l.payout_account_id = w.payout_account_id and l.reference = w.no and l.kind = 'paid')
  ) d
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
    outcome === 'open' && sql`"isOpen"`,
    outcome && outcome !== 'open' && sql`outcome = ${sql.lit(outcome)}`,
    from && sql`day >= ${from}`,
    to && sql`day <= ${to}`,
  ])
  const sums = sql`coalesce(sum("amountFen") filter (where kind = 'paid' and outcome <> 'missing'), 0)::bigint
    as "paidFen", coalesce(sum("amountFen") filter (where kind = 'returned'), 0)::bigint as "returnedFen"`
  return listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order: newest, sums })
}

/** With who had a part in the withdrawal that it is about. */
export type Line = BankLine & { withdrawalMerchantId: number | null; people: (number | null)[] }

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
    from (${rowsInSight(sight)}) seen where "isOpen"`.execute(db)
  return only(found).count
}
