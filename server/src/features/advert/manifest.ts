import type { Feature } from '../../kernel/feature'
import { jobs } from './advert.jobs'
import { routes } from './advert.routes'

export const advert: Feature = { routes, jobs }
