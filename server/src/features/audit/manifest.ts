import type { Feature } from '../../kernel/feature'
import { jobs as auditJobs } from './audit.jobs'
import { routes as logRoutes } from './log.routes'
import { routes as systemAlarmRoutes } from './systemAlarm.routes'

export const audit: Feature = {
  routes: [...logRoutes, ...systemAlarmRoutes],
  jobs: [...auditJobs],
}
