import { expiryFields, listExpiring, lockExpiring, summariseExpiry } from '@aisle/contract/medicine/expiry'
import { pullBatches } from '@aisle/contract/maintenance/pull'
import { markDownBatches } from '@aisle/contract/promotion/markdown'
import { writeOffBatches } from '@aisle/contract/stock/writeOff'
import { listPage } from '../../admin/listPage'
import { ScansInput } from '../../shelf/scansInput'
import { WriteOffCost } from './expiryCost'
import { ExpirySummary } from './expirySummary'
import { expiryVerbFields } from './expiryVerbs'

/** For pharmacists, first thing each morning: what has expired, what soon will, and what to do about it. */
export default listPage({
  screen: 'ypgl/ypqx',
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
      inputs: { pictures: ScansInput },
      preview: WriteOffCost,
    },
  ],
  live: {
    kinds: ['batch', 'markdown', 'repairOrder', 'writeOff'],
    also: [summariseExpiry] as const,
  },
})
