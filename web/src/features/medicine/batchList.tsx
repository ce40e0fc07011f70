import { batchFields, getBatch, listBatches, listBatchPlaces, summariseBatches } from '@aisle/contract/medicine/batch'
import { listPage } from '../../admin/listPage'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { BatchDrawer } from './batchDrawer'
import { MakeBatch } from './batchVerbs'

const figures = [
  { name: 'expired', tone: 'bad', query: { state: 'expired', stock: 'some' } },
  { name: 'month', tone: 'warn', query: { state: 'available', due: 'month', stock: 'some' } },
  { name: 'locked', tone: 'warn', query: { state: 'locked', stock: 'some' } },
  { name: 'recalled', tone: 'bad', query: { state: 'recalled', stock: 'some' } },
] as const

function BatchSummary({ address }: { address: ListAddress }) {
  const t = useText('medicine')
  const { data } = useEndpoint(summariseBatches, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('summary')}
      address={address}
      figures={figures.map((figure) => ({ ...figure, word: t(`summary.${figure.name}`), count: data?.[figure.name] }))}
    />
  )
}

/** What ends first and is still somewhere stands first. */
export const BatchList = listPage({
  screen: 'ypgl/yppc',
  part: 'batches',
  list: listBatches,
  fields: batchFields,
  words: 'medicine',
  columns: [
    'number',
    'productName',
    'shown',
    'expiresOn',
    'daysLeft',
    'inSlots',
    'machineCount',
    'inWarehouses',
    'withReplenishers',
    'specification',
    'manufacturer',
    'productCode',
    'producedOn',
    'merchantName',
    'reason',
    'changedAt',
  ],
  hidden: ['manufacturer', 'producedOn', 'merchantName', 'reason', 'changedAt'],
  sortable: { expiresOn: 'expiry', changedAt: 'newest' },
  filters: ['q', 'state', 'due'],
  moreFilters: ['stock', 'productCode', 'merchantId'],
  presets: [
    { name: 'expired', query: () => ({ state: 'expired', stock: 'some' }) },
    { name: 'soon', query: () => ({ state: 'available', due: 'quarter', stock: 'some' }) },
  ],
  summary: BatchSummary,
  actions: MakeBatch,
  drawer: BatchDrawer,
  live: { kinds: ['medicineBatch', 'recall'], also: [getBatch, listBatchPlaces, summariseBatches] as const },
})
