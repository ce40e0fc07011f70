import { getUserChoices } from '@aisle/contract/people/user'
import { languageNames, languages } from '@aisle/contract/kernel/text'
import { createContext, use } from 'react'
import { controlProps, type InputProps } from '../../admin/form/input'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { indented } from './tree.rules'

/** The merchant of a form that does not hold it, since it never changes. */
export const OwnerContext = createContext<number | undefined>(undefined)

/** What may be given in the merchant that the form names, else in the person's own. */
export function useUserChoices({ merchantId }: Readonly<Record<string, unknown>>) {
  const owner = use(OwnerContext) ?? merchantId
  const input = typeof owner === 'number' ? { merchantId: owner } : {}
  return useEndpoint(getUserChoices, input, { errors: 'silent', staleTime: 30_000 }).data
}

/** The merchants in sight as a tree; the person's own when nothing is chosen. */
export function OwnerInput(props: InputProps) {
  const merchants = useUserChoices(props.values)?.merchants ?? []
  return <IdSelect {...props} options={indented(merchants)} />
}

export function UnitInput(props: InputProps) {
  const units = useUserChoices(props.values)?.organisations ?? []
  return <IdSelect {...props} options={indented(units)} />
}

/** Only levels that the person may give, and the one that is held. */
export function LevelInput(props: InputProps) {
  const t = useText('people')
  const kinds = useUserChoices(props.values)?.kinds ?? []
  const held = typeof props.value === 'string' ? props.value : ''
  const offered = held === '' || kinds.some((each) => each === held) ? kinds : [held, ...kinds]
  return (
    <>
      <select {...controlProps(props)} value={held} onChange={({ target }) => props.onChange(target.value)}>
        {offered.map((kind) => (
          <option key={kind} value={kind}>
            {t.any(`userKind.${kind}`)}
          </option>
        ))}
      </select>
      {held && <small className="quiet">{t.any(`userKind.${held}.help`)}</small>}
    </>
  )
}

/** Each language in its own name. */
export function LanguageInput(props: InputProps) {
  return (
    <select
      {...controlProps(props)}
      value={String(props.value)}
      onChange={({ target }) => props.onChange(target.value)}
    >
      {languages.map((language) => (
        <option key={language} value={language} lang={language}>
          {languageNames[language]}
        </option>
      ))}
    </select>
  )
}

export function IdSelect(props: InputProps & { options: readonly { id: number; name: string }[] }) {
  const { value, onChange, options, isRequired } = props
  const kit = useText('admin')
  return (
    <select
      {...controlProps(props)}
      value={typeof value === 'number' ? value : ''}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="">{isRequired ? kit('form.choose') : kit('form.none')}</option>
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
