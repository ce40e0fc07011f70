import { listCategoryChoices } from '@aisle/contract/catalog/category'
import { indented } from '../admin/fields/indented'
import type { FilterProps } from '../admin/fields/filter'
import { useEndpoint } from '../live/query'
import { can } from '../live/session'
import { ChoiceInput } from '../ui/control/filters'
import { useText } from '../ui/text'

/** The trees that products are sorted into, a level an indent; a branch stands for all below it. */
const treeFilter = (...trees: readonly string[]) =>
  function TreeFilter({ name, query, change, t }: FilterProps) {
    const kit = useText('admin')
    const isOpen = can(listCategoryChoices.access)
    const { data } = useEndpoint(listCategoryChoices, {}, { errors: 'silent', staleTime: 60_000, enabled: isOpen })
    const branches = (data?.items ?? []).filter(({ tree }) => trees.includes(tree))
    if (branches.length === 0) return null
    return (
      <ChoiceInput
        label={t.any(`field.${name}`)}
        value={query[name] ?? ''}
        all={kit('filter.all')}
        options={indented(branches).map(({ id, name: word }) => ({ value: String(id), word }))}
        onChange={(value) => change({ [name]: value })}
      />
    )
  }

export const CategoryFilter = treeFilter('goods', 'medicine')
export const ConditionFilter = treeFilter('condition')
