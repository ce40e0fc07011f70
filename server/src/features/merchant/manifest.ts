import { routes as firstAdminRoutes } from './firstAdmin.routes'
import type { Feature } from '../../kernel/feature'
import { routes as bankAccountRoutes } from './bankAccount.routes'
import { routes as integrationRoutes } from './integration.routes'
import { jobs as licenceJobs } from './licence.jobs'
import { routes as licenceRoutes } from './licence'
import { routes as merchantRoutes } from './merchant.routes'

export const merchant: Feature = {
  routes: [...firstAdminRoutes, ...merchantRoutes, ...licenceRoutes, ...bankAccountRoutes, ...integrationRoutes],
  jobs: [...licenceJobs],
}
