import { getRemoteShip, listRemoteShips, remoteShipFields } from '@aisle/contract/device/remoteShip'
import { listPage } from '../../admin/listPage'
import { RemoteShipButton } from './remoteShipDialog'
import { RemoteShipDrawer } from './remoteShipDrawer'

/** For service and operators, a few times a day: what was let out for whom, and whether it came out. */
export default listPage({
  screen: 'jygl/ycchjl',
  list: listRemoteShips,
  fields: remoteShipFields,
  words: 'device',
  columns: [
    'createdAt',
    'machineCode',
    'slotCode',
    'productName',
    'state',
    'kind',
    'orderNo',
    'reason',
    'createdBy',
    'costFen',
    'customer',
    'machineName',
    'receivedAt',
    'finishedAt',
  ],
  hidden: ['customer', 'machineName', 'receivedAt', 'finishedAt'],
  filters: ['machineCode', 'state', 'orderNo'],
  moreFilters: ['kind', 'createdBy', 'period'],
  presets: [
    { name: 'unknown', query: () => ({ state: 'unknown' }) },
    { name: 'free', query: () => ({ kind: 'free', state: 'dispensed' }) },
  ],
  sums: ({ costFen }) => ({ freeCostFen: costFen }),
  actions: RemoteShipButton,
  drawer: RemoteShipDrawer,
  live: { topic: 'commands', also: [getRemoteShip] as const },
})
