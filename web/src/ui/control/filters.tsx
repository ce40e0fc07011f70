import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import styles from './filters.module.css'
import { classes } from '../classes'

const PAUSE_MS = 400

type Input = { label: string; value: string; onChange: (value: string) => void }

function Box({ label, isOn, children }: { label: string; isOn: boolean; children: ReactNode }) {
  return (
    <label data-part="filter" className={classes(styles.filter, isOn && styles.isOn)}>
      <span>{label}</span>
      {children}
    </label>
  )
}

/** Looks for what was typed after a pause, at once with Enter. */
export function SearchInput({ label, value, hint, onChange }: Input & { hint?: string }) {
  const [typed, setTyped] = useState({ text: value, of: value })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isOwn = typed.text.trim() === value
  if (typed.of !== value) setTyped({ text: isOwn ? typed.text : value, of: value })
  const send = (text: string) => {
    clearTimeout(timer.current)
    if (text.trim() !== value) onChange(text.trim())
  }
  const onType = (text: string) => {
    setTyped({ text, of: value })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => send(text), PAUSE_MS)
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') send(event.currentTarget.value)
  }
  return (
    <Box label={label} isOn={value !== ''}>
      <input
        type="search"
        value={typed.text}
        placeholder={hint}
        maxLength={64}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKey}
        onBlur={(event) => send(event.target.value)}
      />
    </Box>
  )
}

export type Option = { value: string; word: string }

export function ChoiceInput(props: Input & { all: string; options: readonly Option[] }) {
  const { label, value, all, options, onChange } = props
  return (
    <Box label={label} isOn={value !== ''}>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.word}
          </option>
        ))}
      </select>
    </Box>
  )
}

export type Days = { from: string; to: string }

export const DayChoice = ({ label, value, onChange }: Input) => (
  <div data-part="filter" className={classes(styles.filter, value !== '' && styles.isOn)}>
    <span aria-hidden="true">{label}</span>
    <Day label={label} value={value} onChange={onChange} />
  </div>
)

/** From one day to another, both included; either may be left open. */
export function DaysInput(props: {
  label: string
  labels: Days
  value: Days
  onChange: (days: Partial<Days>) => void
}) {
  const { label, labels, value, onChange } = props
  return (
    <div
      data-part="filter"
      className={classes(styles.filter, (value.from || value.to) && styles.isOn)}
      role="group"
      aria-label={label}
    >
      <span aria-hidden="true">{label}</span>
      <Day label={labels.from} value={value.from} max={value.to} onChange={(from) => onChange({ from })} />
      <span aria-hidden="true">–</span>
      <Day label={labels.to} value={value.to} min={value.from} onChange={(to) => onChange({ to })} />
    </div>
  )
}

/** The browser's own picker; while it has not the focus, the day reads the same in every browser. */
function Day({ label, value, min, max, onChange }: Input & { min?: string; max?: string }) {
  return (
    <span className={styles.day}>
      <span aria-hidden="true">{value || 'YYYY-MM-DD'}</span>
      <input
        type="date"
        aria-label={label}
        className={value ? undefined : styles.isEmpty}
        value={value}
        min={min || undefined}
        max={max || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  )
}
