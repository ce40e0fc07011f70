import type { Feature } from '../../kernel/feature'
import { jobs as campaignJobs } from './campaign/campaign.jobs'
import { routes as campaignRoutes } from './campaign/campaign.routes'
import { jobs as markdownJobs } from './markdown.jobs'
import { routes as markdownRoutes } from './markdown.routes'
import { jobs as offerJobs } from './offer.jobs'
import { routes as offerRoutes } from './offer.routes'
import { routes as planRoutes } from './plan.routes'
import { jobs as voucherJobs } from './voucher/voucher.jobs'
import { routes as voucherRoutes } from './voucher/voucher.routes'

export const promotion: Feature = {
  routes: [...markdownRoutes, ...planRoutes, ...offerRoutes, ...voucherRoutes, ...campaignRoutes],
  jobs: [...markdownJobs, ...offerJobs, ...voucherJobs, ...campaignJobs],
}
