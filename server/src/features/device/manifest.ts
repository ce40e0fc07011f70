import type { Feature } from '../../kernel/feature'
import { routes as commandRoutes } from './command/command.routes'
import { routes as operateRoutes } from './command/operate.routes'
import { jobs as deviceJobs } from './device.jobs'
import { routes as inspectionRoutes } from './inspection/inspection.routes'
import { routes as linkRoutes } from './link/link.routes'
import { routes as auditFileRoutes } from './record/audit.routes'
import { jobs as recordJobs } from './record/record.jobs'
import { routes as temperatureRoutes } from './record/temperature.routes'
import { jobs as owedJobs } from './sale/owed.jobs'

export const device: Feature = {
  routes: [
    ...linkRoutes,
    ...operateRoutes,
    ...commandRoutes,
    ...inspectionRoutes,
    ...auditFileRoutes,
    ...temperatureRoutes,
  ],
  jobs: [...deviceJobs, ...recordJobs, ...owedJobs],
}
