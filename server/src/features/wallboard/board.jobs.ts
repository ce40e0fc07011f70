import type { Job } from '../../kernel/jobs'
import { forgetClients } from './board.store'

export const jobs: Job[] = [
  {
    name: 'wallboard.forgetClients',
    cron: '40 19 * * *',
    run: ({ db, clock }) => forgetClients(db, new Date(clock.now().getTime() - 30 * 86_400_000)),
  },
]
