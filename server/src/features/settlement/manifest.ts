import type { Feature } from '../../kernel/feature'
import { jobs as batchJobs } from './batch/batch.jobs'
import { routes as batchRoutes } from './batch/batch.routes'
import { decisionJobs } from './decision.jobs'
import { jobs as settlementJobs } from './settlement.jobs'
import { routes as settlementRoutes } from './settlement.routes'
import { jobs as splitJobs } from './split/split.jobs'
import { routes as splitRoutes } from './split/split.routes'

export const settlement: Feature = {
  routes: [...settlementRoutes, ...batchRoutes, ...splitRoutes],
  jobs: [...settlementJobs, ...decisionJobs, ...batchJobs, ...splitJobs],
}
