import type { Feature } from '../../kernel/feature'
import { routes as paymentAccountRoutes } from './account/account.routes'
import { routes as namedProviderRoutes } from './account/paymentProvider'
import { routes as paymentProviderRoutes } from './account/provider.routes'
import { jobs as paymentJobs } from './account/publish.jobs'
import { routes as paymentServiceRoutes } from './account/service.routes'
import { routes as paymentRecordRoutes } from './record.routes'

export const payment: Feature = {
  routes: [
    ...paymentServiceRoutes,
    ...namedProviderRoutes,
    ...paymentProviderRoutes,
    ...paymentAccountRoutes,
    ...paymentRecordRoutes,
  ],
  jobs: [...paymentJobs],
}
