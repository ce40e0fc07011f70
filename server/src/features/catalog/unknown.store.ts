import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'

/** Products that only machines have named: nobody buys or offers them before somebody has entered what they are. */
export async function addUnknown(tx: Tx, named: readonly { merchantId: number; code: string }[]): Promise<void> {
  await sql`insert into product (merchant_id, code, name, kind, cost_fen, price_fen, state, is_unknown)
    select merchant_id, code, code, 'goods', 0, 0, 'offline', true
    from ${rows('w', named, { merchantId: 'bigint', code: 'text' })} order by merchant_id, code
    on conflict (merchant_id, code) do nothing`.execute(tx)
}
