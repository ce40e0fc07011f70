import { publishPaymentAccount } from '@aisle/contract/payment/account'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import { writeSystemAudit } from '../../../kernel/audit'
import type { Services } from '../../../kernel/context'
import type { Job } from '../../../kernel/jobs'
import { findFacts } from './account.reads'
import { hindrancesOf } from './account.rules'
import { warnOfKeys } from './key.jobs'
import { TEST_KEYS } from './provider.commands'
import { testKeys } from './provider.jobs'
import { activate } from './publish.commands'

export const jobs: Job[] = [
  { name: 'payment.publish', cron: '* * * * *', run: publishDue },
  /** Half past eight in China, when whoever renews certificates has sat down. */
  { name: 'payment.warnOfKeys', cron: '30 0 * * *', run: warnOfKeys },
  { name: TEST_KEYS, run: (services, { id }) => testKeys(services, Number(id)) },
]

/** Accounts whose hour has come. What has lost something since it was asked for goes back to its desk, and says why. */
export async function publishDue(services: Services): Promise<void> {
  const due = await sql<{ id: number }>`select id from payment_account where publish_at <= ${services.clock.now()}
    order by publish_at`.execute(services.db)
  for (const { id } of due.rows) await publishOne(services, id)
}

async function publishOne({ db, clock }: Services, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const now = clock.now()
    const found = await sql<{ by: number | null; merchantId: number; above: number[] }>`
      select a.activated_by as by, a.merchant_id as "merchantId", m.path as above
      from payment_account a join merchant m on m.id = a.merchant_id
      where a.id = ${id} and a.publish_at <= ${now} for update of a`.execute(tx)
    const account = found.rows[0]
    if (!account) return
    const facts = await findFacts(tx, id, now)
    const [fault] = facts ? hindrancesOf(facts) : []
    const { merchantId, above, by: askedBy } = account
    const left = (after: Record<string, unknown>) =>
      writeSystemAudit(tx, now, publishPaymentAccount.name, {
        merchantId,
        objectKind: 'paymentAccount',
        objectId: id,
        before: { state: 'scheduled' },
        after,
      })
    if (fault) {
      await sql`update payment_account set publish_at = null, publish_fault = ${fault}, version = version + 1
        where id = ${id}`.execute(tx)
      await left({ state: 'preparing', fault, askedBy })
    } else {
      const replaced = await activate(tx, id, { now, by: askedBy })
      await left({ state: 'activated', replaced, askedBy })
    }
    await announce(tx, { topic: 'changes', kinds: ['paymentAccount'], merchantIds: [merchantId], above })
  })
}
