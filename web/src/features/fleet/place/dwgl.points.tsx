import { listAreas } from '@aisle/contract/fleet/area'
import { listHospitals } from '@aisle/contract/fleet/hospital'
import { listPoints } from '@aisle/contract/fleet/point'
import { listRoutes } from '@aisle/contract/fleet/route'
import { listPage } from '../../../admin/listPage'
import { partsPage } from '../../../shelf/partsPage'
import { AreaTree } from './areaTree'
import { hospitalList } from './hospitals'
import { PointList } from './points'
import { RouteList } from './routes'

const HospitalList = listPage({ screen: 'shj/dwgl', part: 'hospitals', ...hospitalList })

/** For operators, daily: the map of the business. Points are opened and served, routes driven, areas drawn. */
export default partsPage({
  screen: 'shj/dwgl',
  words: 'fleet',
  parts: [
    { key: 'points', access: listPoints.access, page: PointList },
    { key: 'routes', access: listRoutes.access, page: RouteList },
    { key: 'areas', access: listAreas.access, page: AreaTree },
    { key: 'hospitals', access: listHospitals.access, page: HospitalList },
  ],
})
