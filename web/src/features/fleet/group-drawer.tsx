import {
  editGroup,
  getGroup,
  type GroupDetail,
  groupFields,
  listGroups,
  removeGroup,
} from '@aisle/contract/fleet/group'
import { CommandButton } from '../../admin/CommandButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { RemoveButton } from '../../admin/RemoveButton'
import { type DrawerRow, RowDrawer } from '../../admin/RowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import { GroupMembers } from './group-members'
import './hospital.css'

/** Which machines are in the group, and what it is used for. */
export function GroupDrawer({ id }: DrawerRow) {
  const t = useText('fleet')
  const result = useEndpoint(getGroup, { id }, { errors: 'throw' })
  return (
    <RowDrawer result={result} title={({ name }) => name} actions={(group) => <GroupVerbs group={group} />}>
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

const names = ['name', 'remark', 'sort'] as const

function GroupVerbs({ group }: { group: GroupDetail }) {
  const t = useText('fleet')
  const { id, version, name, machineCount: machines, usedBy } = group
  const common = { t, target: { id }, vars: { name, machines } }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={editGroup}
        verb="editGroup"
        target={{ id, version }}
        fields={groupFields}
        names={names}
        initial={Object.fromEntries(names.map((each) => [each, group[each]]))}
        changes={[listGroups, getGroup]}
      />
      <RemoveButton
        {...common}
        endpoint={removeGroup}
        verb="removeGroup"
        isEnabled={usedBy === 0}
        changes={[listGroups]}
      />
    </>
  )
}
