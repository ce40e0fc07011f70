import type { Feature } from '../../kernel/feature'
import { routes as orderRoutes } from './order/order.routes'
import { routes as receiptRoutes } from './receipt/receipt.routes'
import { routes as payableRoutes } from './payable/payable.routes'
import { jobs as planJobs } from './plan/plan.jobs'
import { routes as planRoutes } from './plan/plan.routes'
import { routes as returnRoutes } from './supplierReturn/supplierReturn.routes'
import { jobs as supplierJobs } from './supplier.jobs'
import { routes as supplierRoutes } from './supplier'
import { routes as productRoutes } from './supplierProduct'

export const purchase: Feature = {
  routes: [
    ...supplierRoutes,
    ...productRoutes,
    ...planRoutes,
    ...orderRoutes,
    ...receiptRoutes,
    ...payableRoutes,
    ...returnRoutes,
  ],
  jobs: [...supplierJobs, ...planJobs],
}
