import type { Feature } from '../../kernel/feature'
import { routes as keptRoutes } from './kept/kept.routes'
import { routes as performanceRoutes } from './performance.routes'
import { routes as reportRequestRoutes } from './request.routes'
import { routes as tradeReportRoutes } from './trade.routes'

export const report: Feature = {
  routes: [...reportRequestRoutes, ...keptRoutes, ...performanceRoutes, ...tradeReportRoutes],
}
