import { getMerchant, listMerchantTree, merchantFields } from '@aisle/contract/merchant/merchant'
import { listPage } from '../../admin/listPage'
import { MerchantDrawer } from './merchantDrawer'
import { CreateMerchant } from './merchantVerbs'

/** For administrators, weekly: who works below whom, with how many machines and people, and who is stopped. */
export default listPage({
  screen: 'shgl/wdsh',
  list: listMerchantTree,
  fields: merchantFields,
  words: 'merchant',
  columns: [
    'way',
    'code',
    'type',
    'state',
    'machineCount',
    'userCount',
    'contact',
    'phone',
    'childCount',
    'servicePhone',
    'createdAt',
  ],
  hidden: ['childCount', 'servicePhone', 'createdAt'],
  sortable: { way: 'tree', createdAt: 'newest' },
  filters: ['q', 'state', 'type'],
  moreFilters: ['merchantId'],
  actions: CreateMerchant,
  drawer: MerchantDrawer,
  live: { kinds: ['merchant', 'user'], also: [getMerchant] },
})
