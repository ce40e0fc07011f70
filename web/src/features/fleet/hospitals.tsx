import {
  addHospital,
  assignPoint,
  editHospital,
  getHospital,
  hospital as entity,
  listHospitals,
  releasePoint,
  removeHospital,
  resumeHospital,
  stopHospital,
} from '@aisle/contract/fleet/hospital'
import { machineFields } from '@aisle/contract/fleet/machine'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { ReactNode } from 'react'
import { CommandButton } from '../../admin/CommandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { record } from '../../admin/record'
import { type DrawerRow, RowDrawer } from '../../admin/RowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/drawer'
import { Facts } from '../../ui/facts'
import { Tabs } from '../../ui/tabs'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { departmentsText } from './departments.rules'
import { DepartmentsInput } from './departments-input'
import './hospital.css'

type HospitalDetail = OutputOf<typeof getHospital>
const shown = [getHospital, listHospitals] as const
type Shown = { hospital: HospitalDetail }

const hospitals = record({
  of: entity,
  list: listHospitals,
  get: getHospital,
  add: addHospital,
  edit: editHospital,
  moves: { stop: stopHospital, resume: resumeHospital },
  remove: removeHospital,
  inputs: { departments: DepartmentsInput },
  isUnused: ({ pointCount, doctorCount }) => pointCount === 0 && doctorCount === 0,
})

/** For who opens and serves hospital sites, weekly: which hospitals there are, and what stands in each. */
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
    'departmentCount',
    'province',
    'address',
  ],
  hidden: ['departmentCount', 'province', 'address'],
  sortable: { machineCount: 'machines' },
  filters: ['hospital', 'level', 'state'],
  moreFilters: ['province', 'merchantId'],
  drawer: HospitalDrawer,
})

/** What stands in the hospital, who works there, and which points belong to it. */
function HospitalDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('fleet')
  const result = useEndpoint(getHospital, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={({ state, level }) => (
        <div className="tags">
          <StateCell value={state} field={entity.fields.state} t={t} />
          <Tag tone="idle" word={t(`hospitalLevel.${level}`)} />
        </div>
      )}
      actions={(hospital) => <hospitals.Verbs row={hospital} />}
    >
      {(hospital) => (
        <div>
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
        </div>
      )}
    </RowDrawer>
  )
}

function Overview({ hospital }: Shown) {
  const t = useText('fleet')
  const { province, city, district, departments } = hospital
  const where = [...new Set([province, city, district])].filter(Boolean).join(' ')
  return (
    <Facts
      facts={[
        { label: t('field.merchantName'), value: hospital.merchantName },
        { label: t('field.city'), value: where },
        { label: t('field.address'), value: hospital.address },
        { label: t('field.contact'), value: hospital.contact },
        { label: t('field.phone'), value: hospital.phone && <a href={`tel:${hospital.phone}`}>{hospital.phone}</a> },
        {
          label: t('field.departments'),
          value:
            departments.length > 0 ? (
              <span className="hospital-lines">{departmentsText(departments)}</span>
            ) : (
              t('hospital.departments.none')
            ),
        },
      ]}
    />
  )
}

function Points({ hospital }: Shown) {
  const t = useText('fleet')
  const { id, name, points, machines, freePoints } = hospital
  return (
    <div className="hospital-parts">
      <Section title={t('hospital.points.own')}>
        {points.length === 0 && <p className="quiet">{t('hospital.points.none')}</p>}
        <PointList points={points}>
          {({ id: pointId, name: point }) => (
            <CommandButton
              endpoint={releasePoint}
              verb="releasePoint"
              t={t}
              target={{ id, pointId }}
              vars={{ name, point }}
              changes={shown}
            />
          )}
        </PointList>
      </Section>
      <Section title={t('field.machineCount')}>
        {machines.length === 0 && <p className="quiet">{t('hospital.machines.none')}</p>}
        <ul className="hospital-rows">
          {machines.map(({ code, name: machine, operation }) => (
            <li key={code}>
              <span>
                <ScreenLink screen="shj/wdshj" search={{ code }}>
                  {code}
                </ScreenLink>{' '}
                {machine}
              </span>
              {operation !== 'in_operation' && <StateCell value={operation} field={machineFields.operation} t={t} />}
            </li>
          ))}
        </ul>
      </Section>
      {freePoints.length > 0 && (
        <Section title={t('hospital.points.free')}>
          <PointList points={freePoints}>
            {({ id: pointId, name: point }) => (
              <CommandButton
                endpoint={assignPoint}
                verb="assignPoint"
                t={t}
                target={{ id, pointId }}
                vars={{ name, point }}
                changes={shown}
              />
            )}
          </PointList>
        </Section>
      )}
    </div>
  )
}

type Point = HospitalDetail['points'][number]

function PointList({ points, children }: { points: readonly Point[]; children: (point: Point) => ReactNode }) {
  const t = useText('fleet')
  return (
    <ul className="hospital-rows">
      {points.map((point) => (
        <li key={point.id}>
          <span>
            <ScreenLink screen="shj/wdshj" search={{ q: point.name }}>
              {point.name}
            </ScreenLink>{' '}
            <small className="quiet">{t('hospital.points.machines', { count: point.machineCount })}</small>
          </span>
          {children(point)}
        </li>
      ))}
    </ul>
  )
}

function Doctors({ hospital: { doctors } }: Shown) {
  const t = useText('fleet')
  if (doctors.length === 0) return <p className="quiet">{t('hospital.doctors.none')}</p>
  return (
    <ul className="hospital-rows">
      {doctors.map(({ id, name, account, department }) => (
        <li key={id}>
          <span>
            {name} <small className="quiet">{[account, department].filter(Boolean).join(' · ')}</small>
          </span>
        </li>
      ))}
    </ul>
  )
}
