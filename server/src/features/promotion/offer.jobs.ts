import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { settleAllOffers } from './offer.settle'

/** What machines show is made what it should be, so that a second run changes nothing. */
export const jobs: Job[] = [{ name: 'promotion.settleOffers', cron: '* * * * *', run: settle }]

export async function settle({ db, clock }: Services): Promise<void> {
  await db.transaction().execute((tx) => settleAllOffers(tx, clock.now()))
}
