import { type ComponentProps, useState } from 'react'
import { fenOf, numberOf, yuanText } from '../ui/amount'
import { Combobox } from '../ui/control/combobox'
import { DayInput } from '../ui/control/dayInput'
import { Icon } from '../ui/icons'
import styles from './lines.module.css'

type Kind = 'day' | 'count' | 'money' | 'text'
type Props = {
  kind: Kind
  label: string
  /** Of the control: the label with the line that it belongs to. */
  name: string
  value: unknown
  onChange: (value: unknown) => void
}

const readers: Record<Kind, (text: string) => unknown> = {
  day: (text) => (text === '' ? null : text),
  text: (text) => text,
  count: (text) => (text.trim() === '' ? null : (numberOf(text) ?? text)),
  money: (text) => (text.trim() === '' ? null : (fenOf(text) ?? text)),
}
const textOf = (kind: Kind, value: unknown): string => {
  if (kind === 'money' && typeof value === 'number') return yuanText(value)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** A field of a line among many; what is being typed stays as it is while it is understood. */
export function LineInput({ kind, label, name, value, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const isOwn = typed !== null && readers[kind](typed) === value
  const tell = (text: string) => onChange(readers[kind](text))
  const shared = { autoComplete: 'off', 'aria-label': name, className: 'field' } as const
  if (kind === 'day') {
    return (
      <div>
        <small className="quiet" aria-hidden="true">
          {label}
        </small>
        <DayInput {...shared} value={textOf(kind, value)} onChange={tell} onWrong={tell} />
      </div>
    )
  }
  return (
    <label>
      <small className="quiet" aria-hidden="true">
        {label}
      </small>
      <input
        {...shared}
        type="text"
        inputMode={kind === 'count' || kind === 'money' ? 'decimal' : undefined}
        value={isOwn ? typed : textOf(kind, value)}
        onChange={({ target }) => {
          setTyped(target.value)
          tell(target.value)
        }}
        onBlur={() => setTyped(null)}
      />
    </label>
  )
}

export const RemoveLine = ({ name, onRemove }: { name: string; onRemove: () => void }) => (
  <button type="button" className={`icon-btn ${styles.remove}`} aria-label={name} onClick={onRemove}>
    <Icon name="close" />
  </button>
)

type Picking = Pick<ComponentProps<typeof Combobox>, 'options' | 'isBusy' | 'onSearch' | 'onBlur' | 'onPick'>

/** Where the next line is chosen; empty again after each. @param count of the lines that stand there */
export function LinePicker({ id, word, count, ...picking }: { id: string; word: string; count: number } & Picking) {
  return (
    <>
      <label htmlFor={`${id}-pick`}>{word}</label>
      <Combobox
        key={count}
        id={`${id}-pick`}
        label={word}
        word=""
        isInvalid={false}
        isRequired={false}
        hasFocus={false}
        describedBy={undefined}
        isDisabled={false}
        {...picking}
      />
    </>
  )
}
