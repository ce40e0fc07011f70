import type { Feature } from '../../kernel/feature'
import { routes } from './counting.routes'

export const counting: Feature = { routes: [...routes] }
