import type { Feature } from '../../kernel/feature'
import { jobs as lotteryJobs } from './lottery.jobs'
import { routes as lotteryRoutes } from './lottery.routes'

export const lottery: Feature = {
  routes: [...lotteryRoutes],
  jobs: [...lotteryJobs],
}
