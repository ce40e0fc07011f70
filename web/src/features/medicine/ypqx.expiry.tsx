import { expiryFields, listExpiring, lockExpiring, summariseExpiry } from '@aisle/contract/medicine/expiry'
import { pullBatches } from '@aisle/contract/maintenance/pull'
import { markDownBatches } from '@aisle/contract/promotion/markdown'
import { listWriteOffs, writeOffBatches } from '@aisle/contract/stock/writeOff'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../admin/partsPage'
import { WriteOffCost } from './expiryCost'
import { ExpirySummary } from './expirySummary'
import { expiryVerbFields } from './expiryVerbs'
import { WriteOffList } from './writeOffs'

/** For pharmacists, first thing each morning: what has expired, what soon will, and what to do about it. */
const list = listPage({
  screen: 'ypgl/ypqx',
  part: 'expiry',
  list: listExpiring,
  fields: expiryFields,
  words: 'medicine',
  columns: [
    'productName',
    'batch',
    'expiresOn',
    'daysLeft',
    'standing',
    'stop',
    'placeName',
    'slotCode',
    'quantity',
    'valueFen',
    'trapped',
    'trappedFen',
    'isPulled',
    'machineCode',
    'costFen',
    'storage',
    'specification',
    'productCode',
    'isBlocking',
    'merchantName',
  ],
  hidden: ['machineCode', 'costFen', 'storage', 'specification', 'productCode', 'isBlocking', 'merchantName'],
  sortable: { expiresOn: 'expiry', valueFen: 'money' },
  filters: ['find', 'standing', 'within'],
  moreFilters: ['blocking', 'storage', 'machineCode', 'merchantId'],
  presets: [
    { name: 'expired', query: () => ({ standing: 'expired' }) },
    { name: 'month', query: () => ({ within: '30' }) },
    { name: 'blocking', query: () => ({ blocking: 'yes' }) },
  ],
  summary: ExpirySummary,
  sums: ({ valueFen, costFen }) => ({ valueFen, costFen }),
  batch: [
    { endpoint: lockExpiring, verb: 'lockExpiring', tone: 'danger', can: ({ stop }) => stop === null },
    { endpoint: markDownBatches, verb: 'markDownBatches', fields: expiryVerbFields },
    { endpoint: pullBatches, verb: 'pullBatches', fields: expiryVerbFields, can: ({ isPulled }) => !isPulled },
    {
      endpoint: writeOffBatches,
      verb: 'writeOffBatches',
      tone: 'danger',
      fields: expiryVerbFields,
      preview: WriteOffCost,
    },
  ],
  live: {
    kinds: ['batch', 'markdown', 'repairOrder', 'writeOff'],
    also: [summariseExpiry] as const,
  },
})

export default partsPage({
  screen: 'ypgl/ypqx',
  words: 'medicine',
  parts: [
    { key: 'expiry', access: listExpiring.access, page: list },
    { key: 'writeOffs', access: listWriteOffs.access, page: WriteOffList },
  ],
})
