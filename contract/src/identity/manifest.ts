import { type Manifest, endpointsIn } from '../kernel/manifest'
import * as firstAdminCalls from './firstAdmin'
import * as ownSessionsCalls from './ownSessions'
import * as passwordCalls from './password'
import * as secondFactorCalls from './secondFactor'
import * as sessionCalls from './session'
import * as ssoCalls from './sso'

export const identity: Manifest = {
  endpoints: endpointsIn([firstAdminCalls, ownSessionsCalls, passwordCalls, secondFactorCalls, sessionCalls, ssoCalls]),
}
