import type { Feature } from '../../kernel/feature'
import { jobs as batchJobs } from './batch/batch.jobs'
import { routes as batchRoutes } from './batch/batch.routes'
import { decisionJobs } from './decision.jobs'
import { jobs as settlementJobs } from './settlement.jobs'
import { routes as settlementRoutes } from './settlement.routes'

export const settlement: Feature = {
  routes: [...settlementRoutes, ...batchRoutes],
  jobs: [...settlementJobs, ...decisionJobs, ...batchJobs],
}
