import {
  approveWriteOff,
  listWriteOffs,
  refuseWriteOff,
  writeOffFields,
  writeOffState,
} from '@aisle/contract/stock/writeOff'
import { listPage } from '../../admin/listPage'

/** What was written off, and what waits for a second person. */
export const WriteOffList = listPage({
  screen: 'ypgl/ypqx',
  part: 'writeOffs',
  list: listWriteOffs,
  fields: writeOffFields,
  words: 'stock',
  columns: [
    'productName',
    'batch',
    'state',
    'quantity',
    'costFen',
    'why',
    'note',
    'placeName',
    'slotCode',
    'askedBy',
    'askedAt',
    'decidedBy',
    'decidedAt',
    'expiresOn',
    'machineCode',
    'productCode',
    'merchantName',
  ],
  hidden: ['expiresOn', 'machineCode', 'productCode', 'merchantName'],
  filters: ['q', 'state', 'why'],
  moreFilters: ['merchantId'],
  presets: [{ name: 'waiting', query: () => ({ state: 'waiting' }) }],
  sums: ({ costFen }) => ({ costFen }),
  batch: [
    { endpoint: approveWriteOff, verb: 'approveWriteOff', can: ({ state }) => writeOffState.can(state, 'approve') },
    {
      endpoint: refuseWriteOff,
      verb: 'refuseWriteOff',
      tone: 'danger',
      can: ({ state }) => writeOffState.can(state, 'refuse'),
    },
  ],
  live: { kinds: ['writeOff'], also: [] },
})
