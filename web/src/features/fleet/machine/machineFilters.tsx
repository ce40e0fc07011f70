import { InputFilter, type Named } from '../../../admin/fields/filter'
import { GroupFilter, HospitalFilter, PointFilter, RouteFilter } from '../../../shelf/pickFilters'
import { OperatorInput } from './machineInputs'

/** Units of the merchant that the list is narrowed to, else of one's own. */
const OperatorFilter = (props: Named) => {
  const { merchantId } = props.query
  return <InputFilter {...props} input={OperatorInput} values={merchantId ? { merchantId: Number(merchantId) } : {}} />
}

/** Where machines stand and who runs them, of whatever list of machines. */
export const whereaboutsInputs = {
  groupId: GroupFilter,
  pointId: PointFilter,
  routeId: RouteFilter,
  operatorId: OperatorFilter,
  hospitalId: HospitalFilter,
}
