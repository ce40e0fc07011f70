import type { Feature } from '../../kernel/feature'
import { routes as feedbackRoutes } from './feedback.routes'

export const support: Feature = {
  routes: [...feedbackRoutes],
}
