import { getHospital } from '@aisle/contract/fleet/hospital'
import { machineFields } from '@aisle/contract/fleet/machine'
import { getHospitalStatus, statusFields, type WardCounts } from '@aisle/contract/fleet/machineStatus'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { Failure } from '../../../admin/failure'
import { countText } from '../../../admin/fields/number'
import { kindOf } from '../../../admin/fields/kinds'
import { ScreenLink } from '../../../admin/fields/ref'
import { StateCell, StatesCell } from '../../../admin/fields/state'
import { type DrawerRow, RowDrawer } from '../../../admin/rowDrawer'
import { useEndpoint } from '../../../live/query'
import { Tag, type Tone } from '../../../ui/tag'
import { useText } from '../../../ui/text'
import styles from './ward.module.css'

type Building = OutputOf<typeof getHospitalStatus>['buildings'][number]
type Machine = Building['floors'][number]['machines'][number]

/** The hospital as one walks through it: building, floor, machine. */
export function WardDrawer({ id }: DrawerRow) {
  const result = useEndpoint(getHospital, { id }, { errors: 'throw' })
  return (
    <RowDrawer result={result} title={({ name }) => name}>
      {() => <Wards id={id} />}
    </RowDrawer>
  )
}

function Wards({ id }: { id: number }) {
  const t = useText('fleet')
  const { data, error, refetch } = useEndpoint(getHospitalStatus, { id }, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  if (data.buildings.length === 0) return <p className="quiet">{t('hospital.machines.none')}</p>
  return (
    <div className={styles.wards}>
      {data.buildings.map((building) => (
        <details key={building.name} open>
          <summary>
            <b>{building.name || t('ward.noBuilding')}</b>
            <Counts counts={building} />
          </summary>
          {building.floors.map((floor) => (
            <details key={floor.name} open={isTroubled(floor) || building.floors.length === 1}>
              <summary>
                <span>{floor.name || t('ward.noFloor')}</span>
                <Counts counts={floor} />
              </summary>
              <ul>
                {floor.machines.map((machine) => (
                  <WardMachine key={machine.id} machine={machine} />
                ))}
              </ul>
            </details>
          ))}
        </details>
      ))}
    </div>
  )
}

const isTroubled = ({ faulty, warm, offline, unknown, stockOut }: WardCounts): boolean =>
  faulty + warm + offline + unknown + stockOut > 0

const tones: Record<'faulty' | 'warm' | 'offline' | 'unknown' | 'stockOut' | 'coolUnknown' | 'online', Tone> = {
  faulty: 'bad',
  warm: 'bad',
  offline: 'bad',
  unknown: 'warn',
  stockOut: 'warn',
  coolUnknown: 'idle',
  online: 'good',
}
const names = Object.keys(tones) as (keyof typeof tones)[]

/** What is not well, and how much is: what is none of is not said. */
function Counts({ counts }: { counts: WardCounts }) {
  const t = useText('fleet')
  return (
    <span className="tags">
      <span className="quiet">{t('hospital.points.machines', { count: counts.machineCount })}</span>
      {names
        .filter((name) => counts[name] > 0)
        .map((name) => (
          <Tag key={name} tone={tones[name]} word={`${t(`field.${name}`)} ${countText(counts[name])}`} />
        ))}
    </span>
  )
}

function WardMachine({ machine }: { machine: Machine }) {
  const t = useText('fleet')
  const { id, code, name, connection, operation, conditions, temperature, stock, emptySlots } = machine
  const Reading = kindOf(statusFields.temperature).Cell
  return (
    <li>
      <span>
        <ScreenLink screen="shj/wdshj" search={{ id: String(id) }}>
          {code}
        </ScreenLink>{' '}
        {name}
      </span>
      <span className="tags">
        <StateCell value={connection} field={machineFields.connection} t={t} />
        {operation !== 'in_operation' && <StateCell value={operation} field={machineFields.operation} t={t} />}
        {conditions.length > 0 && <StatesCell value={conditions} field={machineFields.conditions} t={t} />}
      </span>
      <span className={styles.readings}>
        <span>
          {t('field.temperature')} <Reading value={temperature} field={statusFields.temperature} t={t} />
        </span>
        <span>
          {t('field.stock')} <Reading value={stock} field={statusFields.stock} t={t} />
        </span>
        {emptySlots > 0 && <span>{`${t('field.emptySlots')} ${countText(emptySlots)}`}</span>}
      </span>
    </li>
  )
}
