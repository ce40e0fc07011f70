import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { isSendingAccount } from '../fleet/public'
import type { Payer } from '../payment/public'

/** Kept only where the account under whose name somebody paid is shown on the machine and tells customers anything. */
export async function keepPayer(tx: Tx, attemptId: number, { appId, openId }: Payer, now: Date): Promise<void> {
  await sql`insert into order_payer (order_id, account_id, merchant_id, occurred_at, open_id, kept_at)
    select a.order_id, o.id, a.merchant_id, a.occurred_at, ${openId}, ${now}
    from payment_attempt a join official_account_machine m on m.machine_id = a.machine_id
    join official_account o on o.id = m.account_id and o.app_id = ${appId} and ${isSendingAccount}
    where a.id = ${attemptId}
    on conflict (order_id) do nothing`.execute(tx)
}
