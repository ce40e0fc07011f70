import { announce } from '../../kernel/announce'
import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { settleMarkdowns } from './markdown.settle'

/** What has begun or ended is found as it is, so that a second run changes nothing. */
export const jobs: Job[] = [{ name: 'promotion.settleMarkdowns', cron: '* * * * *', run: settle }]

export async function settle({ db, clock }: Services): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const merchantIds = await settleMarkdowns(tx, clock.now())
    if (merchantIds.length > 0) await announce(tx, { topic: 'changes', kinds: ['markdown'], merchantIds, above: [] })
  })
}
