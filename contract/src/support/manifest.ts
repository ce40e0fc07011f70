import { type Manifest, endpointsIn } from '../kernel/manifest'
import * as feedbackCalls from './feedback'

export const support: Manifest = {
  endpoints: endpointsIn([feedbackCalls]),
}
