import type { Feature } from '../../kernel/feature'
import { routes as doctorRoutes } from './doctor.routes'
import { routes as organisationRoutes } from './organisation'
import { routes as userRoutes } from './user.routes'

export const people: Feature = {
  routes: [...userRoutes, ...organisationRoutes, ...doctorRoutes],
}
