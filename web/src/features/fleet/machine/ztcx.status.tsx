import { getMachine, listSlots, summariseMachines } from '@aisle/contract/fleet/machine'
import { listMachineStatus, mapMachines, statusFields } from '@aisle/contract/fleet/machineStatus'
import { lazy, useState } from 'react'
import { listPage } from '../../../admin/listPage'
import type { ListAddress } from '../../../admin/useAddress'
import { useText } from '../../../ui/text'
import { FleetSummary } from './fleetSummary'
import { whereaboutsInputs } from './machineFilters'
import { Part } from '../../../ui/part'
import { MachineDrawer } from './machineDrawer'

/** The outline of the country weighs more than the list: it comes when somebody asks for the map. */
const FleetMap = lazy(() => import('../place/fleetMap').then(({ FleetMap: map }) => ({ default: map })))

/** For whoever watches the fleet, all day: what of it is not well now, and how old that knowledge is. */
export default listPage({
  screen: 'shj/ztcx',
  list: listMachineStatus,
  fields: statusFields,
  words: 'fleet',
  columns: [
    'code',
    'name',
    'connection',
    'conditions',
    'lastSeenAt',
    'temperature',
    'stock',
    'change',
    'faults',
    'versions',
    'signal',
    'operation',
    'emptySlots',
    'humidity',
    'city',
    'pointName',
    'merchantName',
  ],
  hidden: ['operation', 'emptySlots', 'humidity', 'city', 'pointName', 'merchantName'],
  sortable: { code: 'code', lastSeenAt: 'lastSeen' },
  filters: ['q', 'connection', 'condition'],
  moreFilters: [
    'operation',
    'gaps',
    'province',
    'city',
    'category',
    'version',
    'code',
    'merchantId',
    'service',
    'groupId',
    'pointId',
    'routeId',
    'operatorId',
    'hospitalId',
  ],
  filterInputs: whereaboutsInputs,
  summary: FleetNow,
  drawer: MachineDrawer,
  // Whichever page is open is read again, and it alone: so many rows as are in sight.
  live: {
    topic: 'machines',
    also: [listMachineStatus, summariseMachines, mapMachines, getMachine, listSlots] as const,
  },
})

function FleetNow({ address }: { address: ListAddress }) {
  const t = useText('fleet')
  const [isMap, setMap] = useState(false)
  return (
    <>
      <FleetSummary address={address} />
      <div>
        <button type="button" className="btn" aria-expanded={isMap} onClick={() => setMap(!isMap)}>
          {t(isMap ? 'fleetMap.hide' : 'fleetMap.show')}
        </button>
      </div>
      {isMap && (
        <Part>
          <FleetMap address={address} />
        </Part>
      )}
    </>
  )
}
