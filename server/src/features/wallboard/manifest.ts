import type { Feature } from '../../kernel/feature'
import { jobs as boardJobs } from './board.jobs'
import { startBoardPush } from './board.push'
import { routes as boardRoutes } from './board.routes'
import { routes as displayKeyRoutes } from './key.routes'
import { routes as replayRoutes } from './replay.routes'

export const wallboard: Feature = {
  routes: [...boardRoutes, ...displayKeyRoutes, ...replayRoutes],
  jobs: [...boardJobs],
  sockets: [startBoardPush],
}
