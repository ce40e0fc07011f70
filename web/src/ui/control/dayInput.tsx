import { type ComponentProps, lazy, type ReactNode, useState } from 'react'
import { useText } from '../text'
import type { Bounds } from './calendar'
import styles from './dayInput.module.css'
import { PopoverButton } from './popover'
import { isWholeDay, isWholeMoment, isWholeTime, momentTyped, readDay, readMoment, readTime } from './day.rules'

const Calendar = lazy(() => import('./calendar').then(({ Calendar: picker }) => ({ default: picker })))

export type Days = { from: string; to: string }
export type DayPreset = Days & { word: string }

type Native = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'min' | 'max' | 'type'>
type Typed = Native & {
  /** `2026-11-28`; '' for none. */
  value: string
  onChange: (value: string) => void
  /** Hears of what is not yet a day, and is what `value` is then; without it the input keeps that to itself. */
  onWrong?: (typed: string) => void
}

/** A day: typed, or picked in a calendar that speaks the application's language and begins with Monday. */
export function DayInput({ min, max, ...typed }: Typed & Bounds) {
  return (
    <span className={styles.day}>
      <TypedDay {...typed} />
      <DayButton {...{ min, max }} isDisabled={typed.disabled} day={typed.value} onPick={typed.onChange} />
    </span>
  )
}

/** A moment as ISO in UTC, typed on the network's clock; its day may be picked. */
export function MomentInput({ value, onChange, ...typed }: Typed) {
  const shown = momentTyped(value) || value
  return (
    <span className={styles.day}>
      <TypedText {...typed} {...moments} shown={shown} onChange={onChange} />
      <DayButton
        isDisabled={typed.disabled}
        day={shown.slice(0, 10)}
        onPick={(day) => onChange(readMoment(`${day} ${isWholeMoment(shown) ? shown.slice(11) : '00:00'}`) ?? '')}
      />
    </span>
  )
}

type OneDay = Bounds & { isDisabled?: boolean | undefined; day: string; onPick: (day: string) => void }

const DayButton = ({ isDisabled, day, onPick, ...bounds }: OneDay) => (
  <CalendarButton isDisabled={isDisabled}>
    {(close) => (
      <Calendar
        {...bounds}
        isPeriod={false}
        from={day}
        to={day}
        onPick={(picked) => {
          close()
          onPick(picked)
        }}
      />
    )}
  </CalendarButton>
)

type Ends = Omit<Native, 'id'> & {
  labels: Days
  value: Days
  presets?: readonly DayPreset[]
  onChange: (days: Partial<Days>) => void
}

/** From one day to another, both included; either may be left open. One calendar picks both. */
export function PeriodInput({ labels, value, presets = [], onChange, ...typed }: Ends) {
  const end = (name: keyof Days) => (
    <TypedDay {...typed} aria-label={labels[name]} value={value[name]} onChange={(day) => onChange({ [name]: day })} />
  )
  return (
    <>
      {end('from')}
      <span aria-hidden="true">–</span>
      {end('to')}
      <CalendarButton isDisabled={typed.disabled}>
        {(close) => {
          const pick = (from: string, to: string) => {
            close()
            onChange({ from, to })
          }
          return (
            <>
              <Presets presets={presets} value={value} onPick={pick} />
              <Calendar isPeriod {...value} onPick={pick} />
            </>
          )
        }}
      </CalendarButton>
    </>
  )
}

type Presetting = { presets: readonly DayPreset[]; value: Days; onPick: (from: string, to: string) => void }

function Presets({ presets, value, onPick }: Presetting) {
  const t = useText('kernel')
  const isEmpty = value.from === '' && value.to === ''
  if (presets.length === 0 && isEmpty) return null
  return (
    <div className={styles.presets}>
      {presets.map(({ word, from, to }) => (
        <button
          key={word}
          type="button"
          aria-pressed={value.from === from && value.to === to}
          onClick={() => onPick(from, to)}
        >
          {word}
        </button>
      ))}
      {!isEmpty && (
        <button type="button" onClick={() => onPick('', '')}>
          {t('day.clear')}
        </button>
      )}
    </div>
  )
}

const days = { read: readDay, isWhole: isWholeDay, shape: 'day.shape' } as const
const moments = { read: readMoment, isWhole: isWholeMoment, shape: 'day.momentShape' } as const

const sizes = { 'day.shape': 10, 'day.momentShape': 16, 'day.timeShape': 5 }
const times = { read: readTime, isWhole: isWholeTime, shape: 'day.timeShape' } as const

/** A time of day, `09:05`; '' for none. */
export const TimeInput = ({ value, ...typed }: Typed) => <TypedText {...typed} {...times} shown={value} />

const TypedDay = ({ value, ...typed }: Typed) => <TypedText {...typed} {...days} shown={value} />

type TypedTextProps = Omit<Typed, 'value'> & (typeof days | typeof moments | typeof times) & { shown: string }

/** Tells what was typed once it is whole, else as it is left. */
function TypedText(props: TypedTextProps) {
  const { shown, read, isWhole, shape, onChange, onWrong, onBlur, onKeyDown, ...native } = props
  const t = useText('kernel')
  const [typed, setTyped] = useState({ text: '', of: '', isOn: false, isWrong: false })
  // What comes from elsewhere, a preset say, takes its place.
  const isTyping = typed.isOn && typed.of === shown
  const text = isTyping ? typed.text : shown
  const valueIn = (text: string) => (text.trim() === '' ? '' : read(text))
  const tell = (value: string) => {
    setTyped({ ...typed, isOn: false })
    onChange(value)
  }
  const type = (text: string) => {
    const value = valueIn(text)
    if (value === '' || (value !== null && isWhole(text))) tell(value)
    else if (onWrong) onWrong(text)
    else setTyped({ text, of: shown, isOn: true, isWrong: false })
  }
  const leave = () => {
    const value = valueIn(text)
    if (value !== null && !isWhole(text) && text !== '') tell(value)
    else if (value === null && !onWrong) setTyped({ ...typed, isWrong: true })
  }
  return (
    <input
      {...native}
      type="text"
      autoComplete="off"
      maxLength={24}
      placeholder={t(shape)}
      size={sizes[shape]}
      aria-invalid={native['aria-invalid'] ?? ((isTyping && typed.isWrong) || undefined)}
      value={text}
      onChange={({ target }) => type(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') leave()
        onKeyDown?.(event)
      }}
      onBlur={(event) => {
        leave()
        onBlur?.(event)
      }}
    />
  )
}

function CalendarButton(props: { isDisabled?: boolean | undefined; children: (close: () => void) => ReactNode }) {
  const t = useText('kernel')
  return <PopoverButton icon="calendar" label={t('day.open')} name={t('day.calendar')} {...props} />
}
