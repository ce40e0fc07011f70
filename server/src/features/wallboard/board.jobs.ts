import type { Job } from '../../kernel/jobs'
import { forgetClients } from './board.store'

export const jobs: Job[] = [
  { name: 'wallboard.forgetClients', cron: '*/5 * * * *', run: ({ db, clock }) => forgetClients(db, clock.now()) },
]
