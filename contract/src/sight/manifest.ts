import { type Manifest, endpointsIn } from '../kernel/manifest'
import * as authorisationCalls from './authorisation'
import * as whyCalls from './why'

export const sight: Manifest = {
  endpoints: endpointsIn([authorisationCalls, whyCalls]),
}
