import { listDictionaryOptions } from '@aisle/contract/system/dictionary'
import { controlProps, type InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useText } from '../../ui/text'
import { useEndpoint } from '../../live/query'
import formStyles from '../../admin/form/form.module.css'

type List = 'merchantCategory' | 'merchantTag'
type Option = { code: string; word: string }

/** What the platform and the merchants above offer; a code that is offered no more still reads as it is. */
function useOptions(type: List, merchantId: unknown): Option[] {
  const of = typeof merchantId === 'number' ? { merchantId } : {}
  return useEndpoint(listDictionaryOptions, { type, ...of }, { errors: 'silent', staleTime: 60_000 }).data?.items ?? []
}

/** The words of codes that stand with commas between them. */
export function DictionaryWords({ type, codes, merchantId }: { type: List; codes: string; merchantId: number }) {
  const options = useOptions(type, merchantId)
  return codesIn(codes)
    .map((code) => options.find((option) => option.code === code)?.word ?? code)
    .join(' · ')
}

const codesIn = (value: unknown): string[] => (typeof value === 'string' ? value.split(',').filter(Boolean) : [])

const withChosen = (options: Option[], chosen: string[]): Option[] => [
  ...options,
  ...chosen.filter((code) => !options.some((option) => option.code === code)).map((code) => ({ code, word: code })),
]

/** Of a merchant that is being added, the list is that of the one above it. */
const ownerIn = ({ values }: InputProps): unknown => values.parentId

export function CategoryInput(props: InputProps) {
  const kit = useText('admin')
  const chosen = codesIn(props.value)
  const options = withChosen(useOptions('merchantCategory', ownerIn(props)), chosen)
  return (
    <select {...controlProps(props)} value={chosen[0] ?? ''} onChange={({ target }) => props.onChange(target.value)}>
      <option value="">{kit('form.none')}</option>
      {options.map(({ code, word }) => (
        <option key={code} value={code}>
          {word}
        </option>
      ))}
    </select>
  )
}

export const TagsInput = groupInput(function TagsInput(props: InputProps) {
  const { id, value, onChange, onBlur, isLocked, describedBy, t } = props
  const chosen = codesIn(value)
  const options = withChosen(useOptions('merchantTag', ownerIn(props)), chosen)
  const turn = (code: string, isOn: boolean) => {
    const wanted = options.map((option) => option.code).filter((each) => (each === code ? isOn : chosen.includes(each)))
    onChange(wanted.join(','))
  }
  return (
    <div id={id} className={formStyles.inputChoices} onBlur={onBlur}>
      {options.length === 0 && <span className="quiet">{t.any('merchant.noTags')}</span>}
      {options.map(({ code, word }) => (
        <label key={code}>
          <input
            type="checkbox"
            checked={chosen.includes(code)}
            disabled={isLocked}
            aria-describedby={describedBy}
            onChange={({ target }) => turn(code, target.checked)}
          />
          {word}
        </label>
      ))}
    </div>
  )
})
