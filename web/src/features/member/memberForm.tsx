import { getMember, listMembers } from '@aisle/contract/member/member'
import { listMemberUnits } from '@aisle/contract/member/memberUnit'
import { indented } from '../../admin/fields/indented'
import { controlProps, type InputProps } from '../../admin/form/input'
import { MerchantInput } from '../../admin/form/refInput'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

/** Of the merchant that the form is about, a level an indent. */
function UnitInput(props: InputProps) {
  const t = useText('member')
  const { merchantId } = props.values
  const { data } = useEndpoint(listMemberUnits, typeof merchantId === 'number' ? { merchantId } : {}, {
    errors: 'silent',
    staleTime: 30_000,
  })
  const own = (data?.items ?? []).filter((each) => typeof merchantId !== 'number' || each.merchantId === merchantId)
  return (
    <select
      {...controlProps(props)}
      value={typeof props.value === 'number' ? props.value : ''}
      onChange={({ target }) => props.onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="">{t('unit.nowhere')}</option>
      {indented(own).map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** Words between commas, of either kind. */
function TagsInput(props: InputProps) {
  const tags = Array.isArray(props.value) ? props.value.map(String) : []
  return (
    <input
      {...controlProps(props)}
      type="text"
      defaultValue={tags.join(', ')}
      autoComplete="off"
      onChange={({ target }) =>
        props.onChange(
          target.value
            .split(/[,，、;；]/)
            .map((each) => each.trim())
            .filter(Boolean),
        )
      }
    />
  )
}

export const memberInputs = { unitId: UnitInput, tags: TagsInput, merchantId: MerchantInput }
export const memberChanges = [listMembers, getMember, listMemberUnits]
