import { type Manifest, endpointsIn } from '../kernel/manifest'
import * as boardCalls from './board'
import * as displayKeyCalls from './displayKey'
import * as replayCalls from './replay'
import * as sectionCalls from './section'

export const wallboard: Manifest = {
  endpoints: endpointsIn([boardCalls, displayKeyCalls, replayCalls, sectionCalls]),
}
