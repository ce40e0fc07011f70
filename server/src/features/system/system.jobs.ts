import type { Job } from '../../kernel/jobs'
import { ensurePartitions } from './partitions.store'

export const jobs: Job[] = [
  {
    name: 'system.ensurePartitions',
    cron: '10 3 * * *',
    run: ({ db, clock }) => ensurePartitions(db, clock.now()),
  },
]
