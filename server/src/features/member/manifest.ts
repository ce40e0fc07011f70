import type { Feature } from '../../kernel/feature'
import { routes as benefitRoutes } from './benefit'
import { routes as cardRoutes } from './card.routes'
import { routes as memberRoutes } from './member.routes'
import { routes as importRoutes } from './memberImport/import.routes'
import { routes as unitRoutes } from './memberUnit'

export const member: Feature = {
  routes: [...memberRoutes, ...importRoutes, ...unitRoutes, ...cardRoutes, ...benefitRoutes],
}
