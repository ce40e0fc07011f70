import {
  type Balance,
  type BalanceLine,
  balanceLines,
  type BalancePosting,
  type getBalance,
  type listBalancePostings,
  type listBalances,
} from '@aisle/contract/funds/balance'
import { withdrawalState } from '@aisle/contract/funds/states'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, type Listing, listRows, type Order, summed } from '../../kernel/list'
import { only } from '../../kernel/must'
import { endOf, midnight, withinDays } from '../../kernel/platformDays'
import { existing } from '../../kernel/refuse'
import { merchantInSight, refuseUnseenMerchant, type Sight, sightOf, subtreeOf } from '../../kernel/scope'
import { stateTo } from '../../kernel/states'
import { elsewhereFen, nearestPayer, payerOf } from './funds.store'
import { periodOf } from './balance.rules'

type Filter = InputOf<typeof listBalances>

const account = (kind: 'pending' | 'available' | 'withdrawing' | 'card_due', alias: string) => sql`
  left join ledger_account ${sql.ref(alias)} on ${sql.ref(`${alias}.kind`)} = ${sql.lit(kind)}
    and ${sql.ref(`${alias}.merchant_id`)} = m.id and ${sql.ref(`${alias}.key`)} = ''`

/** Of what is available; without a payer all of it. */
const elsewhere = sql`coalesce((
    select greatest(0, least(-coalesce(a.balance_fen, 0), ${elsewhereFen(sql`m.id`, sql`payer.mode`)}))
    from ${nearestPayer} payer), -coalesce(a.balance_fen, 0))`

const rowsInSight = (sight: Sight): RawBuilder<Balance> => sql`
  select m.id, m.name as "merchantName",
    greatest(0, -coalesce(p.balance_fen, 0)) as "pendingFen", -coalesce(a.balance_fen, 0) as "availableFen",
    -coalesce(w.balance_fen, 0) as "inPayoutFen",
    (select coalesce(sum(amount_fen), 0)::bigint from withdrawal
      where merchant_id = m.id and state = ${stateTo(withdrawalState, 'confirm')}) as "paidOutFen",
    ${elsewhere}::bigint as "elsewhereFen",
    greatest(0, coalesce(p.balance_fen, 0)) + greatest(0, coalesce(d.balance_fen, 0)) as "owedFen"
  from merchant m ${account('pending', 'p')} ${account('available', 'a')} ${account('withdrawing', 'w')}
    ${account('card_due', 'd')}
  where ${merchantInSight(sight, sql`m.id`)}`

const orders: Record<Filter['sort'], Order> = {
  largest: { by: sql`(-"availableFen")`, type: 'bigint' },
  owed: { by: sql`(-"owedFen")`, type: 'bigint' },
  merchant: { by: sql`"merchantName"`, type: 'text' },
}

export function listBalancesIn(ctx: QueryContext, { merchantId, holds, sort }: Filter): Listing<Balance> {
  const where = allOf([
    merchantId && sql`id in (${subtreeOf(merchantId)})`,
    holds && holds !== 'nothing' && sql`${sql.ref(`${holds}Fen`)} > 0`,
    holds === 'nothing' && sql`"availableFen" + "pendingFen" + "inPayoutFen" + "owedFen" = 0`,
  ])
  const sums = summed('pendingFen', 'availableFen', 'inPayoutFen', 'owedFen')
  const rows = rowsInSight(sightOf(ctx.actor))
  // There are as many rows as merchants, whatever they sell.
  return listRows({ rows, where, order: orders[sort], sums, isCountedWhole: true })
}

/** Of an entry `e` on an available balance and its transfer `t`, with the settlement `s` or withdrawal `w` of it. */
const postings = (merchantId: number, days: RawBuilder<boolean>) => sql`
  from ledger_account a join ledger_entry e on e.account_id = a.id join ledger_transfer t on t.id = e.transfer_id
  left join settlement s on t.kind = 'settlement' and s.id = case when t.kind = 'settlement'
    then t.reference::bigint end
  left join withdrawal w on t.kind = 'withdrawal' and w.id = case when t.kind = 'withdrawal' and t.reference ~ '^\\d+/'
    then split_part(t.reference, '/', 1)::bigint end
  where a.kind = 'available' and a.key = '' and a.merchant_id = ${merchantId} and ${days}`

/** A withdrawal's fee goes and comes with it. */
const feePart = sql`(sign(-e.amount_fen) * least(coalesce(w.fee_fen, 0), abs(e.amount_fen)))::bigint`

