import {
  addOfficialAccount,
  getOfficialAccount,
  listOfficialAccounts,
  officialAccountFields,
} from '@aisle/contract/fleet/officialAccount'
import { CommandButton } from '../../../admin/commandButton'
import { MerchantInput } from '../../../admin/form/refInput'
import { listPage } from '../../../admin/listPage'
import { useText } from '../../../ui/text'
import { accountNames, OfficialAccountDrawer } from './accountDrawer'

/** For whoever runs the customer channels, a few times a year: which account the customers of which machine meet. */
export default listPage({
  screen: 'shj/jqgzhsz',
  list: listOfficialAccounts,
  fields: officialAccountFields,
  words: 'fleet',
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
  sortable: { name: 'name', machineCount: 'machines' },
  filters: ['officialAccount', 'platform', 'state'],
  moreFilters: ['merchantId'],
  actions: AddAccount,
  drawer: OfficialAccountDrawer,
  live: { kinds: ['officialAccount'], also: [getOfficialAccount] },
})

function AddAccount() {
  const t = useText('fleet')
  return (
    <CommandButton
      endpoint={addOfficialAccount}
      verb="addOfficialAccount"
      t={t}
      tone="main"
      fields={officialAccountFields}
      names={['merchantId', 'platform', 'appId', ...accountNames]}
      inputs={{ merchantId: MerchantInput }}
      initial={{ mustFollow: false }}
      changes={[listOfficialAccounts]}
    />
  )
}
