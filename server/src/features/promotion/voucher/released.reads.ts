import type { listReleasedCoupons, ReleasedVoucher, VoucherKind } from '@aisle/contract/promotion/voucher'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { iso } from '../../../db/instant'
import type { QueryContext } from '../../../kernel/context'
import { type Listing, listRows, mapRows } from '../../../kernel/list'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { unseal } from '../../../kernel/seal'
import { aboutVoucher } from './secret'

type Sealed = Omit<ReleasedVoucher, 'voucherCode'> & { digest: Buffer; sealed: Buffer }

/** In clear, for who opened them and while that lasts; for anybody else there are none. */
export const listReleasedOf =
  (kind: VoucherKind) =>
  (ctx: QueryContext, { releaseId }: InputOf<typeof listReleasedCoupons>): Listing<ReleasedVoucher> => {
    const { keys } = ctx.services
    const rows = sql<Sealed>`
      select w.id, w.serial, w.digest, w.sealed, p.name as "planName", m.name as "merchantName",
        ${iso('w.expires_at')} as "expiresAt"
      from voucher_release s join voucher w on w.batch_id = s.batch_id
        and w.serial between s.from_serial and s.to_serial
      join promotion_plan p on p.id = w.plan_id and p.voucher_kind = ${sql.lit(kind)}
      join merchant m on m.id = w.merchant_id
      where s.id = ${releaseId} and s.user_id = ${ctx.actor.userId} and s.ends_at > ${ctx.now()}
        and w.state = 'unused' and ${merchantInSight(sightOf(ctx.actor), sql`w.merchant_id`)}`
    return mapRows(listRows({ rows, order: { by: sql`serial`, type: 'bigint' } }), (found) =>
      found.map(({ digest, sealed, ...row }) => ({ ...row, voucherCode: unseal(keys, aboutVoucher(digest), sealed) })),
    )
  }
