import { type Manifest, endpointsIn } from '../kernel/manifest'
import * as dashboardCalls from './dashboard'

export const home: Manifest = {
  endpoints: endpointsIn([dashboardCalls]),
}
