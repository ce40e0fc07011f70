import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as doctorCalls from './doctor'
import * as organisationCalls from './organisation'
import * as userCalls from './user'

export const people: Manifest = {
  endpoints: endpointsIn([doctorCalls, organisationCalls, userCalls]),
  exports: [
    exportable(userCalls.listUsers, userCalls.userFields, 'people', 'shgl/wdtd'),
    exportable(doctorCalls.listDoctors, doctorCalls.doctorFields, 'people', 'shgl/wdys'),
  ],
}
