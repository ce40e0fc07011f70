import type { Feature } from '../../kernel/feature'
import { jobs as alarmJobs } from './alarm.jobs'
import { routes as alarmRoutes } from './alarm.routes'
import { jobs as detectJobs } from './detect.jobs'
import { jobs as flowCardJobs } from './flowCard.jobs'

export const alarm: Feature = {
  routes: [...alarmRoutes],
  jobs: [...alarmJobs, ...detectJobs, ...flowCardJobs],
}
