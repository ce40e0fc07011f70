import { addAssortment, assortmentFields, getAssortment, listAssortments } from '@aisle/contract/fleet/assortment'
import { CommandButton } from '../../../admin/commandButton'
import { MerchantInput } from '../../../admin/form/refInput'
import { listPage } from '../../../admin/listPage'
import { useText } from '../../../ui/text'
import { AssortmentDrawer } from './assortmentDrawer'

/** For whoever buys and plans, monthly: what a machine or a group may sell, and what stands beside it now. */
export default listPage({
  screen: 'shj/jqxppz',
  list: listAssortments,
  fields: assortmentFields,
  words: 'fleet',
  columns: ['name', 'state', 'productCount', 'machineCount', 'groupCount', 'slotCount', 'remark', 'merchantName'],
  hidden: ['merchantName'],
  sortable: { name: 'name', machineCount: 'machines' },
  filters: ['assortment', 'state', 'merchantId'],
  actions: AddAssortment,
  drawer: AssortmentDrawer,
  live: { kinds: ['assortment', 'machineGroup'], also: [getAssortment] },
})

function AddAssortment() {
  const t = useText('fleet')
  return (
    <CommandButton
      endpoint={addAssortment}
      verb="addAssortment"
      t={t}
      tone="main"
      fields={assortmentFields}
      names={['merchantId', 'name', 'remark']}
      inputs={{ merchantId: MerchantInput }}
      changes={[listAssortments]}
    />
  )
}
