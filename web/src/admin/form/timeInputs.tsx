import { useText } from '../../ui/text'
import { controlProps, type InputProps } from './input'
import styles from './form.module.css'

/** A moment, typed in the browser's own zone and sent with it. */
export function MomentInput(props: InputProps) {
  const { value, onChange } = props
  return (
    <input
      {...controlProps(props)}
      type="datetime-local"
      value={localOf(value)}
      onChange={({ target }) => onChange(target.value ? new Date(target.value).toISOString() : '')}
    />
  )
}

function localOf(value: unknown): string {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) return ''
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

type Days = { from?: string; to?: string }

/** Two days, `{ from, to }`, both included. */
export function PeriodInput(props: InputProps) {
  const { id, label, value, onChange, isLocked, isInvalid, describedBy, onBlur } = props
  const kit = useText('admin')
  const days: Days = typeof value === 'object' && value !== null ? value : {}
  const part = (end: 'from' | 'to') => (
    <input
      type="date"
      aria-label={kit(end === 'from' ? 'filter.from' : 'filter.to', { name: label })}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
      disabled={isLocked}
      value={days[end] ?? ''}
      onBlur={onBlur}
      onChange={({ target }) => {
        const next = { ...days, [end]: target.value || undefined }
        onChange(next.from || next.to ? next : null)
      }}
    />
  )
  return (
    <div id={id} className={styles.inputPeriod}>
      {part('from')}
      <span aria-hidden="true">–</span>
      {part('to')}
    </div>
  )
}
