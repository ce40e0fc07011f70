import type { Feature } from '../../kernel/feature'
import { jobs as maintenanceJobs } from './maintenance.jobs'
import { routes as maintenanceRoutes } from './maintenance.routes'

export const maintenance: Feature = {
  routes: [...maintenanceRoutes],
  jobs: [...maintenanceJobs],
}
