import type { Feature } from '../../kernel/feature'
import { routes as batchRoutes } from './batch/batch.routes'
import { jobs as careJobs } from './care.jobs'
import { routes as careRoutes } from './care.routes'
import { routes as combinationRoutes } from './combination'
import { routes as expiryRoutes } from './expiry.routes'
import { routes as pairRoutes } from './ingredientPair'
import { routes as limitRoutes } from './limit'
import { routes as medicineRoutes } from './medicine.routes'
import { routes as offerRoutes } from './offer'
import { jobs as recallJobs } from './recall/recall.jobs'
import { routes as recallRoutes } from './recall/recall.routes'
import { routes as traceRoutes } from './trace/trace.routes'
import { jobs as traceJobs } from './trace/traceUpload.jobs'

export const medicine: Feature = {
  routes: [
    ...medicineRoutes,
    ...limitRoutes,
    ...pairRoutes,
    ...combinationRoutes,
    ...offerRoutes,
    ...careRoutes,
    ...batchRoutes,
    ...recallRoutes,
    ...expiryRoutes,
    ...traceRoutes,
  ],
  jobs: [...careJobs, ...recallJobs, ...traceJobs],
}
