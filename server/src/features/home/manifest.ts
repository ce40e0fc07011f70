import type { Feature } from '../../kernel/feature'
import { routes as dashboardRoutes } from './home.routes'

export const home: Feature = {
  routes: [...dashboardRoutes],
}
