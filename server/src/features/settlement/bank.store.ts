import { differenceState } from '@aisle/contract/settlement/states'
import type { addBankReceipt, listPayouts, Payout, previewReceipt } from '@aisle/contract/settlement/bank'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext, QueryContext, Reader } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, type Order, summed } from '../../kernel/list'
import { only } from '../../kernel/must'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { movementsOf, type Posting, postTransfers } from '../ledger/public'
import { receiptPostings } from './posting.rules'
import { bookedDay, countDifferences } from './run.store'
import { statesFrom, stateTo } from '../../kernel/states'

type Filter = InputOf<typeof listPayouts>

const rowsInSight = (sight: Sight): RawBuilder<Payout> => sql`
  select l.id, to_char(r.day, 'YYYY-MM-DD') as day, r.provider, r.merchant_id as "merchantId", m.name as "merchantName",
    p.provider_no as "channelNo", l.channel_no as reference,
    -l.amount_fen as "payoutFen", case when b.id is null then ${owed} else 0 end as "owedFen",
    to_json(l.at) #>> '{}' as "paidOutAt", b.bank_no as "bankNo",
    b.amount_fen as "receivedFen", b.fee_fen as "bankFeeFen", to_char(b.received_on, 'YYYY-MM-DD') as "receivedOn",
    case when b.id is null then 'under_way' else 'received' end as "bankState"
  from statement_line l join settlement_run r on r.id = l.run_id join settlement_channel c on c.id = r.channel_id
  join provider_account p on p.id = c.provider_account_id join merchant m on m.id = r.merchant_id
  left join bank_receipt b on b.line_id = l.id
  where l.kind = 'fund_payout' and ${merchantInSight(sight, sql`r.merchant_id`)}`

/**
 * Of a run `r` of channel `c`: what the channel may take off its next payouts, since a day had more refunds than
 * payments. Only UnionPay keeps no balance that such a day is taken from.
 */
const owed = sql`case when r.provider <> 'unionpay' then 0 when r.funds_mode = 'direct' then ${owedByBills()}
  else ${owedByLedger()} end`

function owedByLedger(): RawBuilder<unknown> {
  return sql`coalesce((select greatest(0, -a.balance_fen) from ledger_account a
    where a.kind = 'channel_balance' and a.merchant_id = r.merchant_id and a.key = r.channel_id::text), 0)::bigint`
}

/** The money is in no books of ours: what the bills brought, paid out and took off so far makes the same sum. */
function owedByBills(): RawBuilder<unknown> {
  return sql`greatest(0, (
      select coalesce(sum(d.their_refund_fen + d.fee_fen + d.payout_fen - d.their_fen), 0)
      from settlement_run d where d.channel_id = c.id and d.funds_mode = 'direct'
    ) - (
      select coalesce(sum(-p.amount_fen - t.amount_fen - t.fee_fen), 0)
      from bank_receipt t join statement_line p on p.id = t.line_id
      join settlement_run d on d.id = p.run_id and d.funds_mode = 'direct' where t.channel_id = c.id
    ))::bigint`
}

const newest: Order = { by: sql`id`, type: 'bigint', newestFirst: true }

export function listPayoutsIn(ctx: QueryContext, filter: Filter): Listing<Payout> {
  const { id, bankState, provider, merchantId } = filter
  return listRows({
    rows: rowsInSight(sightOf(ctx.actor)),
    where: allOf([
      id && sql`id = ${id}`,
      bankState && sql`"bankState" = ${bankState}`,
      isAnyOf(sql`provider`, provider),
      merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    ]),
    order: newest,
    sums: summed('payoutFen', 'receivedFen'),
    isCountedWhole: true,
  })
}

type Held = {
  channelId: number
  merchantId: number
  day: string
  payoutFen: number
  owedFen: number
  isTaken: boolean
  isBooked: boolean
}

/** The bank's word for a payout; an amount that nothing explains is a matter between bank and channel: not booked. */
export async function addReceipt(ctx: CommandContext, input: InputOf<typeof addBankReceipt>) {
  const { id, bankNo, amountFen, bankFeeFen = 0, receivedOn } = input
  const payout = await findPayout(ctx, ctx.tx, id, sql`for update of l, c`)
  const { channelId, merchantId } = payout
  const postings = receiptPostings({ ...payout, amountFen, bankFeeFen }, payout)
  if (!postings) return refuse('bankReceipt.amount')
  const made = await refusedBy(
    'bank_receipt_channel_id_bank_no_key',
    sql<{ id: number }>`insert into bank_receipt (channel_id, merchant_id, bank_no, amount_fen, fee_fen, received_on,
        line_id, entered_by, entered_at)
      values (${channelId}, ${merchantId}, ${bankNo}, ${amountFen}, ${bankFeeFen}, ${receivedOn}::date, ${id},
        ${ctx.actor.userId}, ${ctx.now()}) returning id`.execute(ctx.tx),
    () => refusal('bankReceipt.exists', { bankNo }),
  )
  const receiptId = only(made).id
  if (payout.isBooked) await book(ctx, receiptId, payout, postings)
  const resolved = await sql`update settlement_difference set state = ${stateTo(differenceState, 'resolve')},
      decided_at = ${ctx.now()}, version = version + 1 where kind = 'payout_missing' and line_id = ${id}
      and state in ${statesFrom(differenceState, 'resolve')}`.execute(ctx.tx)
  if (resolved.numAffectedRows) await countDifferences(ctx.tx, channelId)
  const after = { bankNo, amountFen, bankFeeFen, receivedOn, lineId: id }
  await ctx.audit({ merchantId, objectKind: 'bankReceipt', objectId: receiptId, before: null, after })
  return { id: receiptId }
}

/** What entering a receipt would post, by the rule that enters it. */
export async function receiptPreview(ctx: QueryContext, input: InputOf<typeof previewReceipt>) {
  const { id, amountFen, bankFeeFen = 0 } = input
  const payout = await findPayout(ctx, ctx.db, id, sql``)
  const postings = receiptPostings({ ...payout, amountFen, bankFeeFen }, payout)
  return { movements: await movementsOf(ctx.db, (payout.isBooked && postings) || []) }
}

/** @throws Refusal for one out of sight, and for one that the bank's word was entered for */
async function findPayout(
  { actor }: Pick<QueryContext, 'actor'>,
  db: Reader,
  id: number,
  lock: RawBuilder<unknown>,
): Promise<Held> {
  const found = await sql<Held>`select r.channel_id as "channelId", r.merchant_id as "merchantId",
      to_char(r.day, 'YYYY-MM-DD') as day, -l.amount_fen as "payoutFen", ${owed} as "owedFen",
      r.funds_mode <> 'direct' as "isBooked", exists (select 1 from bank_receipt b where b.line_id = l.id) as "isTaken"
    from statement_line l join settlement_run r on r.id = l.run_id join settlement_channel c on c.id = r.channel_id
    where l.id = ${id} and l.kind = 'fund_payout' and ${merchantInSight(sightOf(actor), sql`r.merchant_id`)}
    ${lock}`.execute(db)
  const payout = existing(found.rows[0])
  if (payout.isTaken) refuse('bankReceipt.taken')
  return payout
}

/** In `direct` mode the money is not in our books. */
async function book(ctx: CommandContext, receiptId: number, { merchantId, day }: Held, postings: Posting[]) {
  await postTransfers(ctx.tx, [
    {
      kind: 'bank_receipt',
      reference: String(receiptId),
      merchantId,
      postedAt: ctx.now(),
      businessDay: bookedDay(day, ctx.now()),
      postings,
    },
  ])
}
