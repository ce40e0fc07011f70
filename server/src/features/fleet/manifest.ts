import type { Feature } from '../../kernel/feature'
import { routes as assortmentRoutes } from './assortment/assortment.routes'
import { routes as flowCardRoutes } from './flowCard/flowCard'
import { routes as groupRoutes } from './group/group'
import { jobs as fleetJobs } from './machine/machine.jobs'
import { routes as machineRoutes } from './machine/machine.routes'
import { routes as statusRoutes } from './machine/status.routes'
import { routes as importRoutes } from './machineImport/import.routes'
import { rawRoutes as accountCallbackRoutes } from './officialAccount/accountCallback.routes'
import { routes as officialAccountRoutes } from './officialAccount/officialAccount'
import { routes as areaRoutes } from './place/area'
import { routes as hospitalRoutes } from './place/hospital'
import { routes as pointRoutes } from './place/point'
import { routes as routeRoutes } from './place/route'

export const fleet: Feature = {
  routes: [
    ...machineRoutes,
    ...importRoutes,
    ...statusRoutes,
    ...hospitalRoutes,
    ...pointRoutes,
    ...areaRoutes,
    ...routeRoutes,
    ...groupRoutes,
    ...flowCardRoutes,
    ...assortmentRoutes,
    ...officialAccountRoutes,
  ],
  jobs: [...fleetJobs],
  rawRoutes: [...accountCallbackRoutes],
}
