import * as acquirers from '@aisle/contract/payment/acquirer'
import { getPaymentService, listPaymentServices, paymentServiceFields } from '@aisle/contract/payment/service'
import { listPage } from '../../admin/listPage'
import { record } from '../../admin/record'
import type { DrawerRow } from '../../admin/rowDrawer'
import { partsPage } from '../../shelf/partsPage'
import { ServiceDrawer } from './serviceDrawer'

const screen = 'xtgl/zffwgl'
const words = 'payment'

/** For the platform, when a provider is down or joins: what customers may pay with, and what each brings today. */
const Services = listPage({
  screen,
  part: 'services',
  list: listPaymentServices,
  fields: paymentServiceFields,
  words,
  columns: [
    'provider',
    'acquirer',
    'product',
    'state',
    'todayFen',
    'todayPaid',
    'todayAttempts',
    'waiting',
    'accounts',
    'interfaceType',
    'note',
    'changedBy',
    'changedAt',
  ],
  hidden: ['changedBy', 'changedAt'],
  filters: ['provider', 'product', 'state'],
  drawer: ServiceDrawer,
  live: { kinds: ['paymentService', 'paymentAccount', 'acquirer'], also: [getPaymentService] },
})

const named = record({
  of: acquirers.acquirer,
  list: acquirers.listAcquirers,
  get: acquirers.getAcquirer,
  add: acquirers.addAcquirer,
  edit: acquirers.editAcquirer,
  remove: acquirers.removeAcquirer,
  also: [listPaymentServices],
  isUnused: ({ numbers }) => numbers === 0,
})

/** Once in a while: a bank or aggregator joins that speaks a protocol which is built. */
const Named = listPage({
  screen,
  part: 'acquirers',
  ...named.page({
    columns: ['name', 'provider', 'interfaceType', 'numbers', 'remark'],
    sortable: { name: 'name' },
    filters: ['q', 'provider'],
    drawer: NamedDrawer,
  }),
})

function NamedDrawer({ id }: DrawerRow) {
  return (
    <named.Drawer id={id} tags={['provider']}>
      {(row) => <named.Known row={row} without={['name', 'provider']} />}
    </named.Drawer>
  )
}

export default partsPage({
  screen,
  words,
  parts: [
    { key: 'services', access: listPaymentServices.access, page: Services },
    { key: 'acquirers', access: acquirers.listAcquirers.access, page: Named },
  ],
})
