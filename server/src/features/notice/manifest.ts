import type { Feature } from '../../kernel/feature'
import { routes as alarmLogRoutes } from './alarmLog.routes'
import { routes as bellRoutes } from './bell.routes'
import { routes as messageTypeRoutes } from './messageType'
import { jobs as noticeJobs } from './notice.jobs'
import { routes as noticeRoutes } from './notice.routes'
import { routes as providerRoutes } from './provider.routes'
import { routes as pushRoutes } from './push.routes'
import { routes as pushSettingRoutes } from './pushSetting.routes'

export const notice: Feature = {
  routes: [
    ...noticeRoutes,
    ...messageTypeRoutes,
    ...pushRoutes,
    ...pushSettingRoutes,
    ...providerRoutes,
    ...bellRoutes,
    ...alarmLogRoutes,
  ],
  jobs: [...noticeJobs],
}
