import type { Feature } from '../../kernel/feature'
import { routes as memberRoutes } from './member.routes'

export const member: Feature = {
  routes: [...memberRoutes],
}
