import * as contract from '@aisle/contract/fleet/group'
import { countText } from '../../../admin/fields/number'
import { ScreenLink } from '../../../admin/fields/ref'
import { listPage } from '../../../admin/listPage'
import { record } from '../../../admin/record'
import type { DrawerRow } from '../../../admin/rowDrawer'
import { Facts } from '../../../ui/facts'
import { useText } from '../../../ui/text'
import { GroupMembers } from './groupMembers'
import styles from '../place/hospital.module.css'

const groups = record({
  of: contract.machineGroup,
  list: contract.listMachineGroups,
  get: contract.getMachineGroup,
  add: contract.addMachineGroup,
  edit: contract.editMachineGroup,
  remove: contract.removeMachineGroup,
  isUnused: ({ usedBy }) => usedBy === 0,
})

/** For operators, monthly: machines that are handled together, by a name that lists and batches know. */
export default listPage({
  screen: 'shj/qzsz',
  ...groups.page({
    columns: ['name', 'machineCount', 'usedBy', 'remark', 'sort', 'merchantName'],
    sortable: { machineCount: 'machines', sort: 'order' },
    filters: ['group', 'merchantId'],
    drawer: GroupDrawer,
  }),
  live: { kinds: ['machineGroup', 'assortment'], also: [contract.getMachineGroup, contract.listGroupMachines] },
})

/** Which machines are in the group, and what it is used for. */
function GroupDrawer({ id }: DrawerRow) {
  const t = useText('fleet')
  return (
    <groups.Drawer id={id}>
      {(group) => (
        <div className={styles.parts}>
          <Facts
            facts={[
              { label: t('field.merchantName'), value: group.merchantName },
              { label: t('field.remark'), value: group.remark },
              {
                label: t('field.machineCount'),
                value: (
                  <ScreenLink screen="shj/wdshj" search={{ groupId: String(group.id) }}>
                    {countText(group.machineCount)}
                  </ScreenLink>
                ),
              },
              { label: t('field.usedBy'), value: group.uses.length > 0 ? group.uses.join(' · ') : t('group.unused') },
            ]}
          />
          <GroupMembers group={group} />
        </div>
      )}
    </groups.Drawer>
  )
}
