import type { Services } from '../../../kernel/context'
import type { Job } from '../../../kernel/jobs'
import { tellReceivers } from './receiver.send'
import { SEND_SPLITS } from './split.make'
import { sendReturns, takeRefunds } from './split.returns'
import { sendSplits } from './split.send'

/** Running twice is harmless: what one run has taken the other does not see, and a number pays once. */
export const jobs: Job[] = [{ name: SEND_SPLITS, cron: '* * * * *', run: workSplits }]

/** Refunds first: what was not sent yet becomes less instead of being asked back. */
export async function workSplits(services: Services): Promise<void> {
  await tellReceivers(services)
  await takeRefunds(services)
  await sendSplits(services)
  await sendReturns(services)
}
