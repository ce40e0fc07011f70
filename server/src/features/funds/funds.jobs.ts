import type { Job } from '../../kernel/jobs'
import { openBank } from './bank.channel'
import { payWithdrawals } from './pay.commands'
import { PAY } from './withdrawal.commands'

/** Running twice is harmless: what one run has taken the other does not see, and a number pays once. */
export const jobs: Job[] = [{ name: PAY, cron: '* * * * *', run: (services) => payWithdrawals(services, openBank) }]
