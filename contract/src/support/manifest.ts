import { type Manifest, endpointsIn } from '../kernel/manifest'
import * as customerCalls from './customer'
import * as faqCalls from './faq'
import * as feedbackCalls from './feedback'
import * as solutionCalls from './solution'

export const support: Manifest = {
  endpoints: endpointsIn([customerCalls, faqCalls, feedbackCalls, solutionCalls]),
}
