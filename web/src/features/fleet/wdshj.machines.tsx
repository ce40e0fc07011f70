import { getDeviceLink } from '@aisle/contract/device/link'
import { getMachine, listMachines, listSlots, machineFields, summariseMachines } from '@aisle/contract/fleet/machine'
import { listSeers } from '@aisle/contract/sight/why'
import { listPage } from '../../admin/listPage'
import { FleetSummary } from './fleet-summary'
import { MachineDrawer } from './machine-drawer'

/** For operators, ten times a day: what is broken, first. */
export default listPage({
  screen: 'shj/wdshj',
  list: listMachines,
  fields: machineFields,
  words: 'fleet',
  columns: [
    'code',
    'name',
    'city',
    'connection',
    'conditions',
    'operation',
    'lastSeenAt',
    'emptySlots',
    'lowSlots',
    'todayFen',
    'todayCount',
    'pointName',
    'category',
    'merchantName',
    'slotCount',
  ],
  hidden: ['pointName', 'category', 'merchantName', 'slotCount'],
  sortable: { code: 'code', name: 'name', lastSeenAt: 'lastSeen', todayFen: 'today' },
  filters: ['q', 'connection', 'condition'],
  moreFilters: ['operation', 'category', 'code', 'merchantId'],
  summary: FleetSummary,
  drawer: MachineDrawer,
  live: { topic: 'machines', also: [summariseMachines, getMachine, listSlots, getDeviceLink, listSeers] as const },
})
