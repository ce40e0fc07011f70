import {
  careFields,
  careState,
  getCareTask,
  listCareTasks,
  signCare,
  summariseCare,
} from '@aisle/contract/medicine/care'
import { listPage } from '../../admin/listPage'
import { CareDrawer } from './careDrawer'
import { CareSheetButton } from './careSheet'
import { CareSummary } from './careSummary'

const hidden = [
  'machineCode',
  'specification',
  'storage',
  'keyReasons',
  'measures',
  'lowestC',
  'highestC',
  'lowestHumidity',
  'highestHumidity',
  'productCode',
  'merchantName',
] as const

/** For pharmacists, each morning: what to look at today, overdue first; for inspectors, the month's sheet. */
export default listPage({
  screen: 'ypgl/ypyh',
  list: listCareTasks,
  fields: careFields,
  words: 'medicine',
  columns: [
    'productName',
    'batch',
    'placeName',
    'state',
    'dueOn',
    'daysLeft',
    'kind',
    'quantity',
    'expiresOn',
    'result',
    'signedBy',
    'signedAt',
    ...hidden,
  ],
  hidden,
  sortable: { dueOn: 'due' },
  filters: ['find', 'state', 'month'],
  moreFilters: ['due', 'kind', 'result', 'machineCode', 'merchantId'],
  presets: [
    { name: 'careToday', query: () => ({ due: 'today' }) },
    { name: 'careMonth', query: (today) => ({ month: today.slice(0, 7) }) },
    { name: 'careMissed', query: () => ({ state: 'missed' }) },
  ],
  summary: CareSummary,
  actions: CareSheetButton,
  batch: [
    { endpoint: signCare, verb: 'signCare', fields: careFields, can: ({ state }) => careState.can(state, 'sign') },
  ],
  drawer: CareDrawer,
  live: { kinds: ['careRecord'], also: [getCareTask, summariseCare] as const },
})
