import type { Feature } from '../../kernel/feature'
import { routes } from './order.routes'

export const field: Feature = { routes }
