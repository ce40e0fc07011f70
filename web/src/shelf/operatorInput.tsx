import { treeOrganisations } from '@aisle/contract/people/organisation'
import { InputFilter, type Named } from '../admin/fields/filter'
import { controlProps, type InputProps } from '../admin/form/input'
import { useEndpoint } from '../live/query'
import { useText } from '../ui/text'

/** Whose machine it is or will be, once the form says so. */
export function ownerOf({ ofMerchant, merchantId }: InputProps['values']): number | undefined {
  const owner = ofMerchant ?? merchantId
  return typeof owner === 'number' ? owner : undefined
}

/** Units of the machine's merchant; the person's own where the form names none. */
export function OperatorInput(props: InputProps) {
  const { value, values, onChange } = props
  const kit = useText('admin')
  const owner = ownerOf(values)
  const input = owner === undefined ? {} : { merchantId: owner }
  const { data } = useEndpoint(treeOrganisations, input, { errors: 'silent', staleTime: 60_000 })
  const units = data?.items ?? []
  const kept = typeof values.operatorName === 'string' ? values.operatorName : undefined
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

/** Units of the merchant that the list is narrowed to, else of one's own. */
export const OperatorFilter = (props: Named) => {
  const { merchantId } = props.query
  return <InputFilter {...props} input={OperatorInput} values={merchantId ? { merchantId: Number(merchantId) } : {}} />
}
