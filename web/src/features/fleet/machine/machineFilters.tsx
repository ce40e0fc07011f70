import { OperatorFilter } from '../../../shelf/operatorInput'
import { GroupFilter, HospitalFilter, PointFilter, RouteFilter } from '../../../shelf/pickFilters'

/** Where machines stand and who runs them, of whatever list of machines. */
export const whereaboutsInputs = {
  groupId: GroupFilter,
  pointId: PointFilter,
  routeId: RouteFilter,
  operatorId: OperatorFilter,
  hospitalId: HospitalFilter,
}
