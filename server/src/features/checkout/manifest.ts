import type { Feature } from '../../kernel/feature'
import { jobs as checkoutJobs } from './channel.jobs'
import { rawRoutes as notifyRoutes } from './notify.commands'

export const checkout: Feature = {
  jobs: [...checkoutJobs],
  rawRoutes: [...notifyRoutes],
}
