import { supplierState } from '@aisle/contract/purchase/supplier'
import { sql } from 'kysely'
import { writeSystemAudit } from '../../kernel/audit'
import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { statesIn } from '../../kernel/states'
import { followPapers } from './supplier.store'

/** As the log calls it. Orders ask the papers themselves, so nothing hangs on its hour. */
const FOLLOW_PAPERS = 'purchase.followPapers'

/** Each hour, since merchants' days begin at different ones. Run twice it finds nothing left to move. */
export const jobs: Job[] = [{ name: FOLLOW_PAPERS, cron: '5 * * * *', run: followAllPapers }]

export async function followAllPapers({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const moved = await followPapers(tx, now, sql`s.state in ${statesIn(supplierState, 'watched')}`)
    for (const { id, merchantId, state, missing, now: after } of moved) {
      const facts = { before: { state }, after: { state: after, missing } }
      await writeSystemAudit(tx, now, FOLLOW_PAPERS, { merchantId, objectKind: 'supplier', objectId: id, ...facts })
    }
  })
}
