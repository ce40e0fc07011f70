import type { Job } from '../../../kernel/jobs'
import { SPREAD_RECALL } from './recall.commands'
import { spreadRecall } from './recall.spread'

export const jobs: Job[] = [
  { name: SPREAD_RECALL, run: (services, { recallId }) => spreadRecall(services, Number(recallId)) },
]
