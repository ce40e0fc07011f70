import type { Feature } from '../../kernel/feature'
import { routes as categoryRoutes } from './category'
import { routes as productRoutes } from './product'

export const catalog: Feature = { routes: [...categoryRoutes, ...productRoutes] }
