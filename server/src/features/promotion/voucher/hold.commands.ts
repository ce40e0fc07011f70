import type { MessageRefusal } from '@aisle/contract/device/messages'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { guessedCodes, judgeGuesses } from '../../../kernel/guesses'

/** What somebody brought along, as it was priced; without an id where nobody gave it out. */
export type PricedVoucher = { id: number; refused: MessageRefusal | null } | { id: null; refused: MessageRefusal }
type Ask = { orderId: number; machine: { id: number }; voucher: PricedVoucher | null; receivedAt: Date }

/**
 * Lets each use of a voucher go to one order, whatever asks elsewhere meanwhile. Numbers that nobody gave out count as
 * guesses at codes. What is not refused is noted with the order in the same transaction. @returns why some are refused
 */
export async function holdVouchers(tx: Tx, all: readonly Ask[]): Promise<Map<number, MessageRefusal>> {
  const asks = all.flatMap(({ orderId, machine, voucher, receivedAt }) =>
    voucher
      ? [{ orderId, machineId: machine.id, voucher, receivedAt, isKnown: voucher.refused !== 'voucherUnknown' }]
      : [],
  )
  const [first] = asks
  const refused = new Map<number, MessageRefusal>()
  if (!first) return refused
  const verdicts = await judgeGuesses(tx, guessedCodes, asks, first.receivedAt)
  const left = await lockUses(
    tx,
    asks.flatMap(({ voucher }) => (voucher.refused === null ? [voucher.id] : [])),
  )
  for (const ask of asks) {
    const { voucher, orderId } = ask
    if (verdicts.get(ask) === 'blocked') refused.set(orderId, 'codesBlocked')
    else if (voucher.refused !== null) refused.set(orderId, voucher.refused)
    else if ((left.get(voucher.id) ?? 0) < 1) refused.set(orderId, 'voucherSpent')
    else left.set(voucher.id, (left.get(voucher.id) ?? 0) - 1)
  }
  return refused
}

/** Locked in the order of their ids. @returns how many uses each has left; none of one that was ended meanwhile */
async function lockUses(tx: Tx, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const found = await sql<{ id: number; left: number }>`
    select w.id,
      case when w.state = 'unused' and b.cancelled_at is null then w.uses_allowed - w.taken else 0 end as left
    from voucher w join voucher_batch b on b.id = w.batch_id
    where w.id = any(${[...new Set(ids)]}::bigint[]) order by w.id for update of w`.execute(tx)
  return new Map(found.rows.map(({ id, left }) => [id, left]))
}

/** Orders whose money has arrived: what they hold is spent. */
export async function spendVouchers(
  tx: Tx,
  paid: readonly { orderId: number; paidFen: number; discountFen: number }[],
  at: Date,
): Promise<void> {
  const reduced = paid.filter(({ discountFen }) => discountFen > 0)
  if (reduced.length === 0) return
  await lockOf(
    tx,
    reduced.map(({ orderId }) => orderId),
  )
  await sql`update promotion_use u set spent_at = ${at}, sale_fen = s.paid_fen
    from ${rows('s', reduced, { orderId: 'bigint', paidFen: 'bigint' })}
    where u.order_id = s.order_id and u.voucher_id is not null and u.spent_at is null
      and u.released_at is null`.execute(tx)
}

/** The vouchers of orders and then what is counted of their plans: whoever changes either takes them in this order. */
export async function lockOf(tx: Tx, orderIds: readonly number[]): Promise<void> {
  const own = sql`from promotion_use where order_id = any(${[...orderIds]}::bigint[]) and voucher_id is not null`
  await sql`select from voucher where id in (select voucher_id ${own}) order by id for update`.execute(tx)
  await sql`select from voucher_tally where plan_id in (select plan_id ${own}) order by plan_id for update`.execute(tx)
}

/** Orders of which the whole money went back: their vouchers are their holders' again, where the plan says so. */
export async function giveBackVouchers(tx: Tx, orderIds: readonly number[], at: Date): Promise<void> {
  if (orderIds.length === 0) return
  await lockOf(tx, orderIds)
  await sql`update promotion_use u set released_at = ${at} from promotion_plan_version v
    where u.order_id = any(${[...orderIds]}::bigint[]) and u.voucher_id is not null and u.spent_at is not null
      and u.released_at is null and v.id = u.version_id and v.is_returned`.execute(tx)
}
