import {
  getTrace,
  listTraces,
  listUncoded,
  summariseTraces,
  traceFields,
  uncodedFields,
} from '@aisle/contract/medicine/trace'
import { listPage } from '../../../admin/listPage'
import { type DrawerRow, RowDrawer } from '../../../admin/rowDrawer'
import { Tally } from '../../../shelf/tally'
import type { ListAddress } from '../../../admin/useAddress'
import { useEndpoint } from '../../../live/query'
import { useText } from '../../../ui/text'
import { TraceStory, TraceTags } from './traceStory'
import { TraceVerbs } from './traceVerbs'

/** For whoever receives and loads goods, daily: which codes there are, and which nobody can explain. */
export const TraceList = listPage({
  screen: 'ypgl/yplb',
  part: 'traces',
  list: listTraces,
  fields: traceFields,
  words: 'medicine',
  columns: [
    'trace',
    'state',
    'productName',
    'batch',
    'machineCode',
    'slotCode',
    'orderNo',
    'soldAgain',
    'changedAt',
    'level',
    'scheme',
    'holder',
    'merchantName',
    'productCode',
    'addedAt',
  ],
  hidden: ['level', 'scheme', 'holder', 'productCode', 'addedAt'],
  filters: ['trace', 'state', 'batch'],
  moreFilters: ['productCode', 'machineCode', 'scheme', 'twice', 'merchantId'],
  summary: TraceTally,
  actions: TraceVerbs,
  drawer: TraceDrawer,
  live: { kinds: ['traceCode'], also: [getTrace, summariseTraces] },
})

const figures = [
  { name: 'in_stock', tone: 'good', query: { state: 'in_stock' } },
  { name: 'sold', tone: 'idle', query: { state: 'sold' } },
  { name: 'returned', tone: 'warn', query: { state: 'returned' } },
  { name: 'withdrawn', tone: 'warn', query: { state: 'withdrawn' } },
  { name: 'unaccounted', tone: 'bad', query: { state: 'unaccounted' } },
  { name: 'unknown', tone: 'warn', query: { state: 'unknown' } },
  { name: 'twice', tone: 'bad', query: { twice: 'yes' } },
] as const

function TraceTally({ address }: { address: ListAddress }) {
  const t = useText('medicine')
  const { data } = useEndpoint(summariseTraces, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('trace.summary')}
      address={address}
      figures={figures.map((figure) => ({
        ...figure,
        word: figure.name === 'twice' ? t('trace.summary.twice') : t(`traceState.${figure.name}`),
        count: data?.[figure.name],
      }))}
    />
  )
}

function TraceDrawer({ id }: DrawerRow) {
  const result = useEndpoint(getTrace, { id }, { errors: 'throw' })
  return (
    <RowDrawer result={result} title={({ trace }) => trace} head={(trace) => <TraceTags trace={trace} />}>
      {(trace) => <TraceStory trace={trace} />}
    </RowDrawer>
  )
}

/** For whoever answers for the codes, weekly: where packs stand whose codes nobody has scanned. */
export const UncodedList = listPage({
  screen: 'ypgl/yplb',
  part: 'uncoded',
  list: listUncoded,
  fields: uncodedFields,
  words: 'medicine',
  columns: [
    'productName',
    'machineCode',
    'slotCode',
    'missing',
    'pieces',
    'codes',
    'machineName',
    'merchantName',
    'productCode',
  ],
  hidden: ['productCode'],
  filters: ['productCode', 'machineCode', 'merchantId'],
  live: { topic: 'orders', also: [] },
})
