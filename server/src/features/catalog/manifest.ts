import type { Feature } from '../../kernel/feature'
import { routes as categoryRoutes } from './category'
import { routes as libraryRoutes } from './library/library.routes'
import { routes as productRoutes } from './product'
import { routes as importRoutes } from './productImport/import.routes'

export const catalog: Feature = { routes: [...categoryRoutes, ...productRoutes, ...libraryRoutes, ...importRoutes] }
