import type { Feature } from '../../kernel/feature'
import { routes as cashRoutes } from './cash/cash.routes'
import { routes as orderRoutes } from './order.routes'
import { routes as visitRoutes } from './visit/visit.routes'

export const field: Feature = { routes: [...cashRoutes, ...orderRoutes, ...visitRoutes] }
