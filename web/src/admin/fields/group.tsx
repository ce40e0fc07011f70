import { listMachineGroups } from '@aisle/contract/fleet/group'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { ChoiceInput } from '../../ui/control/filters'
import { useText } from '../../ui/text'

/** Of the machines in a list, those of one group; nothing to choose where there is no group, or no right to see any. */
export function GroupChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const kit = useText('admin')
  const isOpen = can(listMachineGroups.access)
  const { data } = useEndpoint(listMachineGroups, {}, { errors: 'silent', staleTime: 60_000, enabled: isOpen })
  const groups = data?.items ?? []
  if (groups.length === 0) return null
  return (
    <ChoiceInput
      label={kit('filter.group')}
      value={value}
      all={kit('filter.all')}
      options={groups.map(({ id, name }) => ({ value: String(id), word: name }))}
      onChange={onChange}
    />
  )
}
