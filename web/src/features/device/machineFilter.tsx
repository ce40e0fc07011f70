import { type MachineFilter } from '@aisle/contract/device/batch'
import { listVersions } from '@aisle/contract/device/software'
import { machineCategories } from '@aisle/contract/fleet/machine'
import { connections } from '@aisle/contract/fleet/states'
import { GroupFilter } from '../../shelf/pickFilters'
import { useEndpoint } from '../../live/query'
import { ChoiceInput, SearchInput } from '../../ui/control/filters'
import { useText } from '../../ui/text'
import listStyles from '../../admin/list.module.css'

/** Which machines: all in sight that fit every condition. */
export function MachineFilterFields(props: { filter: MachineFilter; onChange: (filter: MachineFilter) => void }) {
  const { filter, onChange } = props
  const t = useText('device')
  const fleet = useText('fleet')
  const kit = useText('admin')
  const versions = useEndpoint(listVersions, {}, { errors: 'silent', staleTime: 60_000 }).data?.items ?? []
  const set = (name: keyof MachineFilter) => (value: string) => {
    const { [name]: _before, ...others } = filter
    onChange((value ? { ...others, [name]: name === 'groupId' ? Number(value) : value } : others) as MachineFilter)
  }
  return (
    <div className={listStyles.filters} role="search" aria-label={t('many.which')}>
      <SearchInput label={t('field.q')} value={filter.q ?? ''} onChange={set('q')} />
      <ChoiceInput
        label={t('field.category')}
        value={filter.category ?? ''}
        all={kit('filter.all')}
        options={machineCategories.map((value) => ({ value, word: fleet(`category.${value}`) }))}
        onChange={set('category')}
      />
      <ChoiceInput
        label={t('field.connection')}
        value={filter.connection ?? ''}
        all={kit('filter.all')}
        options={connections.map((value) => ({ value, word: t(`connection.${value}`) }))}
        onChange={set('connection')}
      />
      <GroupFilter
        name="groupId"
        query={{ groupId: String(filter.groupId ?? '') }}
        change={({ groupId }) => set('groupId')(groupId ?? '')}
        t={fleet}
      />
      <SearchInput label={t('field.province')} value={filter.province ?? ''} onChange={set('province')} />
      <ChoiceInput
        label={t('field.appVersion')}
        value={filter.appVersion ?? ''}
        all={kit('filter.all')}
        options={versions.flatMap(({ version }) => (version ? [{ value: version, word: version }] : []))}
        onChange={set('appVersion')}
      />
    </div>
  )
}