/** What each line takes of a posting: a settlement has five, whose sum is what it posted. */
const parts: Record<BalanceLine, RawBuilder<unknown>> = {
  sales: sql`coalesce(s.gross_fen, 0)`,
  refunds: sql`-coalesce(s.refund_fen, 0)`,
  channelFees: sql`-coalesce(s.channel_fee_fen, 0)`,
  functionFees: sql`-coalesce(s.function_fee_fen, 0)`,
  taxes: sql`-coalesce(s.tax_fen, 0)`,
  splits: sql`-coalesce(s.split_fen, 0) + case when t.kind = 'split' then -e.amount_fen else 0 end`,
  withdrawals: sql`case when t.kind = 'withdrawal' then -e.amount_fen - ${feePart} else 0 end`,
  withdrawalFees: sql`case when t.kind = 'withdrawal' then ${feePart} else 0 end`,
  cards: sql`case when t.kind = 'card_settlement' then -e.amount_fen else 0 end`,
  corrections: sql`case when t.kind in ('settlement', 'withdrawal', 'card_settlement', 'split') then 0
    else -e.amount_fen end`,
}

type Explained = Omit<OutputOf<typeof getBalance>, keyof Balance | 'payer' | 'from' | 'to'>

export async function findBalance(
  ctx: QueryContext,
  { id, ...asked }: InputOf<typeof getBalance>,
): Promise<OutputOf<typeof getBalance>> {
  const { day: today } = businessTime(ctx.now(), PLATFORM_TIME_ZONE)
  const days = periodOf(asked, today)
  const found = await sql<Balance>`select * from (${rowsInSight(sightOf(ctx.actor))}) seen
    where id = ${id}`.execute(ctx.db)
  const row = existing(found.rows[0])
  const payer = await payerOf(ctx.db, id)
  return {
    ...row,
    payer: payer && { mode: payer.mode, holder: payer.holder, bank: payer.bank },
    ...days,
    ...(await explain(ctx.db, id, days)),
  }
}

/**
 * From what the account holds now back to what it held: only entries since the first day are read, and an available
 * balance has a few a day, however much its merchant sells.
 */
async function explain(db: Reader, id: number, { from, to }: { from: string; to: string }): Promise<Explained> {
  const since = sql<boolean>`e.posted_at >= ${midnight(from)}`
  const isWithin = sql`e.posted_at < ${endOf(to)}`
  const lines = balanceLines.map(
    (line) => sql`json_build_object('line', ${sql.lit(line)}, 'postings',
      count(*) filter (where ${isWithin} and (${parts[line]}) <> 0),
      'amountFen', coalesce(sum(${parts[line]}) filter (where ${isWithin}), 0))`,
  )
  const { nowFen, sinceFen, withinFen, told } = only(
    await sql<{ nowFen: number; sinceFen: number; withinFen: number; told: Explained['lines'] }>`
      select (select -coalesce(sum(balance_fen), 0)::bigint from ledger_account
          where kind = 'available' and key = '' and merchant_id = ${id}) as "nowFen",
        (-coalesce(sum(e.amount_fen), 0))::bigint as "sinceFen",
        (-coalesce(sum(e.amount_fen) filter (where ${isWithin}), 0))::bigint as "withinFen",
        json_build_array(${sql.join(lines)}) as told
      ${postings(id, since)}`.execute(db),
  )
  const openingFen = nowFen - sinceFen
  const closingFen = openingFen + withinFen
  const explainedFen = told.reduce((fen, { amountFen }) => fen + amountFen, openingFen)
  return {
    openingFen,
    lines: told.filter((line) => line.postings > 0),
    closingFen,
    unexplainedFen: closingFen - explainedFen,
  }
}

type Asked = InputOf<typeof listBalancePostings>

export async function listBalancePostingsIn(ctx: QueryContext, asked: Asked): Promise<Listing<BalancePosting>> {
  const { line, from, to, merchantId = ctx.actor.merchantId } = asked
  await refuseUnseenMerchant(ctx.db, sightOf(ctx.actor), merchantId)
  const days = allOf(withinDays(sql`e.posted_at`, { from, to }))
  const part = line ? parts[line] : sql`-e.amount_fen`
  const rows = sql<BalancePosting>`select t.id, t.kind, e.posted_at, to_json(e.posted_at) #>> '{}' as "postedAt",
      to_char(t.business_day, 'YYYY-MM-DD') as "businessDay", (${part})::bigint as "amountFen",
      s.id as "settlementId", s.method, s.run_id as "runId", w.id as "withdrawalId", w.no as "withdrawalNo"
    ${postings(merchantId, days)}`
  const order: Order = { by: sql`posted_at`, type: 'timestamptz', newestFirst: true }
  return listRows({ rows, where: sql`"amountFen" <> 0`, order })
}
