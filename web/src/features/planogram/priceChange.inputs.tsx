import { listTree } from '@aisle/contract/catalog/category'
import { listMachineGroups } from '@aisle/contract/fleet/group'
import { listRoutes } from '@aisle/contract/fleet/route'
import { codesIn } from '@aisle/contract/kernel/codes'
import { addPriceChange, priceChangeFields } from '@aisle/contract/planogram/priceChange'
import { controlProps, type InputProps } from '../../admin/form/input'
import { refInput } from '../../admin/form/refInput'
import type { Values } from '../../admin/form/schema'
import { MachineInput } from '../../shelf/machineInput'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { useText } from '../../ui/text'

/** Branches of goods, each below its parent by the way down to it. */
function BranchInput(props: InputProps) {
  const kit = useText('admin')
  const { data } = useEndpoint(listTree, { tree: 'goods' }, { errors: 'silent', enabled: can(listTree.access) })
  const branches = data?.items ?? []
  const byId = new Map(branches.map((each) => [each.id, each]))
  const wayTo = (id: number | null): string => {
    const one = id === null ? undefined : byId.get(id)
    return one ? [wayTo(one.parentId), one.name].filter(Boolean).join(' / ') : ''
  }
  return (
    <select
      {...controlProps(props)}
      value={typeof props.value === 'number' ? props.value : ''}
      onChange={({ target }) => props.onChange(target.value ? Number(target.value) : null)}
    >
      <option value="">{kit('form.none')}</option>
      {branches.map(({ id }) => (
        <option key={id} value={id}>
          {wayTo(id)}
        </option>
      ))}
    </select>
  )
}

const GroupInput = refInput({
  list: listMachineGroups,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
})
const RouteInput = refInput({
  list: listRoutes,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
})

/** Codes as they are pasted, and one more by name or place. */
function MachineCodesInput(props: InputProps) {
  const t = useText('planogram')
  const typed = String(props.value ?? '')
  const pickId = `${props.id}-pick`
  const add = (code: unknown) => code && props.onChange([...new Set([...codesIn(typed), String(code)])].join(' '))
  return (
    <>
      <textarea
        {...controlProps(props)}
        rows={2}
        value={typed}
        onChange={({ target }) => props.onChange(target.value)}
      />
      <label htmlFor={pickId}>{t('price.addMachine')}</label>
      <MachineInput
        {...props}
        id={pickId}
        value=""
        onChange={add}
        isRequired={false}
        isInvalid={false}
        hasFocus={false}
      />
    </>
  )
}

const isByPercent = (rule: unknown) => rule === 'raisePercent' || rule === 'cutPercent'

/** What a draft of prices asks, wherever it is drawn up. */
export const priceChangeForm = {
  endpoint: addPriceChange,
  verb: 'addPriceChange',
  fields: priceChangeFields,
  inputs: { categoryId: BranchInput, groupId: GroupInput, routeId: RouteInput, machineCodes: MachineCodesInput },
  groups: [
    { key: 'priceProducts', names: ['codes', 'categoryId', 'brand'] },
    { key: 'priceRule', names: ['rule', 'amountFen', 'percent', 'roundTo', 'changesProducts'] },
    { key: 'priceMachines', names: ['scope', 'groupId', 'routeId', 'machineCodes'] },
    { key: 'priceWhy', names: ['reason'] },
  ],
  initial: { rule: 'set', roundTo: 'jiao', scope: 'all', changesProducts: false },
  needed: ['amountFen', 'percent', 'groupId', 'routeId', 'machineCodes'],
  without: ({ rule, scope }: Values) => [
    isByPercent(rule) ? 'amountFen' : 'percent',
    ...(rule === 'set' ? ['roundTo'] : []),
    ...(scope === 'group' ? [] : ['groupId']),
    ...(scope === 'route' ? [] : ['routeId']),
    ...(scope === 'machines' ? [] : ['machineCodes']),
  ],
}
