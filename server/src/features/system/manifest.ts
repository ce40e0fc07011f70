import type { Feature } from '../../kernel/feature'
import { routes as agreementRoutes } from './agreement.routes'
import { routes as dictionaryRoutes } from './dictionary.routes'
import { routes as homeRoutes } from './home.routes'
import { routes as languageEntryRoutes } from './languageEntry.routes'
import { routes as pictureRoutes } from './picture.routes'
import { routes as searchRoutes } from './search.routes'
import { routes as settingRoutes } from './setting.routes'
import { jobs as systemJobs } from './system.jobs'
import { followWords } from './words.follow'

export const system: Feature = {
  routes: [
    ...searchRoutes,
    ...settingRoutes,
    ...dictionaryRoutes,
    ...languageEntryRoutes,
    ...homeRoutes,
    ...agreementRoutes,
    ...pictureRoutes,
  ],
  jobs: [...systemJobs],
  followers: [followWords],
}
