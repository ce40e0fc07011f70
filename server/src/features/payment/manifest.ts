import type { Feature } from '../../kernel/feature'
import { routes as paymentAccountRoutes } from './account/account.routes'
import { routes as acquirerRoutes } from './account/acquirer'
import { routes as providerRoutes } from './account/provider.routes'
import { jobs as paymentJobs } from './account/publish.jobs'
import { routes as paymentServiceRoutes } from './account/service.routes'
import { routes as paymentRecordRoutes } from './record.routes'

export const payment: Feature = {
  routes: [
    ...paymentServiceRoutes,
    ...acquirerRoutes,
    ...providerRoutes,
    ...paymentAccountRoutes,
    ...paymentRecordRoutes,
  ],
  jobs: [...paymentJobs],
}
