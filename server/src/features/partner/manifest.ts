import type { Feature } from '../../kernel/feature'
import { jobs as partnerJobs } from './callback.jobs'
import { rawRoutes as openRoutes } from './open.routes'
import { routes as partnerRoutes } from './partner.routes'

export const partner: Feature = {
  routes: [...partnerRoutes],
  jobs: [...partnerJobs],
  rawRoutes: [...openRoutes],
}
