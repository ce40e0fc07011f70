import type { Feature } from '../../kernel/feature'
import { routes as identityRoutes } from './identity.routes'
import { routes as passwordRoutes } from './password/password.routes'
import { routes as secondFactorRoutes } from './secondFactor/secondFactor.routes'
import { jobs as identityJobs } from './session/identity.jobs'
import { routes as ownSessionsRoutes } from './session/ownSessions.routes'
import { routes as ssoRoutes } from './sso/sso.routes'

export const identity: Feature = {
  routes: [...identityRoutes, ...ownSessionsRoutes, ...secondFactorRoutes, ...ssoRoutes, ...passwordRoutes],
  jobs: [...identityJobs],
}
