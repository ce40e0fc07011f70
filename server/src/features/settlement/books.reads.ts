import {
  accountKinds,
  type getAccount,
  type getTrialBalance,
  type LedgerAccount,
  type listAccounts,
  type listBookDays,
} from '@aisle/contract/settlement/books'
import { readBalance } from '@aisle/contract/kernel/balance'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, mapRows, type Order, summed } from '../../kernel/list'
import { midnight } from '../../kernel/platformDays'
import { merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { accountText, entriesOfTransfers } from '../ledger/public'

type Filter = InputOf<typeof listAccounts>
type Kept = Omit<LedgerAccount, 'shownFen' | 'side'>
const readable = (account: Kept): LedgerAccount => ({ ...account, ...readBalance(account.kind, account.balanceFen) })

/** The key of a machine's or card's account says what it is kept for; a channel's is shown by its number there. */
const rowsInSight = (sight: Sight): RawBuilder<Kept> => sql`
  select a.id, ${accountText} as name, a.kind, a.key,
    a.merchant_id as "merchantId", m.name as "merchantName", a.balance_fen as "balanceFen",
    to_json((select max(e.posted_at) from ledger_entry e where e.account_id = a.id)) #>> '{}' as "lastAt"
  from ledger_account a join merchant m on m.id = a.merchant_id
  where ${merchantInSight(sight, sql`a.merchant_id`)}`

const place = sql`array_position(${[...accountKinds]}::text[], kind)`
const orders: Record<Filter['sort'], Order> = {
  kind: { by: sql`${place}::bigint`, type: 'bigint' },
  largest: { by: sql`(-abs("balanceFen"))::bigint`, type: 'bigint' },
}

export function listAccountsIn(ctx: QueryContext, filter: Filter): Listing<LedgerAccount> {
  const { kind, key, merchantId, balance, sort } = filter
  const where = allOf([
    isAnyOf(sql`kind`, kind),
    key && sql`key = ${key}`,
    balance === 'not_zero' && sql`"balanceFen" <> 0`,
    balance === 'zero' && sql`"balanceFen" = 0`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  const rows = rowsInSight(sightOf(ctx.actor))
  const listed = { rows, where, order: orders[sort], sums: summed('balanceFen'), isCountedWhole: true }
  return mapRows(listRows(listed), (found) => found.map(readable))
}

type Trial = OutputOf<typeof getTrialBalance>

export async function trialBalance(ctx: QueryContext, { merchantId }: InputOf<typeof getTrialBalance>): Promise<Trial> {
  const sight = sightOf(ctx.actor)
  const where = allOf([
    merchantInSight(sight, sql`a.merchant_id`),
    merchantId && sql`a.merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  const kinds = await sql<Trial['kinds'][number]>`select a.kind, count(*)::int as accounts,
      coalesce(sum(a.balance_fen) filter (where a.balance_fen > 0), 0)::bigint as "debitFen",
      coalesce(-sum(a.balance_fen) filter (where a.balance_fen < 0), 0)::bigint as "creditFen"
    from ledger_account a where ${where} group by a.kind
    order by array_position(${[...accountKinds]}::text[], a.kind)`.execute(ctx.db)
  const closed = await sql<{ closedUntil: string | null }>`select to_char(max(day), 'YYYY-MM-DD') as "closedUntil"
    from ledger_day where hash is not null`.execute(ctx.db)
  const total = (side: 'debitFen' | 'creditFen') => kinds.rows.reduce((sum, each) => sum + each[side], 0)
  return {
    kinds: kinds.rows,
    debitFen: total('debitFen'),
    creditFen: total('creditFen'),
    wrongBalances: await lastCheck(ctx.db),
    closedUntil: closed.rows[0]?.closedUntil ?? null,
    isWhole: sight.kind === 'all' && !merchantId,
  }
}

/** What the nightly check of all balances against their entries found. */
async function lastCheck(db: Reader): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from (
      select problems from audit_check where about = 'books' order by id desc limit 1) checked,
    unnest(problems) as problem where problem like 'account %'`.execute(db)
  return found.rows[0]?.count ?? 0
}

type Detail = OutputOf<typeof getAccount>
const LINES = 50

export async function findAccount(ctx: QueryContext, input: InputOf<typeof getAccount>): Promise<Detail | undefined> {
  const found = await sql<Kept>`select * from (${rowsInSight(sightOf(ctx.actor))}) seen
    where id = ${input.id}`.execute(ctx.db)
  const [account] = found.rows
  if (!account) return undefined
  const from = addDays(businessTime(ctx.now(), PLATFORM_TIME_ZONE).day, 1 - input.days)
  const byKind = await sql<Detail['byKind'][number]>`select t.kind, count(*)::int as entries,
      sum(e.amount_fen)::bigint as "amountFen"
    from ledger_entry e join ledger_transfer t on t.id = e.transfer_id
    where e.account_id = ${account.id} and e.posted_at >= ${midnight(from)}
    group by t.kind order by abs(sum(e.amount_fen)) desc`.execute(ctx.db)
  const openingFen = byKind.rows.reduce((fen, { amountFen }) => fen - amountFen, account.balanceFen)
  const lines = await linesOf(ctx.db, account, { ...input, from })
  return { ...readable(account), from, openingFen, byKind: byKind.rows, ...lines }
}

type Line = Detail['lines'][number]

type Asked = Pick<InputOf<typeof getAccount>, 'before' | 'kind'> & { from: string }

/**
 * Newest first; what the account held after each follows from what it holds now, where no kind is left out. Of one kind
 * there may be few: they are looked for among the days that are summed.
 */
async function linesOf(db: Reader, account: Kept, { before, kind, from }: Asked) {
  const [at, transferId, balance] = before?.split('|') ?? []
  const isAfter = Number.isSafeInteger(Number(transferId)) && Number.isSafeInteger(Number(balance))
  const startFen = isAfter && balance !== undefined ? Number(balance) : account.balanceFen
  const beyond =
    isAfter && at ? sql`(e.posted_at, e.transfer_id) < (${new Date(Number(at))}, ${transferId}::bigint)` : sql`true`
  const ofKind = kind
    ? sql`e.posted_at >= ${midnight(from)} and exists (
        select 1 from ledger_transfer k where k.id = e.transfer_id and k.kind = ${kind})`
    : sql`true`
  const found = await sql<Omit<Line, 'others' | 'balanceFen'> & { atMs: number; balanceFen: number }>`
    select t.id as "transferId", t.kind, t.reference, e.amount_fen as "amountFen",
      (${startFen}::bigint - coalesce(sum(e.amount_fen) over (order by e.posted_at desc, e.transfer_id desc
        rows between unbounded preceding and 1 preceding), 0))::bigint as "balanceFen",
      to_json(e.posted_at) #>> '{}' as "postedAt", (extract(epoch from e.posted_at) * 1000)::bigint as "atMs",
      to_char(t.business_day, 'YYYY-MM-DD') as "businessDay", to_char(t.adjusts, 'YYYY-MM-DD') as adjusts,
      coalesce(n.order_no, f.order_no, d.order_no) as "orderNo", f.refund_no as "refundNo",
      coalesce(d.run_id, s.run_id, case when t.kind = 'statement' then split_part(t.reference, '/', 2)::bigint end)
        as "runId", d.id as "differenceId", l.channel_no as "channelNo", l.run_id as "billRunId"
    from (select * from ledger_entry e where e.account_id = ${account.id} and ${beyond} and ${ofKind}
      order by e.posted_at desc, e.transfer_id desc limit ${sql.lit(LINES)}) e
    join ledger_transfer t on t.id = e.transfer_id
    left join order_number n on t.kind = 'sale' and n.order_id = case when t.kind = 'sale' then t.reference::bigint end
    left join refund f on t.kind = 'refund' and f.id = case when t.kind = 'refund' and t.reference ~ '^\\d+$'
      then t.reference::bigint end
    left join settlement_difference d on t.kind = 'decision' and d.id = case when t.kind = 'decision'
      then t.reference::bigint end
    left join settlement s on t.kind = 'settlement' and s.id = case when t.kind = 'settlement'
      then t.reference::bigint end
    left join statement_match x on (x.kind = 'payment' and x.order_id = n.order_id)
      or (x.kind = 'refund' and x.matched_id = f.id)
    left join statement_line l on l.id = x.line_id
    order by e.posted_at desc, e.transfer_id desc`.execute(db)
  const others = await othersOf(
    db,
    account.id,
    found.rows.map((row) => row.transferId),
  )
  const last = found.rows.length === LINES ? found.rows.at(-1) : undefined
  return {
    lines: found.rows.map(
      ({ atMs: _, ...row }): Line => ({
        ...row,
        balanceFen: kind ? null : row.balanceFen,
        others: others.get(row.transferId) ?? [],
      }),
    ),
    next: last ? `${last.atMs}|${last.transferId}|${last.balanceFen - last.amountFen}` : null,
  }
}

type Other = Line['others'][number]

async function othersOf(db: Reader, accountId: number, transferIds: readonly number[]): Promise<Map<number, Other[]>> {
  const found = await sql<Other & { transferId: number }>`
    select t.id as "transferId", ${accountText} as account,
      e.amount_fen as "amountFen"
    from ${entriesOfTransfers} where t.id = any(${[...transferIds]}::bigint[]) and a.id <> ${accountId}
    order by e.amount_fen desc`.execute(db)
  const byTransfer = new Map<number, Other[]>()
  for (const { transferId, account, amountFen } of found.rows) {
    byTransfer.set(transferId, [...(byTransfer.get(transferId) ?? []), { account, amountFen }])
  }
  return byTransfer
}

type BookDay = OutputOf<typeof listBookDays>['items'][number]

export function bookDays(filter: InputOf<typeof listBookDays>): Listing<BookDay> {
  const rows = sql<BookDay>`select (day - date '2000-01-01')::int as id, to_char(day, 'YYYY-MM-DD') as day, entries,
    debit_fen as "debitFen", encode(hash, 'hex') as hash, to_json(closed_at) #>> '{}' as "closedAt",
    to_json(sealed_at) #>> '{}' as "sealedAt" from ledger_day`
  const where = allOf([filter.from && sql`day >= ${filter.from}`, filter.to && sql`day <= ${filter.to}`])
  const order: Order = { by: sql`day`, type: 'text', newestFirst: true }
  return listRows({ rows, where, order })
}
