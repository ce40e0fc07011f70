import type { Feature } from '../../kernel/feature'
import { routes as orderRoutes } from './order/order.routes'
import { jobs as rollupJobs } from './rollup.jobs'

export const trade: Feature = {
  routes: [...orderRoutes],
  jobs: [...rollupJobs],
}
