import type { Job } from '../../kernel/jobs'
import { countPlays } from './count.store'
import { TELL } from './job.names'
import { tellMachines } from './tell.commands'
import { forgetOld } from './upload.commands'

export const jobs: Job[] = [
  // Also for what nobody commands: a day that has come, a machine that was moved or put into a group.
  { name: TELL, cron: '*/5 * * * *', run: tellMachines },
  { name: 'advert.countPlays', cron: '*/10 * * * *', run: countPlays },
  { name: 'advert.forgetUploads', cron: '15 * * * *', run: forgetOld },
]
