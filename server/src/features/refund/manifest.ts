import type { Feature } from '../../kernel/feature'
import { jobs as refundJobs } from './refund.jobs'
import { routes as refundRoutes } from './refund.routes'

export const refund: Feature = {
  routes: [...refundRoutes],
  jobs: [...refundJobs],
}
