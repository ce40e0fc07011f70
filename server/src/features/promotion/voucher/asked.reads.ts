import { voucherState } from '@aisle/contract/promotion/voucher'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { AuthKeys, Reader } from '../../../kernel/context'
import { stateTo } from '../../../kernel/states'
import { digestOf } from './secret'
import type { Brought } from './voucher.rules'

type Asking = { voucher: string | null; machine: { merchantId: number } }
export type FoundVoucher = Brought & { id: number; planId: number; versionId: number }

/** What was brought along; of a merchant that is neither the machine's own nor above it, it is not known. */
export async function findVouchers<A extends Asking>(
  db: Reader,
  asks: readonly A[],
  keys: AuthKeys,
): Promise<Map<A, FoundVoucher>> {
  const digest = digestOf(keys)
  const asked = asks.flatMap((ask, key) => {
    const own = ask.voucher === null ? null : digest(ask.voucher)
    return own ? [{ key, digest: own, merchantId: ask.machine.merchantId }] : []
  })
  if (asked.length === 0) return new Map()
  const found = await sql<FoundVoucher & { key: number }>`
    select a.key, w.id, w.plan_id as "planId", w.version_id as "versionId", w.kind,
      case when b.cancelled_at is null or w.state <> ${sql.lit(voucherState.initial)} then w.state
        else ${stateTo(voucherState, 'cancel')} end as state,
      w.member_id as "memberId", w.taken, w.uses_allowed as "usesAllowed", w.valid_from as "validFrom",
      w.expires_at as "expiresAt", v.per_member as "perMember"
    from ${rows('a', asked, { key: 'int', digest: 'bytea', merchantId: 'bigint' })}
    join voucher w on w.digest = a.digest join merchant m on m.id = a.merchant_id and w.merchant_id = any(m.path)
    join voucher_batch b on b.id = w.batch_id
    join promotion_plan_version v on v.id = w.version_id`.execute(db)
  return new Map(
    found.rows.flatMap(({ key, ...voucher }): [A, FoundVoucher][] => {
      const ask = asks[key]
      return ask ? [[ask, voucher]] : []
    }),
  )
}

/** By order: the voucher that an order has or had. */
export async function findVouchersOf(db: Reader, orderIds: readonly number[]): Promise<Map<number, number>> {
  if (orderIds.length === 0) return new Map()
  const found = await sql<{ orderId: number; voucherId: number | null }>`
    select order_id as "orderId", voucher_id as "voucherId" from promotion_use
    where order_id = any(${[...orderIds]}::bigint[]) and voucher_id is not null`.execute(db)
  return new Map(found.rows.flatMap(({ orderId, voucherId }) => (voucherId === null ? [] : [[orderId, voucherId]])))
}
