import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { holdAlarms } from './alarm.store'
import { findCommandFailures, findImpossibleStock, findPaymentFailures, findSellingOut } from './detect.store'

export const jobs: Job[] = [
  { name: 'alarm.detectFailures', cron: '*/5 * * * *', run: detectFailures },
  { name: 'alarm.detectStock', cron: '37 * * * *', run: detectStock },
]

/** What each message alone does not say: that it has failed again. */
export async function detectFailures({ db, clock }: Services): Promise<void> {
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const found = [...(await findPaymentFailures(tx, at)), ...(await findCommandFailures(tx, at))]
    await holdAlarms(tx, ['payment_failure', 'command_failure'], found, at)
  })
}

/** Every slot is looked at, so not each minute: what is empty is known at once, and this is about what is to come. */
export async function detectStock({ db, clock }: Services): Promise<void> {
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const found = [...(await findImpossibleStock(tx)), ...(await findSellingOut(tx))]
    await holdAlarms(tx, ['stock_impossible', 'selling_out'], found, at)
  })
}
