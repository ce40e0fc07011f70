import * as contract from '@aisle/contract/catalog/category'
import { createContext, use } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { indented } from '../../admin/fields/indented'
import type { InputProps } from '../../admin/form/input'
import { controlProps } from '../../admin/form/input'
import { MerchantInput } from '../../admin/form/refInput'
import { refetch, useCommand } from '../../live/query'
import { currentSession } from '../../live/session'
import { indexOf } from '../../ui/control/tree.rules'
import { type Step, stepTo } from '../../ui/control/treeMove.rules'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { placesFor } from './category.rules'
import styles from './categories.module.css'

type Branches = { items: readonly contract.Branch[]; branch: contract.Branch }
const MovedContext = createContext<Branches | null>(null)
const { fields } = contract.category
const changes = [contract.listTree]

/** At the root of a merchant's tree. */
export function AddCategory({ tree, merchantId }: { tree: contract.CategoryTree; merchantId: number | undefined }) {
  const t = useText('catalog')
  return (
    <CommandButton
      endpoint={contract.addCategory}
      verb="addCategory"
      t={t}
      tone="main"
      target={{ tree, parentId: null }}
      inputs={{ merchantId: MerchantInput }}
      fields={fields}
      initial={{ merchantId: merchantId ?? currentSession()?.info?.merchant.id }}
      changes={changes}
    />
  )
}

export function CategoryVerbs(props: Branches & { tree: contract.CategoryTree; onRemoved: () => void }) {
  const { branch, items, tree, onRemoved } = props
  const t = useText('catalog')
  const { id, version, name, picture, remark, merchantId, parentId, productCount: products } = branch
  const children = items.filter((each) => each.parentId === id).length
  const common = { t, fields, vars: { name, children, products }, changes }
  const removed = () => {
    toast('good', t('verb.removeCategory.done', { name }))
    onRemoved()
  }
  return (
    <MovedContext value={{ items, branch }}>
      <CommandButton
        {...common}
        endpoint={contract.addCategory}
        verb="addCategoryBelow"
        target={{ tree, merchantId, parentId: id }}
        isEnabled={depthOf(items, branch) < contract.DEEPEST}
      />
      <CommandButton
        {...common}
        endpoint={contract.editCategory}
        verb="editCategory"
        target={{ id, version }}
        initial={{ name, picture, remark }}
      />
      <CommandButton
        {...common}
        endpoint={contract.moveCategory}
        verb="moveCategory"
        target={{ id, before: null }}
        inputs={{ parentId: PlaceInput }}
        initial={{ parentId }}
      />
      <CommandButton
        {...common}
        endpoint={contract.removeCategory}
        verb="removeCategory"
        target={{ id }}
        tone="danger"
        isEnabled={children + products === 0}
        onDone={removed}
      />
      <Steps items={items} branch={branch} />
    </MovedContext>
  )
}

function depthOf(items: readonly contract.Branch[], { parentId }: contract.Branch): number {
  const parent = items.find(({ id }) => id === parentId)
  return parent ? 1 + depthOf(items, parent) : 1
}

const steps = ['up', 'down'] as const satisfies readonly Step[]

/** For fingers and for who drags nothing. */
function Steps({ items, branch }: Branches) {
  const t = useText('catalog')
  const { mutate, isPending } = useCommand(contract.moveCategory, { onSuccess: () => refetch(...changes) })
  const index = indexOf(items)
  return steps.map((step) => {
    const place = stepTo(index, branch.id, step)
    return (
      <button
        key={step}
        type="button"
        className="btn"
        disabled={!place || isPending}
        onClick={() => place && mutate({ id: branch.id, ...place })}
      >
        {t(`category.step.${step}`)}
      </button>
    )
  })
}

/** Anywhere in its own tree but below itself. */
function PlaceInput(props: InputProps) {
  const t = useText('catalog')
  const moved = use(MovedContext)
  const options = moved ? indented(placesFor(moved.items, moved.branch)) : []
  return (
    <select
      {...controlProps(props)}
      className={styles.place}
      value={typeof props.value === 'number' ? props.value : ''}
      onChange={({ target }) => props.onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="">{t('category.root')}</option>
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
