import { type CategoryTree, listCategoryChoices } from '@aisle/contract/catalog/category'
import { listDictionaryOptions } from '@aisle/contract/system/dictionary'
import { createContext, use } from 'react'
import { indented } from '../../admin/fields/indented'
import { controlProps, type InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import formStyles from '../../admin/form/form.module.css'
import { useEndpoint } from '../../live/query'
import { Tree } from '../../ui/control/tree'
import { useText } from '../../ui/text'

/** The merchant of a form that does not hold it, since it never changes. */
export const OwnerContext = createContext<number | undefined>(undefined)

function useOwner({ values }: InputProps): number | undefined {
  const owner = use(OwnerContext)
  return owner ?? (typeof values.merchantId === 'number' ? values.merchantId : undefined)
}

const stale = { errors: 'silent', staleTime: 30_000 } as const

function useBranches(owner: number | undefined, trees: readonly CategoryTree[]) {
  const asked = owner === undefined ? {} : { merchantId: owner }
  const { data } = useEndpoint(listCategoryChoices, asked, stale)
  return (data?.items ?? []).filter(({ tree }) => trees.includes(tree))
}

/** One of the goods' or the medicines' tree, of its merchant or one above. */
export function CategoryInput(props: InputProps) {
  const kit = useText('admin')
  const t = useText('catalog')
  const branches = useBranches(useOwner(props), ['goods', 'medicine'])
  const groups = (['goods', 'medicine'] as const).map((tree) => ({
    tree,
    options: indented(branches.filter((each) => each.tree === tree)),
  }))
  return (
    <select
      {...controlProps(props)}
      value={typeof props.value === 'number' ? props.value : ''}
      onChange={({ target }) => props.onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="">{kit('form.none')}</option>
      {groups.map(({ tree, options }) => (
        <optgroup key={tree} label={t(`tree.${tree}`)}>
          {options.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

/** Several, as a tree: what is ticked is shown under it on a machine. */
export const ConditionsInput = groupInput(function ConditionsInput(props: InputProps) {
  const t = useText('catalog')
  const branches = useBranches(useOwner(props), ['condition'])
  const chosen = Array.isArray(props.value) ? props.value.map(Number) : []
  if (branches.length === 0) return <span className="quiet">{t('product.noConditions')}</span>
  return (
    <Tree
      label={props.label}
      mode="multi"
      nodes={branches}
      open={branches.map(({ id }) => id)}
      selected={new Set(chosen)}
      onSelect={(ids) => props.onChange([...ids])}
    />
  )
})

function useOptions(type: 'productUnit' | 'productTag', owner: number | undefined) {
  const asked = owner === undefined ? { type } : { type, merchantId: owner }
  return useEndpoint(listDictionaryOptions, asked, stale).data?.items ?? []
}

/** The words of the dictionary are offered; another one may be typed, since units are what the trade makes of them. */
export function UnitInput(props: InputProps) {
  const options = useOptions('productUnit', useOwner(props))
  const list = `${props.id}-units`
  return (
    <>
      <input
        {...controlProps(props)}
        type="text"
        list={list}
        maxLength={20}
        autoComplete="off"
        value={typeof props.value === 'string' ? props.value : ''}
        onChange={({ target }) => props.onChange(target.value)}
      />
      <datalist id={list}>
        {options.map(({ code, word }) => (
          <option key={code} value={word} />
        ))}
      </datalist>
    </>
  )
}

/** A tag that is offered no more still reads as it is, and can be taken off. */
export const TagsInput = groupInput(function TagsInput(props: InputProps) {
  const t = useText('catalog')
  const known = useOptions('productTag', useOwner(props))
  const chosen = Array.isArray(props.value) ? props.value.map(String) : []
  const gone = chosen.filter((code) => !known.some((each) => each.code === code))
  const options = [...known, ...gone.map((code) => ({ code, word: code }))]
  return (
    <div id={props.id} className={formStyles.inputChoices} onBlur={props.onBlur}>
      {options.length === 0 && <span className="quiet">{t('product.noTags')}</span>}
      {options.map(({ code, word }) => (
        <label key={code}>
          <input
            type="checkbox"
            checked={chosen.includes(code)}
            disabled={props.isLocked}
            onChange={({ target }) =>
              props.onChange(target.checked ? [...chosen, code] : chosen.filter((each) => each !== code))
            }
          />
          {word}
        </label>
      ))}
    </div>
  )
})

/** The words of tags, where they are shown. */
export function TagWords({ codes, merchantId }: { codes: readonly string[]; merchantId: number }) {
  const known = useOptions('productTag', merchantId)
  return codes.map((code) => known.find((each) => each.code === code)?.word ?? code).join(' · ')
}
