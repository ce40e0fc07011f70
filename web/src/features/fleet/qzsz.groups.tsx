import {
  addMachineGroup,
  editMachineGroup,
  getMachineGroup,
  listGroupMachines,
  listMachineGroups,
  machineGroup,
  removeMachineGroup,
} from '@aisle/contract/fleet/group'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { listPage } from '../../admin/listPage'
import { record } from '../../admin/record'
import { type DrawerRow, RowDrawer } from '../../admin/RowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import { GroupMembers } from './group-members'
import './hospital.css'

const groups = record({
  of: machineGroup,
  list: listMachineGroups,
  get: getMachineGroup,
  add: addMachineGroup,
  edit: editMachineGroup,
  remove: removeMachineGroup,
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
  live: { kinds: ['machineGroup', 'assortment'], also: [getMachineGroup, listGroupMachines] },
})

/** Which machines are in the group, and what it is used for. */
function GroupDrawer({ id }: DrawerRow) {
  const t = useText('fleet')
  const result = useEndpoint(getMachineGroup, { id }, { errors: 'throw' })
  return (
    <RowDrawer result={result} title={({ name }) => name} actions={(group) => <groups.Verbs row={group} />}>
      {(group) => (
        <div className="hospital-parts">
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
    </RowDrawer>
  )
}
