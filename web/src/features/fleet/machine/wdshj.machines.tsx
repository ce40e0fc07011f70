import { listAlarms } from '@aisle/contract/alarm/alarm'
import { sendToMachines } from '@aisle/contract/device/batch'
import { listCommands } from '@aisle/contract/device/command'
import { getDeviceLink } from '@aisle/contract/device/link'
import { bindMachines, copySettings } from '@aisle/contract/fleet/machineBatch'
import { getMachine, listMachines, listSlots, machineFields, summariseMachines } from '@aisle/contract/fleet/machine'
import { listSeers } from '@aisle/contract/sight/why'
import { MerchantInput } from '../../../admin/form/refInput'
import { listPage } from '../../../admin/listPage'
import { AddMachines } from './addMachine'
import { CommandTypeInput } from './commandTypeInput'
import { CopyChoice } from '../assortment/copyChoice'
import { FleetSummary } from './fleetSummary'
import { whereaboutsInputs } from './machineFilters'
import { MachineDrawer } from './machineDrawer'
import { OperatorInput } from '../../../shelf/operatorInput'
import { MachineIdInput, PointInput, RouteInput } from './machineInputs'
import { MachinePage, useMachineId } from './machinePage'
import { CommandPreview, SentCommands } from './sentCommands'

/** For operators, ten times a day: what is broken, first. */
const MachineList = listPage({
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
    'service',
  ],
  hidden: ['pointName', 'category', 'merchantName', 'slotCount', 'service'],
  sortable: { code: 'code', name: 'name', lastSeenAt: 'lastSeen', todayFen: 'today' },
  filters: ['q', 'connection', 'condition'],
  moreFilters: [
    'operation',
    'gaps',
    'category',
    'code',
    'merchantId',
    'province',
    'city',
    'version',
    'service',
    'groupId',
    'pointId',
    'routeId',
    'operatorId',
    'hospitalId',
  ],
  filterInputs: whereaboutsInputs,
  summary: FleetSummary,
  sums: ({ emptySlots, lowSlots }) => ({ emptySlots, lowSlots }),
  actions: AddMachines,
  batch: [
    {
      endpoint: sendToMachines,
      verb: 'sendToMachines',
      inputs: { type: CommandTypeInput },
      preview: CommandPreview,
      after: SentCommands,
    },
    {
      endpoint: bindMachines,
      verb: 'bindMachines',
      inputs: { pointId: PointInput, routeId: RouteInput, operatorId: OperatorInput, merchantId: MerchantInput },
    },
    { endpoint: copySettings, verb: 'copySettings', inputs: { fromId: MachineIdInput, what: CopyChoice } },
  ],
  leads: [
    {
      verb: 'changePrices',
      screen: 'shj/hdgl',
      search: (rows) => ({ part: 'prices', machines: rows.map(({ code }) => code).join(' ') }),
    },
  ],
  drawer: MachineDrawer,
  live: {
    topic: 'machines',
    also: [summariseMachines, getMachine, listSlots, getDeviceLink, listSeers, listCommands, listAlarms] as const,
  },
})

/** The list, or with `?id=` one machine on the whole page. */
export default function Machines() {
  const id = useMachineId()
  return id === null ? <MachineList /> : <MachinePage id={id} />
}
