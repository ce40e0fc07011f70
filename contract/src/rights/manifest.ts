import { type Manifest, endpointsIn } from '../kernel/manifest'
import * as actingCalls from './acting'
import * as menuCalls from './menu'
import * as resourceCalls from './resource'
import * as roleCalls from './role'

export const rights: Manifest = {
  endpoints: endpointsIn([actingCalls, menuCalls, resourceCalls, roleCalls]),
}
