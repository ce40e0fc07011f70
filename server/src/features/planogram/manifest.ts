import type { Feature } from '../../kernel/feature'
import { jobs as planogramJobs } from './planogram.jobs'
import { routes as priceChangeRoutes } from './priceChange/change.routes'
import { routes as planogramSlotRoutes } from './slot.routes'
import { routes as templateRoutes } from './template.routes'

export const planogram: Feature = {
  routes: [...planogramSlotRoutes, ...templateRoutes, ...priceChangeRoutes],
  jobs: [...planogramJobs],
}
