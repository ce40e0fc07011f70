import type { Feature } from '../../kernel/feature'
import { routes as outboundRoutes } from './outbound/outbound.routes'
import { routes as transferRoutes } from './transfer.routes'
import { routes as warehouseRoutes } from './warehouse'
import { routes as writeOffRoutes } from './writeOff.routes'

export const stock: Feature = { routes: [...warehouseRoutes, ...transferRoutes, ...outboundRoutes, ...writeOffRoutes] }
