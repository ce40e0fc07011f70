import { getBatch, listBatches } from '@aisle/contract/pickup/batch'
import {
  cancelPickupCode,
  codeFields,
  getPickupCode,
  listPickupCodes,
  logOutPickupCode,
  summarisePickupCodes,
} from '@aisle/contract/pickup/pickupCode'
import { pickupCodeState } from '@aisle/contract/pickup/states'
import { listPage } from '../../admin/listPage'
import { pickFilter } from '../../shelf/pickFilters'
import { CodeDrawer } from './codeDrawer'
import { CodeSummary } from './codeSummary'
import { MakeCodes } from './makeCodes'

const BatchFilter = pickFilter({
  list: listBatches,
  optionOf: ({ id, description, goods, count }) => ({
    value: id,
    word: description || goods,
    note: `#${id} · ${count}`,
  }),
  get: getBatch,
  wordOf: ({ id, description, goods }) => `${description || goods} #${id}`,
})

/** Codes by their last characters: what each gives, what it gave, and until when. */
export const CodeList = listPage({
  screen: 'jygl/qhmgl',
  list: listPickupCodes,
  fields: codeFields,
  words: 'pickup',
  columns: [
    'tail',
    'state',
    'goods',
    'offlineGoods',
    'shipped',
    'pieces',
    'expiresAt',
    'description',
    'merchantName',
    'createdAt',
    'batchId',
    'serial',
    'content',
    'createdByName',
    'endedAt',
  ],
  hidden: ['batchId', 'serial', 'content', 'createdByName', 'endedAt'],
  sortable: { expiresAt: 'expiry', createdAt: 'newest' },
  filters: ['tail', 'state', 'description'],
  moreFilters: ['merchantId', 'period', 'machineCode', 'product', 'batchId'],
  filterInputs: { batchId: BatchFilter },
  summary: CodeSummary,
  sums: ({ valueFen, leftFen }) => ({ valueFen, leftFen }),
  actions: MakeCodes,
  batch: [
    {
      endpoint: cancelPickupCode,
      verb: 'cancelPickupCode',
      tone: 'danger',
      can: ({ state }) => pickupCodeState.can(state, 'cancel'),
    },
    {
      endpoint: logOutPickupCode,
      verb: 'logOutPickupCode',
      tone: 'danger',
      can: ({ state }) => pickupCodeState.can(state, 'logOut'),
    },
  ],
  drawer: CodeDrawer,
  live: { kinds: ['pickupCode', 'pickupBatch'], also: [getPickupCode, getBatch, summarisePickupCodes] },
})
