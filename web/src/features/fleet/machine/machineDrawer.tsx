import { getAuditFiles } from '@aisle/contract/device/audit'
import { listCommands } from '@aisle/contract/device/command'
import { getTemperatures } from '@aisle/contract/device/temperature'
import { listAlarms } from '@aisle/contract/alarm/alarm'
import { getMachine, machineFields } from '@aisle/contract/fleet/machine'
import type { Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import { listSeers } from '@aisle/contract/sight/why'
import { listOrders } from '@aisle/contract/trade/order'
import { ScreenLink } from '../../../admin/fields/ref'
import { StateCell, StatesCell } from '../../../admin/fields/state'
import { type DrawerRow, RowDrawer } from '../../../admin/rowDrawer'
import { useEndpoint } from '../../../live/query'
import { can } from '../../../live/session'
import { type Tab, Tabs } from '../../../ui/control/tabs'
import { useText } from '../../../ui/text'
import { MachineAlarms } from './machineAlarms'
import { MachineAudit } from './machineAudit'
import { MachineCommands } from './machineCommands'
import { MachineLink } from './machineLink'
import { MachineLive } from './machineLive'
import { MachineOrders } from './machineOrders'
import { MachinePlace } from './machinePlace'
import { MachineSeers } from './machineSeers'
import { MachineStock } from './machineStock'
import { MachineTemperature } from './machineTemperature'
import { MachineVerbs } from './machineVerbs'
import { OperationNote } from './operationNote'
import { Planogram } from './slotPlanogram'
import styles from './machine.module.css'

export type MachineDetail = OutputOf<typeof getMachine>

/** Everything about a machine: how it is now, what is in it, what it said, and what may be done. */
export function MachineDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('fleet')
  const result = useEndpoint(getMachine, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ code, name }) => `${code} ${name}`}
      head={(machine) => (
        <div className={styles.head}>
          <MachineStates machine={machine} />
          <ScreenLink screen="shj/wdshj" search={{ id: String(id) }}>
            {t('page.whole')}
          </ScreenLink>
        </div>
      )}
      actions={(machine) => <MachineVerbs machine={machine} />}
    >
      {(machine) => <MachineTabs machine={machine} tab={tab} pickTab={pickTab} />}
    </RowDrawer>
  )
}

/** A tab asks for its data once it is picked, and is there for those alone who may see it. */
export function MachineTabs(props: { machine: MachineDetail; tab: string | null; pickTab: (tab: string) => void }) {
  const { machine, tab, pickTab } = props
  const { id, code } = machine
  const t = useText('fleet')
  const sight = useText('sight')
  const tabs: (Tab & { of?: Endpoint })[] = [
    { key: 'live', label: t('tab.live'), panel: <MachineLive machine={machine} /> },
    { key: 'planogram', label: t('tab.planogram'), panel: <Planogram machine={machine} /> },
    { key: 'stock', label: t('tab.stock'), panel: <MachineStock id={id} /> },
    { key: 'orders', label: t('tab.orders'), panel: <MachineOrders code={code} />, of: listOrders },
    { key: 'alarms', label: t('tab.alarms'), panel: <MachineAlarms id={id} code={code} />, of: listAlarms },
    { key: 'commands', label: t('tab.commands'), panel: <MachineCommands machine={machine} />, of: listCommands },
    { key: 'temperature', label: t('tab.temperature'), panel: <MachineTemperature id={id} />, of: getTemperatures },
    { key: 'link', label: t('tab.link'), panel: <MachineLink id={id} /> },
    { key: 'audit', label: t('tab.audit'), panel: <MachineAudit id={id} />, of: getAuditFiles },
    { key: 'seers', label: sight('seers.tab'), panel: <MachineSeers id={id} />, of: listSeers },
    { key: 'place', label: t('tab.place'), panel: <MachinePlace machine={machine} /> },
  ]
  const allowed = tabs.filter(({ of }) => of === undefined || can(of.access))
  return (
    <div>
      <OperationNote machine={machine} />
      <Tabs label={code} current={tab} onPick={pickTab} tabs={allowed} />
    </div>
  )
}

export function MachineStates(props: { machine: MachineDetail }) {
  const { connection, operation, conditions, service } = props.machine
  const t = useText('fleet')
  return (
    <div className="tags">
      {service === 'retired' && <StateCell value={service} field={machineFields.service} t={t} />}
      <StateCell value={connection} field={machineFields.connection} t={t} />
      <StateCell value={operation} field={machineFields.operation} t={t} />
      {conditions.length > 0 && <StatesCell value={conditions} field={machineFields.conditions} t={t} />}
    </div>
  )
}
