import type { Feature } from '../../kernel/feature'
import { decisionJobs } from './decision.jobs'
import { jobs as settlementJobs } from './settlement.jobs'
import { routes as settlementRoutes } from './settlement.routes'

export const settlement: Feature = {
  routes: [...settlementRoutes],
  jobs: [...settlementJobs, ...decisionJobs],
}
