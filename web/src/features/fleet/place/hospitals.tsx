import * as contract from '@aisle/contract/fleet/hospital'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../../admin/commandButton'
import { MachineLink, ScreenLink } from '../../../admin/fields/ref'
import type { WriteEndpoint } from '../../../admin/form/useForm'
import { record } from '../../../admin/record'
import type { DrawerRow } from '../../../admin/rowDrawer'
import { Tabs } from '../../../ui/control/tabs'
import { Section } from '../../../ui/feedback/drawer'
import { ShortList } from '../../../ui/shortList'
import { type Text, useText } from '../../../ui/text'
import { departmentsText } from './departments.rules'
import { DepartmentsInput } from './departmentsInput'
import styles from './hospital.module.css'
import { OddOperation } from './oddOperation'

type Detail = OutputOf<typeof contract.getHospital>
type Shown = { hospital: Detail }

const hospitals = record({
  of: contract.hospital,
  list: contract.listHospitals,
  get: contract.getHospital,
  add: contract.addHospital,
  edit: contract.editHospital,
  moves: { stop: contract.stopHospital, resume: contract.resumeHospital },
  remove: contract.removeHospital,
  inputs: { departments: DepartmentsInput },
  isUnused: ({ pointCount, doctorCount }) => pointCount === 0 && doctorCount === 0,
})

/** For whoever opens and serves hospital sites, weekly: which hospitals there are, and what stands in each. */
export const hospitalList = hospitals.page({
  columns: [
    'name',
    'level',
    'city',
    'district',
    'machineCount',
    'pointCount',
    'doctorCount',
    'state',
    'contact',
    'phone',
    'merchantName',
  ],
  sortable: { machineCount: 'machines' },
  filters: ['hospital', 'level', 'state'],
  moreFilters: ['province', 'merchantId'],
  drawer: HospitalDrawer,
})

/** What stands in the hospital, who works there, and which points belong to it. */
function HospitalDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('fleet')
  return (
    <hospitals.Drawer id={id} tags={['state', 'level']}>
      {(hospital) => (
        <Tabs
          label={hospital.name}
          current={tab}
          onPick={pickTab}
          tabs={[
            { key: 'points', label: t('hospital.tab.points'), panel: <Points hospital={hospital} /> },
            { key: 'doctors', label: t('hospital.tab.doctors'), panel: <Doctors hospital={hospital} /> },
            { key: 'facts', label: t('hospital.tab.facts'), panel: <Overview hospital={hospital} /> },
          ]}
        />
      )}
    </hospitals.Drawer>
  )
}

function Overview({ hospital }: Shown) {
  const t = useText('fleet')
  const lines = departmentsText(hospital.departments)
  const departments = lines ? <span className={styles.lines}>{lines}</span> : t('hospital.departments.none')
  return <hospitals.Known row={hospital} instead={{ departments }} without={['name', 'level', 'state']} />
}

function Points({ hospital: { id, name, points, machines, freePoints } }: Shown) {
  const t = useText('fleet')
  const at = { t, id, name, none: t('hospital.points.none') }
  return (
    <div className={styles.parts}>
      <Section title={t('hospital.points.own')}>
        <PointList {...at} points={points} endpoint={contract.releasePoint} verb="releasePoint" />
      </Section>
      <Section title={t('field.machineCount')}>
        <ShortList
          rows={machines}
          none={t('hospital.machines.none')}
          says={({ code, name: machine }) => (
            <>
              <MachineLink code={code} /> {machine}
            </>
          )}
          ends={({ operation }) => <OddOperation value={operation} t={t} />}
        />
      </Section>
      {freePoints.length > 0 && (
        <Section title={t('hospital.points.free')}>
          <PointList {...at} points={freePoints} endpoint={contract.assignPoint} verb="assignPoint" />
        </Section>
      )}
    </div>
  )
}

type Listed = { points: Detail['points']; none: string; t: Text; id: number; name: string }

function PointList({ points, none, t, id, name, ...does }: Listed & { endpoint: WriteEndpoint; verb: string }) {
  return (
    <ShortList
      rows={points}
      none={none}
      says={({ name: point, machineCount: count }) => (
        <>
          <ScreenLink screen="shj/wdshj" search={{ q: point }}>
            {point}
          </ScreenLink>{' '}
          <small className="quiet">{t.any('hospital.points.machines', { count })}</small>
        </>
      )}
      ends={({ id: pointId, name: point }) => (
        <CommandButton {...does} t={t} target={{ id, pointId }} vars={{ name, point }} changes={hospitals.shown} />
      )}
    />
  )
}

function Doctors({ hospital: { doctors } }: Shown) {
  const t = useText('fleet')
  return (
    <ShortList
      rows={doctors}
      none={t('hospital.doctors.none')}
      says={({ name, account, department }) => (
        <>
          {name} <small className="quiet">{[account, department].filter(Boolean).join(' · ')}</small>
        </>
      )}
    />
  )
}
