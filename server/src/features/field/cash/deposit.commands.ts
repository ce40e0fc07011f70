import type * as contract from '@aisle/contract/field/cashDeposit'
import { type CashDeposit, cashDepositState } from '@aisle/contract/field/cashDeposit'
import { isGranted } from '@aisle/contract/identity/permissions'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { merchantInSight, refuseUnseenMerchant, sightOf } from '../../../kernel/scope'
import { postCash } from './cash.commands'
import { bankedPostings } from './cash.rules'
import { deposits, unbanked } from './deposit.store'

const audit = auditAs('cashDeposit')

type Box = { id: number; countedFen: number; isOwn: boolean }

export async function enter(ctx: CommandContext, input: InputOf<typeof contract.depositCash>) {
  const { merchantId, slipNo, depositedOn, amountFen, note } = input
  const { userId, displayName } = ctx.actor
  const sight = sightOf(ctx.actor)
  await refuseUnseenMerchant(ctx.tx, sight, merchantId)
  if (depositedOn > businessTime(ctx.now(), PLATFORM_TIME_ZONE).day) refuse('cashDeposit.future')
  const held = await sql<Box>`select c.id, c.counted_fen as "countedFen",
      (c.taken_by = ${userId} or c.counted_by = ${userId}) as "isOwn"
    from cash_collection c where ${unbanked(sight, input)} order by c.id for update`.execute(ctx.tx)
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

export async function reverse(ctx: CommandContext, { id, reason }: InputOf<typeof contract.reverseCashDeposit>) {
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
