import type { Feature } from '../../kernel/feature'
import { jobs as fundsJobs } from './funds.jobs'
import { routes as fundsRoutes } from './funds.routes'

export const funds: Feature = {
  routes: [...fundsRoutes],
  jobs: [...fundsJobs],
}
