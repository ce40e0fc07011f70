import * as contract from '@aisle/contract/field/cashDeposit'
import { type CashDeposit, cashDepositState } from '@aisle/contract/field/cashDeposit'
import { cashCollectionState } from '@aisle/contract/field/cashCollection'
import { isGranted } from '@aisle/contract/identity/permissions'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import { type RawBuilder, sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext, QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, type Listing, listRows, summed } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { endOf } from '../../../kernel/platformDays'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { merchantInSight, refuseUnseenMerchant, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { stateful, statesIn } from '../../../kernel/states'
import { postCash } from './cash.commands'
import { bankedPostings } from './cash.rules'

const audit = auditAs('cashDeposit')
const deposits = stateful('cashDeposit', 'state', cashDepositState, {
  versioned: false,
  refuse: () => refuse('cashDeposit.state'),
})

/** Of boxes `c`: counted by the end of the day, and not at a bank. */
const unbanked = ({ merchantId, through }: { merchantId: number; through: string }): RawBuilder<boolean> =>
  sql<boolean>`c.merchant_id = ${merchantId} and c.state in ${statesIn(cashCollectionState, 'bankable')}
    and c.deposit_id is null and c.counted_fen > 0 and c.settled_at < ${endOf(through)}`

async function preview(
  ctx: QueryContext,
  which: InputOf<typeof contract.previewCashDeposit>,
): Promise<OutputOf<typeof contract.previewCashDeposit>> {
  await refuseUnseenMerchant(ctx.db, sightOf(ctx.actor), which.merchantId)
  return only(
    await sql<{ boxes: number; countedFen: number }>`select count(*)::int as boxes,
        coalesce(sum(c.counted_fen), 0)::bigint as "countedFen"
      from cash_collection c where ${unbanked(which)}`.execute(ctx.db),
  )
}

type Box = { id: number; countedFen: number; isOwn: boolean }

async function enter(ctx: CommandContext, input: InputOf<typeof contract.depositCash>) {
  const { merchantId, slipNo, depositedOn, amountFen, note } = input
  const { userId, displayName } = ctx.actor
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  if (depositedOn > businessTime(ctx.now(), PLATFORM_TIME_ZONE).day) refuse('cashDeposit.future')
  const held = await sql<Box>`select c.id, c.counted_fen as "countedFen",
      (c.taken_by = ${userId} or c.counted_by = ${userId}) as "isOwn"
    from cash_collection c where ${unbanked(input)} order by c.id for update`.execute(ctx.tx)
  const boxes = held.rows
  if (boxes.length === 0) refuse('cashDeposit.nothing')
  const countedFen = boxes.reduce((sum, box) => sum + box.countedFen, 0)
  if (amountFen !== countedFen) refuseDifference(ctx, { boxes, countedFen, note })
  const made = await refusedBy(
    'cash_deposit_slip',
    sql<{ id: number }>`insert into cash_deposit (merchant_id, slip_no, deposited_on, counted_fen, amount_fen, note,
        entered_by, depositor, entered_at)
      values (${merchantId}, ${slipNo}, ${depositedOn}::date, ${countedFen}, ${amountFen}, ${note}, ${userId},
        ${displayName}, ${ctx.now()}) returning id`.execute(ctx.tx),
    () => refusal('cashDeposit.slipUsed', { slip: slipNo }),
  )
  const { id } = only(made)
  const ids = boxes.map((box) => box.id)
  await sql`update cash_collection set deposit_id = ${id} where id = any(${ids}::bigint[])`.execute(ctx.tx)
  await postCash(ctx, { merchantId }, `deposit/${id}`, bankedPostings(merchantId, { countedFen, amountFen }))
  const after = { slipNo, depositedOn, countedFen, amountFen, boxes: boxes.length, note }
  await audit(ctx, { id, merchantId }, null, after)
  return { id, state: cashDepositState.initial }
}

type Off = { boxes: readonly Box[]; countedFen: number; note: string }

/** What the bank found missing is said, and said by somebody who neither took nor counted any of it. */
function refuseDifference({ actor, language }: CommandContext, { boxes, countedFen, note }: Off): void {
  const mayDecide = isGranted(actor.grants, 'cashCollection.decide')
  if (!mayDecide || note.length < 2) refuse('cashDeposit.amount', { counted: moneyText(countedFen, language) })
  if (boxes.some(({ isOwn }) => isOwn)) refuse('cashDeposit.ownDifference')
}

type Held = {
  id: number
  merchantId: number
  state: CashDeposit['state']
  countedFen: number
  amountFen: number
  enteredBy: number
}

async function reverse(ctx: CommandContext, { id, reason }: InputOf<typeof contract.reverseCashDeposit>) {
  const found = await sql<Held>`select d.id, d.merchant_id as "merchantId", d.state, d.counted_fen as "countedFen",
      d.amount_fen as "amountFen", d.entered_by as "enteredBy" from cash_deposit d
    where d.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`d.merchant_id`)} for update`.execute(ctx.tx)
  const held = existing(found.rows[0])
  deposits.must(held, 'reverse')
  const { userId, displayName } = ctx.actor
  if (held.enteredBy === userId) refuse('cashDeposit.ownReversal')
  const ended = { reversedBy: userId, reverser: displayName, reversedAt: ctx.now(), reason }
  const state = await deposits.move(ctx.tx, held, 'reverse', ended)
  await sql`update cash_collection set deposit_id = null where deposit_id = ${id}`.execute(ctx.tx)
  const { merchantId, countedFen, amountFen } = held
  const back = bankedPostings(merchantId, { countedFen: -countedFen, amountFen: -amountFen })
  await postCash(ctx, { merchantId }, `deposit-back/${id}`, back)
  await audit(ctx, held, { state: held.state }, { state, reason })
  return { id, state }
}

type Row = CashDeposit & { merchantId: number; enteredBy: number }

const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select d.id, d.slip_no as "slipNo", d.state, d.merchant_id as "merchantId", m.name as "merchantName",
    to_char(d.deposited_on, 'YYYY-MM-DD') as "depositedOn", d.counted_fen as "countedFen", d.amount_fen as "amountFen",
    d.amount_fen - d.counted_fen as "differenceFen",
    (select count(*)::int from cash_collection c where c.deposit_id = d.id) as boxes, d.note, d.depositor,
    to_json(d.entered_at) #>> '{}' as "enteredAt", d.reverser,
    to_json(d.reversed_at) #>> '{}' as "reversedAt", d.reason, d.entered_by as "enteredBy"
  from cash_deposit d join merchant m on m.id = d.merchant_id where ${merchantInSight(sight, sql`d.merchant_id`)}`

type Sums = { countedFen: number; amountFen: number }

function listIn(ctx: QueryContext, filter: InputOf<typeof contract.listCashDeposits>): Listing<CashDeposit, Sums> {
  const { q, state, merchantId } = filter
  const where = allOf([
    q && sql`("slipNo" = ${q} or ${holds(sql`depositor`, q)})`,
    state && sql`state = ${sql.lit(state)}`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  return listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order, sums: summed('countedFen', 'amountFen') })
}

async function find(ctx: QueryContext, { id }: { id: number }): Promise<OutputOf<typeof contract.getCashDeposit>> {
  const found = await rowOf(ctx.db, sightOf(ctx.actor), id)
  const { enteredBy, merchantId: _, ...row } = existing(found)
  return { ...row, mayReverse: cashDepositState.can(row.state, 'reverse') && enteredBy !== ctx.actor.userId }
}

async function rowOf(db: Reader, sight: Sight, id: number): Promise<Row | undefined> {
  return (await sql<Row>`select * from (${rowsInSight(sight)}) seen where id = ${id}`.execute(db)).rows[0]
}

export const depositRoutes: Route[] = [
  ...listOf(contract.listCashDeposits, listIn),
  query(contract.previewCashDeposit, preview),
  query(contract.getCashDeposit, find),
  command(contract.depositCash, enter),
  command(contract.reverseCashDeposit, reverse),
]
