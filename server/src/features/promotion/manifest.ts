import type { Feature } from '../../kernel/feature'
import { jobs as markdownJobs } from './markdown.jobs'
import { routes as markdownRoutes } from './markdown.routes'
import { jobs as offerJobs } from './offer.jobs'
import { routes as offerRoutes } from './offer.routes'
import { routes as planRoutes } from './plan.routes'

export const promotion: Feature = {
  routes: [...markdownRoutes, ...planRoutes, ...offerRoutes],
  jobs: [...markdownJobs, ...offerJobs],
}
