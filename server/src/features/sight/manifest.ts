import type { Feature } from '../../kernel/feature'
import { routes as authorisationRoutes } from './authorisation.routes'
import { routes as whyRoutes } from './why.routes'

export const sight: Feature = {
  routes: [...authorisationRoutes, ...whyRoutes],
}
