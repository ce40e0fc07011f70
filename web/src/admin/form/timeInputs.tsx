import { DayInput, MomentInput, PeriodInput, TimeInput, type Days } from '../../ui/control/dayInput'
import { useText } from '../../ui/text'
import { controlProps, type InputProps } from './input'
import styles from './form.module.css'

const typed = (props: InputProps) => ({
  ...controlProps(props),
  value: typeof props.value === 'string' ? props.value : '',
  onChange: props.onChange,
  onWrong: props.onChange,
})

export const DayField = (props: InputProps) => <DayInput {...typed(props)} />

export const TimeField = (props: InputProps) => <TimeInput {...typed(props)} />

export const MomentField = (props: InputProps) => <MomentInput {...typed(props)} />

/** Two days, `{ from, to }`, both included. */
export function PeriodField({ id, label, value, onChange, isLocked, isInvalid, describedBy, onBlur }: InputProps) {
  const kit = useText('admin')
  const { from = '', to = '' }: Partial<Days> = typeof value === 'object' && value !== null ? value : {}
  return (
    <div id={id} className={styles.inputPeriod}>
      <PeriodInput
        labels={{ from: kit('filter.from', { name: label }), to: kit('filter.to', { name: label }) }}
        value={{ from, to }}
        disabled={isLocked}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        onBlur={onBlur}
        onChange={(changed) => {
          const next = { from, to, ...changed }
          onChange(next.from || next.to ? { from: next.from || undefined, to: next.to || undefined } : null)
        }}
      />
    </div>
  )
}
