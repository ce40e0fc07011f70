import type { Job } from '../../kernel/jobs'
import { openBank } from './bank.channel'
import { payWithdrawals } from './pay.commands'
import { READ_STATEMENTS, readStatements } from './statement.commands'
import { PAY } from './withdrawal.commands'

/** Running twice is harmless: what one run has taken the other does not see, and a number pays once. */
export const jobs: Job[] = [
  { name: PAY, cron: '* * * * *', run: (services) => payWithdrawals(services, openBank) },
  // A day is read once, so that it is asked for until the bank has it.
  { name: READ_STATEMENTS, cron: '25 * * * *', run: (services) => readStatements(services, openBank) },
]
