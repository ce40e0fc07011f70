import type { Feature } from '../../kernel/feature'
import { routes as keyRoutes } from './apiKey/apiKey.routes'
import { jobs as eventsJobs } from './events.jobs'
import { rawRoutes as openRoutes } from './open.routes'
import { tellWebhooks } from './webhook.lanes'
import { routes as webhookRoutes } from './webhook.routes'

export const events: Feature = {
  routes: [...keyRoutes, ...webhookRoutes],
  jobs: [...eventsJobs],
  rawRoutes: [...openRoutes],
  background: [tellWebhooks],
}
