import { listCategoryChoices } from '@aisle/contract/catalog/category'
import { cardTypes } from '@aisle/contract/member/card'
import { memberLevels } from '@aisle/contract/member/member'
import { planFields, type PlanKind, planKinds, valuesOfKind } from '@aisle/contract/promotion/plan'
import { indented } from '../../admin/fields/indented'
import { controlProps, type InputProps } from '../../admin/form/input'
import type { Values } from '../../admin/form/schema'
import { TimeField } from '../../admin/form/timeInputs'
import { useEndpoint } from '../../live/query'
import { groupsInput, machinesInput, productsInput } from '../../shelf/severalInputs'
import type { PlanDetail } from './planDrawer'

const quietly = (of: readonly (number | string)[]) => Object.fromEntries(of.map((each) => [each, 'idle' as const]))

export const planFormFields = {
  ...planFields,
  levels: { kind: 'states', words: 'memberLevel', tones: quietly(memberLevels) },
  cardTypes: { kind: 'states', words: 'memberCardType', tones: quietly(cardTypes) },
  weekdays: { kind: 'states', words: 'planDay', tones: quietly([1, 2, 3, 4, 5, 6, 7]) },
  perMember: { kind: 'count' },
  isFirstPurchase: { kind: 'boolean' },
} as const

export const planGroups = [
  { key: 'what', names: ['name', 'kind', 'paidPercent', 'pieces', 'leastFen', 'amountFen', 'perOrder'] },
  { key: 'where', names: ['productIds', 'categoryIds', 'machineIds', 'groupIds'] },
  { key: 'when', names: ['startsOn', 'endsOn', 'weekdays', 'fromTime', 'toTime'] },
  { key: 'who', names: ['levels', 'cardTypes', 'isFirstPurchase', 'perMember'] },
  { key: 'rank', names: ['priority', 'stacks', 'maxUses', 'budgetFen'] },
]

const isKind = (value: unknown): value is PlanKind => planKinds.some((kind) => kind === value)

/** Values that the chosen kind has no use for. */
export function withoutOthers({ kind }: Values): string[] {
  const own: readonly string[] = isKind(kind) ? valuesOfKind[kind] : []
  return ['paidPercent', 'pieces', 'leastFen', 'amountFen'].filter((name) => !own.includes(name))
}

/** Several of the trees of goods and of medicines; each stands for all below it. */
function CategoriesInput(props: InputProps) {
  const { data } = useEndpoint(listCategoryChoices, {}, { errors: 'silent', staleTime: 30_000 })
  const branches = (data?.items ?? []).filter(({ tree }) => tree === 'goods' || tree === 'medicine')
  const chosen = Array.isArray(props.value) ? props.value.map(String) : []
  return (
    <select
      {...controlProps(props)}
      required={false}
      multiple
      size={5}
      value={chosen}
      onChange={({ target }) => props.onChange([...target.selectedOptions].map(({ value }) => Number(value)))}
    >
      {indented(branches).map(({ id, name }) => (
        <option key={id} value={String(id)}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** @param plan that is edited, so that what it names is said in words */
export const planInputs = (plan?: Pick<PlanDetail, 'products' | 'machines' | 'groups'>) => ({
  productIds: productsInput(plan?.products),
  machineIds: machinesInput(plan?.machines),
  groupIds: groupsInput(plan?.groups),
  categoryIds: CategoriesInput,
  fromTime: TimeField,
  toTime: TimeField,
})
