import { type ComponentProps, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { classes } from '../classes'
import { DayInput, PeriodInput, TimeInput } from './dayInput'
import styles from './filters.module.css'
import { PopoverButton } from './popover'

const PAUSE_MS = 400

type Input = { label: string; value: string; onChange: (value: string) => void }

const box = (isOn: boolean) => ({
  'data-part': 'filter',
  'data-on': isOn || undefined,
  className: classes(styles.filter, isOn && styles.isOn),
})

/** What the filters of the page are set to, as they say it themselves: a list on paper names it. */
export const filtersInWords = (): string[] =>
  [...document.querySelectorAll('[data-part=filter][data-on]')].map((filter) => {
    const controls = [
      ...filter.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLOutputElement>('input, select, output'),
    ]
    const said = controls
      .filter(({ type }) => type !== 'checkbox')
      .map((each) => ('selectedOptions' in each ? (each.selectedOptions[0]?.text ?? '') : each.value))
    const isPeriod = controls.every(({ type }) => type === 'text')
    return `${filter.querySelector('span')?.textContent}: ${said.join(isPeriod ? ' – ' : ' ')}`
  })

function Box({ label, isOn, children }: { label: string; isOn: boolean; children: ReactNode }) {
  return (
    <label {...box(isOn)}>
      <span>{label}</span>
      {children}
    </label>
  )
}

export const SearchInput = (input: Input & { hint?: string }) => (
  <Box label={input.label} isOn={input.value !== ''}>
    <TypedInput {...input} />
  </Box>
)

/** Looks for what was typed after a pause, at once with Enter. */
function TypedInput({ label, value, hint, onChange }: Input & { hint?: string }) {
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
    <input
      type="search"
      aria-label={label}
      value={typed.text}
      placeholder={hint}
      maxLength={64}
      onChange={(event) => onType(event.target.value)}
      onKeyDown={onKey}
      onBlur={(event) => send(event.target.value)}
    />
  )
}

export type Option = { value: string; word: string }

/** How far from what was said is near enough; the first option is meant where nothing is chosen. */
type Margin = { label: string; value: string; options: readonly Option[]; onChange: (value: string) => void }

/** What somebody remembers, and how exactly. */
export const NearInput = ({ margin, ...input }: Input & { hint?: string; margin: Margin }) => (
  <FilterGroup label={input.label} isOn={input.value !== ''}>
    <TypedInput {...input} />
    <MarginChoice {...margin} />
  </FilterGroup>
)

/**
 * A minute that somebody remembers, `2026-11-20T10:40`: of today unless another day is picked. A day alone is none.
 */
export function NearMinuteInput(
  props: Input & { labels: { day: string; time: string }; today: string; margin: Margin },
) {
  const { label, labels, today, value, margin, onChange } = props
  const [day, setDay] = useState(value.slice(0, 10))
  const time = value.slice(11)
  const onDay = (next: string) => {
    setDay(next)
    if (time && next) onChange(`${next}T${time}`)
  }
  return (
    <FilterGroup label={label} isOn={value !== ''}>
      <DayInput aria-label={labels.day} value={value.slice(0, 10) || day || today} onChange={onDay} />
      <TimeInput
        aria-label={labels.time}
        value={time}
        onChange={(next) => onChange(next && `${value.slice(0, 10) || day || today}T${next}`)}
      />
      <MarginChoice {...margin} />
    </FilterGroup>
  )
}

const MarginChoice = ({ label, value, options, onChange }: Margin) => (
  <select aria-label={label} value={value || options[0]?.value} onChange={(event) => onChange(event.target.value)}>
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.word}
      </option>
    ))}
  </select>
)

/** Around inputs that have names of their own. */
export const FilterGroup = ({ label, isOn, children }: { label: string; isOn: boolean; children: ReactNode }) => (
  <div {...box(isOn)} role="group" aria-label={label}>
    <span aria-hidden="true">{label}</span>
    {children}
  </div>
)

type Choice = Input & { all: string; options: readonly Option[] }

export const ChoiceInput = (choice: Choice) => (
  <Box label={choice.label} isOn={choice.value !== ''}>
    <OneOf {...choice} />
  </Box>
)

const OneOf = ({ value, all, options, onChange }: Choice) => (
  <select value={value} onChange={(event) => onChange(event.target.value)}>
    <option value="">{all}</option>
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.word}
      </option>
    ))}
  </select>
)

/** One as quickly as above; several, joined by commas, from a list beside it. @param props.several what opens that */
export function ChoicesInput(props: Choice & { several: string }) {
  const { label, value, options, several, onChange } = props
  const chosen = value.split(',').filter(Boolean)
  const words = options.filter((option) => chosen.includes(option.value)).map(({ word }) => word)
  const together = chosen.length > 1 ? [{ value, word: words.join(' / ') }] : []
  const toggle = (each: string) =>
    onChange(
      options
        .map((option) => option.value)
        .filter((one) => chosen.includes(one) !== (one === each))
        .join(','),
    )
  return (
    <div {...box(value !== '')}>
      <label className={styles.inner}>
        <span>{label}</span>
        <OneOf {...props} options={[...together, ...options]} />
      </label>
      <PopoverButton icon="several" label={`${label}: ${several}`}>
        {() => (
          <div className={styles.several}>
            {options.map((option) => (
              <label key={option.value}>
                <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => toggle(option.value)} />
                {option.word}
              </label>
            ))}
          </div>
        )}
      </PopoverButton>
    </div>
  )
}

export const DayChoice = ({ label, value, onChange }: Input) => (
  <FilterGroup label={label} isOn={value !== ''}>
    <DayInput aria-label={label} value={value} onChange={onChange} />
  </FilterGroup>
)

/** From one day to another, both included; either may be left open. */
export function DaysInput({ label, ...ends }: { label: string } & ComponentProps<typeof PeriodInput>) {
  const { from, to } = ends.value
  return (
    <FilterGroup label={label} isOn={from !== '' || to !== ''}>
      <PeriodInput {...ends} />
    </FilterGroup>
  )
}
