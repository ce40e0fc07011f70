import type { Feature } from '../../kernel/feature'
import { jobs as pharmacyJobs } from './pharmacy.jobs'
import { routes as pharmacyRoutes } from './pharmacy.routes'

export const pharmacy: Feature = {
  routes: [...pharmacyRoutes],
  jobs: [...pharmacyJobs],
}
