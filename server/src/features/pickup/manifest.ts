import type { Feature } from '../../kernel/feature'
import { jobs as pickupJobs } from './pickup.jobs'
import { routes as pickupRoutes } from './pickup.routes'

export const pickup: Feature = {
  routes: [...pickupRoutes],
  jobs: [...pickupJobs],
}
