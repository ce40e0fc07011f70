import { listMachines } from '@aisle/contract/fleet/machine'
import { getPoint, type PointDetail, pointFields } from '@aisle/contract/fleet/point'
import { Suspense } from 'react'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell, StatesCell } from '../../admin/fields/state'
import { type DrawerRow, RowDrawer } from '../../admin/RowDrawer'
import { routeFields } from '@aisle/contract/fleet/route'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Facts, Figures } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tabs } from '../../ui/tabs'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import './hospital.css'
import { PointMachines } from './point-machines'
import { PointVerbs } from './point-verbs'
import { LazyPointMap } from './position-input'

type Shown = { point: PointDetail }

/** What stands at the point and what it sold today, where it is and what it costs, who comes by. */
export function PointDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('fleet')
  const result = useEndpoint(getPoint, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={({ state, kind }) => (
        <div className="tags">
          <StateCell value={state} field={pointFields.state} t={t} />
          <Tag tone="idle" word={t(`pointKind.${kind}`)} />
        </div>
      )}
      actions={(point) => <PointVerbs point={point} />}
    >
      {(point) => (
        <div>
          <Tabs
            label={point.name}
            current={tab}
            onPick={pickTab}
            tabs={[
              ...(can(listMachines.access)
                ? [{ key: 'machines', label: t('point.tab.machines'), panel: <Machines point={point} /> }]
                : []),
              { key: 'place', label: t('point.tab.place'), panel: <Place point={point} /> },
              { key: 'routes', label: t('point.tab.routes'), panel: <Routes point={point} /> },
            ]}
          />
        </div>
      )}
    </RowDrawer>
  )
}

function Machines({ point }: Shown) {
  const t = useText('fleet')
  const { today } = point
  return (
    <div className="hospital-parts">
      <Figures
        facts={[
          { label: t('field.machineCount'), value: String(point.machineCount) },
          { label: t('field.todayFen'), value: <Money fen={today.paidFen} /> },
          { label: t('field.todayCount'), value: countText(today.count) },
        ]}
      />
      <PointMachines point={point} />
    </div>
  )
}

function Place({ point }: Shown) {
  const t = useText('fleet')
  const { province, city, areaName, districtName, position, hospitalName, building, floor, phone } = point
  const own = [areaName, districtName].filter(Boolean).join(' / ')
  return (
    <div className="hospital-parts">
      <Suspense fallback={<div className="bone" />}>
        <LazyPointMap key={`${position.longitude} ${position.latitude}`} position={position} />
      </Suspense>
      <Facts
        facts={[
          { label: t('field.position'), value: `${position.longitude}, ${position.latitude}` },
          { label: t('field.city'), value: [...new Set([province, city])].join(' ') },
          { label: t('field.districtName'), value: own },
          { label: t('field.address'), value: point.address },
          { label: t('field.hospitalName'), value: hospitalName },
          { label: t('field.building'), value: [building, floor].filter(Boolean).join(' · ') },
          { label: t('field.contact'), value: point.contact },
          { label: t('field.phone'), value: phone && <a href={`tel:${phone}`}>{phone}</a> },
          { label: t('field.rentFen'), value: <Money fen={point.rentFen} /> },
          { label: t('field.merchantName'), value: point.merchantName },
          { label: t('field.remark'), value: point.remark },
        ]}
      />
    </div>
  )
}

function Routes({ point: { routes } }: Shown) {
  const t = useText('fleet')
  if (routes.length === 0) return <p className="quiet">{t('point.routes.none')}</p>
  return (
    <ul className="hospital-rows">
      {routes.map((route) => (
        <li key={route.id}>
          <span>
            <ScreenLink screen="shj/dwgl" search={{ part: 'routes', open: String(route.id) }}>
              {route.name}
            </ScreenLink>{' '}
            {route.userName ?? t('point.filler.none')}{' '}
            <small className="quiet">{t('hospital.points.machines', { count: route.machineCount })}</small>
          </span>
          <StatesCell value={route.weekdays} field={routeFields.weekdays} t={t} />
        </li>
      ))}
    </ul>
  )
}
