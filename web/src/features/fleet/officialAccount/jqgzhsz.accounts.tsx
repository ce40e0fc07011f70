import { listPage } from '../../../admin/listPage'
import { accounts, OfficialAccountDrawer } from './accountDrawer'

/** For whoever runs the customer channels, a few times a year: which account the customers of which machine meet. */
export default listPage({
  screen: 'shj/jqgzhsz',
  ...accounts.page({
    columns: [
      'name',
      'platform',
      'state',
      'machineCount',
      'mustFollow',
      'templateCount',
      'appId',
      'hasSecret',
      'merchantName',
    ],
    sortable: { machineCount: 'machines' },
    filters: ['officialAccount', 'platform', 'state'],
    moreFilters: ['merchantId'],
    drawer: OfficialAccountDrawer,
  }),
})
