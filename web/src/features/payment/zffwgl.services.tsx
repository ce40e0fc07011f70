import { getPaymentService, listPaymentServices, paymentServiceFields } from '@aisle/contract/payment/service'
import { listPage } from '../../admin/listPage'
import { ServiceDrawer } from './serviceDrawer'

/** For the platform, when a provider is down or joins: what customers may pay with, and what each brings today. */
export default listPage({
  screen: 'xtgl/zffwgl',
  list: listPaymentServices,
  fields: paymentServiceFields,
  words: 'payment',
  columns: [
    'provider',
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
  live: { kinds: ['paymentService', 'paymentAccount'], also: [getPaymentService] },
})
