import { listCategoryChoices } from '@aisle/contract/catalog/category'
import { can } from '../../live/session'
import { useEndpoint } from '../../live/query'
import { ChoiceInput } from '../../ui/control/filters'
import { useText } from '../../ui/text'
import { indented } from './indented'

const trees = { categoryId: ['goods', 'medicine'], conditionId: ['condition'] } as const

/** The trees that products are sorted into, a level an indent; a branch stands for all below it. */
export function CategoryChoice(props: {
  name: keyof typeof trees
  label: string
  value: string
  onChange: (value: string) => void
}) {
  const { name, label, value, onChange } = props
  const kit = useText('admin')
  const isOpen = can(listCategoryChoices.access)
  const { data } = useEndpoint(listCategoryChoices, {}, { errors: 'silent', staleTime: 60_000, enabled: isOpen })
  const branches = (data?.items ?? []).filter(({ tree }) => (trees[name] as readonly string[]).includes(tree))
  if (branches.length === 0) return null
  return (
    <ChoiceInput
      label={label}
      value={value}
      all={kit('filter.all')}
      options={indented(branches).map(({ id, name: word }) => ({ value: String(id), word }))}
      onChange={onChange}
    />
  )
}
