import type { Job } from '../../kernel/jobs'
import { sweepGate } from './gate.store'
import { forgetOld } from './log.store'

/** Both may run twice: what is gone is gone. */
export const jobs: Job[] = [
  { name: 'events.sweepGate', cron: '* * * * *', run: sweepGate },
  { name: 'events.forgetOld', cron: '20 2 * * *', run: forgetOld },
]
