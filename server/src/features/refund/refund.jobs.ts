import { announce } from '../../kernel/announce'
import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { sweepWaiting } from '../trade/public'
import { openDue, SEND } from './due.commands'
import { sendRefunds } from './send.commands'
import { SEND_UNCLAIMED } from './unclaimed.commands'
import { sendUnclaimed } from './unclaimed.send'

export const jobs: Job[] = [
  { name: 'refund.sweepWaiting', cron: '* * * * *', run: sweep },
  { name: SEND, cron: '* * * * *', run: sendRefunds },
  { name: SEND_UNCLAIMED, cron: '* * * * *', run: sendUnclaimed },
]

/** Orders whose machine is silent time out, and what was paid for them goes back in the same transaction. */
export async function sweep({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const { machineIds, timedOut } = await sweepWaiting(tx, now)
    await openDue(tx, timedOut, now)
    if (machineIds.length > 0) await announce(tx, { topic: 'orders', machineIds })
  })
}
