import type { Job } from '../../kernel/jobs'
import { sweepRates } from './apiKey/gate'
import { sweepGate } from './gate.store'
import { forgetOld } from './log.store'

/** All may run twice: what is gone is gone. */
export const jobs: Job[] = [
  { name: 'events.sweepGate', cron: '* * * * *', run: sweepGate },
  { name: 'events.sweepRates', cron: '* * * * *', run: sweepRates },
  { name: 'events.forgetOld', cron: '20 2 * * *', run: forgetOld },
]
