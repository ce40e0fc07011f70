import { listAreas } from '@aisle/contract/fleet/area'
import { listMachines } from '@aisle/contract/fleet/machine'
import * as contract from '@aisle/contract/fleet/point'
import { route } from '@aisle/contract/fleet/route'
import { countText } from '../../../admin/fields/number'
import { ScreenLink } from '../../../admin/fields/ref'
import { StatesCell } from '../../../admin/fields/state'
import { groupInput } from '../../../admin/form/inputs'
import { listPage } from '../../../admin/listPage'
import { record } from '../../../admin/record'
import type { DrawerRow } from '../../../admin/rowDrawer'
import { can } from '../../../live/session'
import { Tabs } from '../../../ui/control/tabs'
import { Facts, Figures } from '../../../ui/facts'
import { Money } from '../../../ui/money'
import { ShortList } from '../../../ui/shortList'
import { useText } from '../../../ui/text'
import { DistrictInput, HospitalInput } from '../machine/pickers'
import styles from './hospital.module.css'
import { PointMachines } from './pointMachines'
import { Part } from '../../../ui/part'
import { LazyPointMap, PositionInput } from './positionInput'

type Shown = { point: contract.PointDetail }

const points = record({
  of: contract.point,
  list: contract.listPoints,
  get: contract.getPoint,
  add: contract.addPoint,
  edit: contract.editPoint,
  moves: { stop: contract.stopPoint, resume: contract.resumePoint },
  remove: contract.removePoint,
  inputs: { districtId: DistrictInput, hospitalId: HospitalInput, position: groupInput(PositionInput) },
  without: ({ kind }) => (kind === 'hospital' ? [] : ['hospitalId']),
  also: [listAreas],
  isUnused: ({ machineCount }) => machineCount === 0,
})

/** For whoever opens and serves sites, daily: where machines stand, what is there, what it costs. */
export const PointList = listPage({
  screen: 'shj/dwgl',
  part: 'points',
  ...points.page({
    columns: ['name', 'kind', 'city', 'districtName', 'hospitalName', 'machineCount', 'contact', 'rentFen', 'state'],
    sortable: { machineCount: 'machines', rentFen: 'rent' },
    filters: ['point', 'kind', 'state'],
    moreFilters: ['city', 'merchantId'],
    drawer: PointDrawer,
  }),
  live: { kinds: ['point', 'machine', 'district', 'hospital'], also: [contract.getPoint] },
})

/** What stands at the point and what it sold today, where it is and what it costs, who comes by. */
function PointDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('fleet')
  return (
    <points.Drawer id={id} tags={['state', 'kind']}>
      {(point) => (
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
      )}
    </points.Drawer>
  )
}

function Machines({ point }: Shown) {
  const t = useText('fleet')
  const { today } = point
  return (
    <div className={styles.parts}>
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
    <div className={styles.parts}>
      <Part>
        <LazyPointMap key={`${position.longitude} ${position.latitude}`} position={position} />
      </Part>
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
  return (
    <ShortList
      rows={routes}
      none={t('point.routes.none')}
      says={({ id, name, userName, machineCount: count }) => (
        <>
          <ScreenLink screen="shj/dwgl" search={{ part: 'routes', open: String(id) }}>
            {name}
          </ScreenLink>{' '}
          {userName ?? t('point.filler.none')}{' '}
          <small className="quiet">{t('hospital.points.machines', { count })}</small>
        </>
      )}
      ends={({ weekdays }) => <StatesCell value={weekdays} field={route.fields.weekdays} t={t} />}
    />
  )
}
