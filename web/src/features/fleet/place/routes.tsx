import * as contract from '@aisle/contract/fleet/route'
import { listPage } from '../../../admin/listPage'
import { record } from '../../../admin/record'
import type { DrawerRow } from '../../../admin/rowDrawer'
import { Facts } from '../../../ui/facts'
import { useText } from '../../../ui/text'
import { FillerInput } from '../machine/pickers'
import { ComingVisits } from './comingVisits'
import styles from './hospital.module.css'
import { RouteStops } from './routeStops'

const routes = record({
  of: contract.route,
  list: contract.listRoutes,
  get: contract.getRoute,
  add: contract.addRoute,
  edit: contract.editRoute,
  remove: contract.removeRoute,
  inputs: { userId: FillerInput },
  isUnused: ({ machineCount, hiddenCount }) => machineCount + hiddenCount === 0,
})

/** For whoever sends people out, each morning: which routes are driven today, and how much each has to take along. */
export const RouteList = listPage({
  screen: 'shj/dwgl',
  part: 'routes',
  ...routes.page({
    columns: ['name', 'isToday', 'userName', 'weekdays', 'machineCount', 'emptySlots', 'lowSlots', 'merchantName'],
    sortable: { machineCount: 'machines', emptySlots: 'need' },
    filters: ['route', 'weekday'],
    moreFilters: ['merchantId'],
    drawer: RouteDrawer,
  }),
  live: { kinds: ['route', 'machine'], also: [contract.getRoute] },
})

/** Who drives, when, and where in which order. */
function RouteDrawer({ id }: DrawerRow) {
  const t = useText('fleet')
  return (
    <routes.Drawer id={id} tags={['isToday', 'weekdays']}>
      {(route) => (
        <div className={styles.parts}>
          <Facts
            facts={[
              { label: t('field.userName'), value: route.userName ?? t('point.filler.none') },
              { label: t('field.merchantName'), value: route.merchantName },
              { label: t('field.remark'), value: route.remark },
            ]}
          />
          <ComingVisits routeId={route.id} />
          <RouteStops key={`${route.id} ${route.version}`} route={route} />
        </div>
      )}
    </routes.Drawer>
  )
}
