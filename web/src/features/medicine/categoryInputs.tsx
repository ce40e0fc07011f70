import { type CategoryTree, listTree } from '@aisle/contract/catalog/category'
import type { ComponentType } from 'react'
import { controlProps, type InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import formStyles from '../../admin/form/form.module.css'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

type Option = { id: number; word: string }

/** The branches of a tree, each told by the way down to it. */
function useBranches(tree: CategoryTree): Option[] {
  const found = useEndpoint(listTree, { tree }, { errors: 'silent', staleTime: 30_000 }).data?.items ?? []
  const byId = new Map(found.map((each) => [each.id, each]))
  const wayTo = (id: number): string => {
    const one = byId.get(id)
    if (!one) return ''
    return one.parentId === null ? one.name : `${wayTo(one.parentId)} / ${one.name}`
  }
  return found.map(({ id }) => ({ id, word: wayTo(id) }))
}

export function categoryInput(tree: CategoryTree): ComponentType<InputProps> {
  return function CategoryInput(props: InputProps) {
    const { value, onChange } = props
    const kit = useText('admin')
    const chosen = typeof value === 'number' ? String(value) : ''
    return (
      <select
        {...controlProps(props)}
        value={chosen}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      >
        <option value="">{kit('form.none')}</option>
        {useBranches(tree).map(({ id, word }) => (
          <option key={id} value={id}>
            {word}
          </option>
        ))}
      </select>
    )
  }
}

export const ConditionsInput = groupInput(function ConditionsInput(props: InputProps) {
  const { id, value, onChange, onBlur, isLocked, describedBy } = props
  const kit = useText('admin')
  const options = useBranches('condition')
  const chosen = Array.isArray(value) ? (value as number[]) : []
  return (
    <div id={id} className={formStyles.inputChoices} onBlur={onBlur}>
      {options.length === 0 && <span className="quiet">{kit('form.none')}</span>}
      {options.map((option) => (
        <label key={option.id}>
          <input
            type="checkbox"
            checked={chosen.includes(option.id)}
            disabled={isLocked}
            aria-describedby={describedBy}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, option.id] : chosen.filter((each) => each !== option.id))
            }
          />
          {option.word}
        </label>
      ))}
    </div>
  )
})
