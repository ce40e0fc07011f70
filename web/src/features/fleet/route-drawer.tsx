import { getRoute, type RouteDetail, routeFields } from '@aisle/contract/fleet/route'
import { StatesCell } from '../../admin/fields/state'
import { type DrawerRow, RowDrawer } from '../../admin/RowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import './hospital.css'
import { RouteStops } from './route-stops'
import { RouteVerbs } from './route-verbs'

/** Who drives, when, and where in which order. */
export function RouteDrawer({ id }: DrawerRow) {
  const t = useText('fleet')
  const result = useEndpoint(getRoute, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={({ weekdays, isToday }) => (
        <div className="tags">
          {isToday && <Tag tone="good" word={t('field.isToday')} />}
          <StatesCell value={weekdays} field={routeFields.weekdays} t={t} />
        </div>
      )}
      actions={(route) => <RouteVerbs route={route} />}
    >
      {(route) => <Route route={route} />}
    </RowDrawer>
  )
}

function Route({ route }: { route: RouteDetail }) {
  const t = useText('fleet')
  return (
    <div className="hospital-parts">
      <Facts
        facts={[
          { label: t('field.userName'), value: route.userName ?? t('point.filler.none') },
          { label: t('field.merchantName'), value: route.merchantName },
          { label: t('field.remark'), value: route.remark },
        ]}
      />
      <RouteStops key={`${route.id} ${route.version}`} route={route} />
    </div>
  )
}
