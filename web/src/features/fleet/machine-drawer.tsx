import { getMachine, machineFields } from '@aisle/contract/fleet/machine'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { listSeers } from '@aisle/contract/sight/why'
import { StateCell, StatesCell } from '../../admin/fields/state'
import { type DrawerRow, RowDrawer } from '../../admin/RowDrawer'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Tabs } from '../../ui/tabs'
import { useText } from '../../ui/text'
import { MachineLink } from './machine-link'
import { MachineLive } from './machine-live'
import { MachineSeers } from './machine-seers'
import { MachineVerbs } from './machine-verbs'
import { Planogram } from './slot-planogram'

export type MachineDetail = OutputOf<typeof getMachine>

/** Everything about a machine: how it is now, what is in it, what it said, and what may be done. */
export function MachineDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('fleet')
  const sight = useText('sight')
  const result = useEndpoint(getMachine, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ code, name }) => `${code} ${name}`}
      head={(machine) => <States machine={machine} />}
      actions={(machine) => <MachineVerbs machine={machine} />}
    >
      {(machine) => (
        <div>
          <Tabs
            label={machine.code}
            current={tab}
            onPick={pickTab}
            tabs={[
              { key: 'live', label: t('tab.live'), panel: <MachineLive machine={machine} /> },
              { key: 'planogram', label: t('tab.planogram'), panel: <Planogram machine={machine} /> },
              { key: 'link', label: t('tab.link'), panel: <MachineLink id={machine.id} /> },
              ...(can(listSeers.access)
                ? [{ key: 'seers', label: sight('seers.tab'), panel: <MachineSeers id={machine.id} /> }]
                : []),
            ]}
          />
        </div>
      )}
    </RowDrawer>
  )
}

function States({ machine: { connection, operation, conditions } }: { machine: MachineDetail }) {
  const t = useText('fleet')
  return (
    <div className="tags">
      <StateCell value={connection} field={machineFields.connection} t={t} />
      <StateCell value={operation} field={machineFields.operation} t={t} />
      {conditions.length > 0 && <StatesCell value={conditions} field={machineFields.conditions} t={t} />}
    </div>
  )
}
