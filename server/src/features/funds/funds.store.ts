import type { payingModes } from '@aisle/contract/funds/states'
import { withdrawalState } from '@aisle/contract/funds/states'
import { bankAccountState } from '@aisle/contract/merchant/bankAccount'
import { fundsModes } from '@aisle/contract/payment/states'
import { merchantState } from '@aisle/contract/merchant/states'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { statesFrom, statesIn, stateTo } from '../../kernel/states'

export type Payer = { id: number; mode: (typeof payingModes)[number]; holder: string; bank: string }

/** Who pays merchant `m` out: its own account, or the nearest above it that is on. */
export const nearestPayer = sql`(select p.id, p.funds_mode as mode, p.holder, p.bank from payout_account p
  where p.merchant_id = any(m.path) and p.is_on order by array_position(m.path, p.merchant_id) desc limit 1)`

export async function payerOf(db: Reader, merchantId: number): Promise<Payer | null> {
  const found = await sql<Payer>`select payer.* from merchant m cross join lateral ${nearestPayer} payer
    where m.id = ${merchantId}`.execute(db)
  return found.rows[0] ?? null
}

/**
 * What was settled in other modes than the payer's, less what was withdrawn while another paid: this money lies
 * elsewhere, and who holds it there pays it. The other modes are named, as the index has them.
 */
export const elsewhereFen = (merchantId: RawBuilder<unknown>, mode: RawBuilder<unknown>) => sql`(
  (select coalesce(sum(s.net_fen), 0) from settlement s
    where s.merchant_id = ${merchantId} and s.funds_mode = any(array_remove(${[...fundsModes]}::text[], ${mode})))
  - (select coalesce(sum(w.amount_fen + w.fee_fen), 0) from withdrawal w
    where w.merchant_id = ${merchantId} and w.funds_mode <> ${mode}
      and w.state not in ${statesIn(withdrawalState, 'undone')}))::bigint`

export async function elsewhereOf(db: Reader, merchantId: number, mode: string): Promise<number> {
  const found = await sql<{
    fen: number
  }>`select ${elsewhereFen(sql`${merchantId}::bigint`, sql`${mode}::text`)} as fen`.execute(db)
  return found.rows[0]?.fen ?? 0
}

/** Why nothing new is sent of withdrawal `w`, by merchant `m`, account `b` and payer `p`; what the bank has goes on. */
export const heldBack = sql<'merchantStopped' | 'accountReplaced' | 'payerOff' | null>`case
  when w.sent_at is not null then null
  when m.state = ${stateTo(merchantState, 'stop')} then 'merchantStopped'
  when b.state <> ${stateTo(bankAccountState, 'approve')} then 'accountReplaced'
  when not p.is_on then 'payerOff' end`

export type Owner = { id: number; name: string; timeZone: string; isStopped: boolean }

export async function ownerOf(db: Reader, merchantId: number): Promise<Owner | undefined> {
  const found =
    await sql<Owner>`select id, name, time_zone as "timeZone", state = ${stateTo(merchantState, 'stop')} as "isStopped"
    from merchant where id = ${merchantId}`.execute(db)
  return found.rows[0]
}

type Account = { id: number; bank: string; holder: string; tail: string; since: Date; isReturned: boolean }

/** Where the merchant's money goes, and whether the bank sent the last of it back. */
export async function accountOf(db: Reader, merchantId: number): Promise<Account | null> {
  const found = await sql<Account>`select b.id, b.bank, b.holder, b.account_tail as tail, b.reviewed_at as since,
      coalesce((select w.state = ${stateTo(withdrawalState, 'giveBack')} from withdrawal w
        where w.bank_account_id = b.id and w.paid_at is not null
          and w.state not in ${statesFrom(withdrawalState, 'confirmLate')}
        order by w.id desc limit 1), false) as "isReturned"
    from bank_account b
    where b.merchant_id = ${merchantId} and b.state = ${stateTo(bankAccountState, 'approve')}
      and b.reviewed_at is not null`.execute(db)
  return found.rows[0] ?? null
}

export type Balances = { availableFen: number; pendingFen: number; inTransitFen: number }

export async function balancesOf(db: Reader, merchantId: number): Promise<Balances> {
  const found = await sql<Balances>`select
      (-coalesce(sum(balance_fen) filter (where kind = 'available'), 0))::bigint as "availableFen",
      (-coalesce(sum(balance_fen) filter (where kind = 'pending'), 0))::bigint as "pendingFen",
      (-coalesce(sum(balance_fen) filter (where kind = 'withdrawing'), 0))::bigint as "inTransitFen"
    from ledger_account where merchant_id = ${merchantId}
      and kind in ('available', 'pending', 'withdrawing')`.execute(db)
  return found.rows[0] ?? { availableFen: 0, pendingFen: 0, inTransitFen: 0 }
}
