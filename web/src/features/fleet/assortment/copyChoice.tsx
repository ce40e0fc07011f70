import { copyable } from '@aisle/contract/fleet/machineBatch'
import type { InputProps } from '../../../admin/form/input'
import { useText } from '../../../ui/text'
import formStyles from '../../../admin/form/form.module.css'

/** Which groups of settings go along. */
export function CopyChoice({ id, label, value, onChange, onBlur }: InputProps) {
  const t = useText('fleet')
  const chosen = Array.isArray(value) ? value.map(String) : []
  return (
    <div id={id} className={formStyles.inputChoices} role="group" aria-label={label} onBlur={onBlur}>
      {copyable.map((each) => (
        <label key={each}>
          <input
            type="checkbox"
            checked={chosen.includes(each)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, each] : chosen.filter((other) => other !== each))
            }
          />
          {t(`what.${each}`)}
        </label>
      ))}
    </div>
  )
}
