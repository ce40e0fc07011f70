import { onOff } from '@aisle/contract/kernel/states'
import { listMachines } from '@aisle/contract/fleet/machine'
import { listPoints } from '@aisle/contract/fleet/point'
import { listRoutes } from '@aisle/contract/fleet/route'
import { treeOrganisations } from '@aisle/contract/people/organisation'
import { listUsers } from '@aisle/contract/people/user'
import { controlProps, type InputProps } from '../../../admin/form/input'
import { refInput } from '../../../admin/form/refInput'
import { useEndpoint } from '../../../live/query'
import { useText } from '../../../ui/text'

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Whose machine it is or will be, once the form says so. */
function ownerOf({ ofMerchant, merchantId }: InputProps['values']): number | undefined {
  const owner = ofMerchant ?? merchantId
  return typeof owner === 'number' ? owner : undefined
}

/** The words of what is chosen already come along in the form's values, under names that are not sent. */
export const PointInput = refInput({
  list: listPoints,
  // A machine stands only at places of its own merchant or of one above.
  query: (values) => (ownerOf(values) === undefined ? {} : { forMerchantId: ownerOf(values) }),
  optionOf: ({ id, name, city, merchantName, state }) => ({
    value: id,
    word: name,
    note: `${city} · ${merchantName}`,
    barred: onOff.is(state, 'stopped') ? ('stopped' as const) : undefined,
  }),
  wordOf: ({ pointId, pointName, ofPoint }) => (pointId === ofPoint ? textIn(pointName) : undefined),
})

export const RouteInput = refInput({
  list: listRoutes,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
  wordOf: ({ routeId, routeName, ofRoute }) => (routeId === ofRoute ? textIn(routeName) : undefined),
})

export const DeployerInput = refInput({
  list: listUsers,
  optionOf: ({ id, name, account }) => ({ value: id, word: `${name} · ${account}` }),
  wordOf: ({ deployerId, deployerName, ofDeployer }) => (deployerId === ofDeployer ? textIn(deployerName) : undefined),
})

export const MachineIdInput = refInput({
  list: listMachines,
  optionOf: ({ id, code, name }) => ({ value: id, word: `${code} ${name}` }),
})

/** Units of the machine's merchant; the person's own where the form names none. */
export function OperatorInput(props: InputProps) {
  const { value, values, onChange } = props
  const kit = useText('admin')
  const owner = ownerOf(values)
  const input = owner === undefined ? {} : { merchantId: owner }
  const { data } = useEndpoint(treeOrganisations, input, { errors: 'silent', staleTime: 60_000 })
  const units = data?.items ?? []
  const kept = textIn(values.operatorName)
  const isKnown = value === null || value === undefined || units.some(({ id }) => id === value)
  return (
    <select
      {...controlProps(props)}
      value={typeof value === 'number' ? value : ''}
      onChange={({ target }) => onChange(target.value ? Number(target.value) : null)}
    >
      <option value="">{kit('form.none')}</option>
      {!isKnown && <option value={Number(value)}>{kept ?? String(value)}</option>}
      {units.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
