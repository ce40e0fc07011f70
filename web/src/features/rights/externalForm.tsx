import { languageNames, languages } from '@aisle/contract/kernel/text'
import { groups } from '@aisle/contract/screens'
import { controlProps, type InputProps } from '../../admin/form/input'
import { useText } from '../../ui/text'
import styles from './menu.module.css'

/** How the address of another system is called; one language is enough. */
function TitlesInput(props: InputProps) {
  const { value, onChange, isLocked, isInvalid, describedBy, id, onBlur } = props
  const titles = (typeof value === 'object' && value !== null ? value : {}) as Record<string, string>
  return (
    <div className={styles.externalTitles} onBlur={onBlur}>
      {languages.map((language, at) => (
        <span key={language} className={styles.title}>
          <span aria-hidden="true">{languageNames[language]}</span>
          <input
            {...(at === 0 ? { id } : {})}
            aria-label={languageNames[language]}
            aria-invalid={isInvalid || undefined}
            aria-describedby={describedBy}
            lang={language}
            maxLength={40}
            disabled={isLocked}
            value={titles[language] ?? ''}
            onChange={(event) => onChange({ ...titles, [language]: event.target.value })}
          />
        </span>
      ))}
    </div>
  )
}

function GroupInput(props: InputProps) {
  const t = useText('rights')
  const titles = useText('screens')
  return (
    <select
      {...controlProps(props)}
      value={String(props.value ?? '')}
      onChange={(event) => props.onChange(event.target.value || null)}
    >
      <option value="">{t('menu.holder.none')}</option>
      {['home', ...Object.keys(groups)].map((group) => (
        <option key={group} value={group}>
          {titles.any(`group.${group}`)}
        </option>
      ))}
    </select>
  )
}

export const externalInputs = { titles: TitlesInput, menuGroup: GroupInput }
