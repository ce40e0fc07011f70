import * as contract from '@aisle/contract/stock/outbound'
import { ScreenLink } from '../../admin/fields/ref'
import { listPage } from '../../admin/listPage'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { OutboundDrawer } from './outboundDrawer'
import { AddOutbound } from './outboundVerbs'

export const OutboundList = listPage({
  screen: 'jxcgl/chd',
  part: 'outbound',
  list: contract.listOutboundOrders,
  fields: contract.outboundFields,
  words: 'stock',
  columns: [
    'no',
    'state',
    'replenisherName',
    'warehouseName',
    'wanted',
    'picked',
    'returned',
    'maker',
    'madeAt',
    'loadedAt',
    'lineCount',
    'picker',
    'pickedAt',
    'loader',
    'ender',
    'endedAt',
    'note',
    'merchantName',
  ],
  hidden: ['lineCount', 'picker', 'pickedAt', 'loader', 'ender', 'endedAt', 'note', 'merchantName'],
  filters: ['q', 'state'],
  moreFilters: ['merchantId'],
  summary: Summary,
  actions: Actions,
  drawer: OutboundDrawer,
  live: { kinds: ['outboundOrder'], also: [contract.getOutboundOrder, contract.summariseOutboundOrders] },
})

const figures = [
  { name: 'draft', tone: 'warn' },
  { name: 'picked', tone: 'warn' },
  { name: 'loaded', tone: 'idle' },
] as const

/** Each figure is a filter. */
function Summary({ address }: { address: ListAddress }) {
  const t = useText('stock')
  const { data } = useEndpoint(contract.summariseOutboundOrders, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('outbound.summary')}
      address={address}
      figures={figures.map(({ name, tone }) => ({
        name,
        tone,
        word: t(`outbound.summary.${name}`),
        count: data?.[name],
        query: { state: name },
      }))}
    />
  )
}

/** Between warehouses goods go by transfer. */
function Actions() {
  const t = useText('stock')
  return (
    <>
      <ScreenLink screen="jxcgl/ccgl" search={{ part: 'transfers' }}>
        {t('outbound.toTransfers')}
      </ScreenLink>
      <AddOutbound />
    </>
  )
}

export const CarriedList = listPage({
  screen: 'jxcgl/chd',
  part: 'carried',
  list: contract.listCarriedGoods,
  fields: contract.carriedFields,
  words: 'stock',
  columns: [
    'replenisherName',
    'productName',
    'batch',
    'expiresOn',
    'quantity',
    'valueFen',
    'specification',
    'productCode',
    'merchantName',
  ],
  hidden: ['specification', 'productCode', 'merchantName'],
  filters: ['q'],
  moreFilters: ['merchantId'],
  sums: ({ quantity, valueFen }) => ({ quantity, valueFen }),
  live: { kinds: ['outboundOrder'], also: [] },
})
