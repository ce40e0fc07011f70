import { getRoute, listRoutes, routeFields } from '@aisle/contract/fleet/route'
import { listPage } from '../../admin/listPage'
import { RouteDrawer } from './route-drawer'
import { AddRoute } from './route-verbs'

/** For who sends people out, each morning: which routes are driven today, and how much each has to take along. */
export const RouteList = listPage({
  screen: 'shj/dwgl',
  part: 'routes',
  list: listRoutes,
  fields: routeFields,
  words: 'fleet',
  columns: ['name', 'isToday', 'userName', 'weekdays', 'machineCount', 'emptySlots', 'lowSlots', 'merchantName'],
  sortable: { name: 'name', machineCount: 'machines', emptySlots: 'need' },
  filters: ['route', 'weekday'],
  moreFilters: ['merchantId'],
  actions: AddRoute,
  drawer: RouteDrawer,
  live: { kinds: ['route', 'machine'], also: [getRoute] },
})
