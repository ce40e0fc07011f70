import type { Feature } from '../../kernel/feature'
import { ofFigures } from '../../kernel/route'
import { routes as keptRoutes } from './kept/kept.routes'
import { routes as performanceRoutes } from './performance.routes'
import { routes as reportRequestRoutes } from './request.routes'
import { routes as tradeReportRoutes } from './trade.routes'

export const report: Feature = {
  // One's own requests are looked at right after they were made.
  routes: [...reportRequestRoutes, ...keptRoutes, ...ofFigures([...performanceRoutes, ...tradeReportRoutes])],
}
