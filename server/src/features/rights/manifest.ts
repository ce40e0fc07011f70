import type { Feature } from '../../kernel/feature'
import { routes as actingRoutes } from './acting.routes'
import { routes as menuRoutes } from './menu.routes'
import { routes as resourceRoutes } from './resource.routes'
import { routes as roleRoutes } from './role.routes'

export const rights: Feature = {
  routes: [...roleRoutes, ...resourceRoutes, ...menuRoutes, ...actingRoutes],
}
