import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as memberCalls from './member'
import * as memberCardCalls from './memberCard'

export const member: Manifest = {
  endpoints: endpointsIn([memberCalls, memberCardCalls]),
  exports: [exportable(memberCalls.listMembers, memberCalls.memberFields, 'member', 'shgl/glwdhy')],
}
