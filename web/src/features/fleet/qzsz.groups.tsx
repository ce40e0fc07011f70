import { addGroup, getGroup, groupFields, listGroupMachines, listGroups } from '@aisle/contract/fleet/group'
import { CommandButton } from '../../admin/CommandButton'
import { MerchantInput } from '../../admin/form/RefInput'
import { listPage } from '../../admin/listPage'
import { useText } from '../../ui/text'
import { GroupDrawer } from './group-drawer'

/** For operators, monthly: machines that are handled together, by a name that lists and batches know. */
export default listPage({
  screen: 'shj/qzsz',
  list: listGroups,
  fields: groupFields,
  words: 'fleet',
  columns: ['name', 'machineCount', 'usedBy', 'remark', 'sort', 'merchantName'],
  sortable: { name: 'name', machineCount: 'machines', sort: 'order' },
  filters: ['group', 'merchantId'],
  actions: AddGroup,
  drawer: GroupDrawer,
  live: { kinds: ['machineGroup', 'assortment'], also: [getGroup, listGroupMachines] },
})

function AddGroup() {
  const t = useText('fleet')
  return (
    <CommandButton
      endpoint={addGroup}
      verb="addGroup"
      t={t}
      tone="main"
      fields={groupFields}
      names={['merchantId', 'name', 'remark', 'sort']}
      inputs={{ merchantId: MerchantInput }}
      initial={{ sort: 0 }}
      changes={[listGroups]}
    />
  )
}
