import type { Feature } from '../../kernel/feature'
import { jobs as priceJobs } from './price/price.jobs'
import { routes as priceRoutes } from './price/price.routes'
import { jobs as productJobs } from './product/recommend.jobs'
import { routes as productRoutes } from './product/recommend.routes'

export const advice: Feature = { routes: [...productRoutes, ...priceRoutes], jobs: [...productJobs, ...priceJobs] }
