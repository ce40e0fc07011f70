import type { Feature } from '../../kernel/feature'
import { jobs as customerJobs } from './customer/customer.jobs'
import { routes as customerRoutes } from './customer/customer.routes'
import { rawRoutes as customerPages } from './customer/page.routes'
import { routes as faqRoutes } from './faq'
import { routes as feedbackRoutes } from './feedback.routes'
import { jobs as questionJobs, rawRoutes as questionLists } from './questionList'
import { routes as solutionRoutes } from './solution'

export const support: Feature = {
  routes: [...customerRoutes, ...faqRoutes, ...feedbackRoutes, ...solutionRoutes],
  rawRoutes: [...customerPages, ...questionLists],
  jobs: [...customerJobs, ...questionJobs],
}
