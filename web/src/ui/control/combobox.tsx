import { type KeyboardEvent, useId, useState } from 'react'
import styles from './combobox.module.css'
import { Icon } from '../icons'
import { useText } from '../text'

/** `barred`: it stands there grey with its reason, `pick.barred.<reason>`, and can't be picked. */
export type PickOption = { value: string | number; word: string; note?: string; barred?: 'stopped' | undefined }

type ComboboxProps = {
  id: string
  label: string
  /** The word of what is picked; '' for nothing. */
  word: string
  options: readonly PickOption[]
  isBusy: boolean
  isDisabled?: boolean
  isInvalid?: boolean
  isRequired?: boolean
  hasFocus?: boolean
  describedBy?: string | undefined
  onSearch: (text: string) => void
  onPick: (option: PickOption | null) => void
  onBlur?: () => void
}

/**
 * A field that is filled by looking something up (WAI-ARIA combobox): typing asks `onSearch`, arrows and Enter pick,
 * Escape and leaving give back what was there.
 */
export function Combobox(props: ComboboxProps) {
  const { id, label, word, options, isBusy, isDisabled = false, onBlur } = props
  const kit = useText('admin')
  const list = useId()
  const { typed, at, isOpen, search, pick, close, onKey } = useLookup(props)
  return (
    <div className={styles.combobox}>
      <input
        id={id}
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options[at] ? `${list}-${at}` : undefined}
        aria-invalid={props.isInvalid || undefined}
        aria-describedby={props.describedBy}
        aria-required={props.isRequired || undefined}
        autoComplete="off"
        autoFocus={props.hasFocus}
        disabled={isDisabled}
        maxLength={64}
        placeholder={kit('pick.search')}
        value={typed ?? word}
        onChange={(event) => search(event.target.value)}
        onClick={() => !isOpen && search('')}
        onKeyDown={onKey}
        onBlur={() => {
          close()
          onBlur?.()
        }}
      />
      {word !== '' && !props.isRequired && !isDisabled && (
        <button
          type="button"
          className="icon-btn"
          aria-label={kit('pick.clear', { name: label })}
          onClick={() => pick(null)}
        >
          <Icon name="close" size={14} />
        </button>
      )}
      <div id={list} role="listbox" aria-label={label} className={styles.list} hidden={!isOpen}>
        {isOpen && <Options list={list} options={options} at={at} onPick={pick} />}
      </div>
      {isOpen && options.length === 0 && !isBusy && (
        <p className="quiet" role="status">
          {kit('pick.none', { q: typed ?? '' })}
        </p>
      )}
    </div>
  )
}

/** What is being typed, which option is at hand, and what the keys do; nothing is typed while it is closed. */
function useLookup({ options, onSearch, onPick }: Pick<ComboboxProps, 'options' | 'onSearch' | 'onPick'>) {
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const isOpen = typed !== null
  const current = options[at]
  const close = () => setTyped(null)
  const search = (text: string) => {
    setTyped(text)
    setAt(0)
    onSearch(text)
  }
  const pick = (option: PickOption | null) => {
    close()
    onPick(option)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      if (!isOpen) search('')
      else if (options.length > 0) setAt((at + step + options.length) % options.length)
    }
    if (!isOpen || event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      if (current && !current.barred) pick(current)
    }
    if (event.key === 'Escape') {
      // The dialog around it stays.
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }
  return { typed, at, isOpen, search, pick, close, onKey }
}

function Options({
  list,
  options,
  at,
  onPick,
}: {
  list: string
  options: readonly PickOption[]
  at: number
  onPick: (option: PickOption) => void
}) {
  const kit = useText('admin')
  return options.map((option, index) => (
    <div
      key={option.value}
      id={`${list}-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={index === at}
      aria-disabled={option.barred !== undefined}
      className={styles.option}
      ref={index === at ? intoView : undefined}
      // Before the field loses the focus and the list goes.
      onPointerDown={(event) => {
        event.preventDefault()
        if (!option.barred) onPick(option)
      }}
    >
      {option.word}
      {(option.note ?? option.barred) && (
        <small>{[option.note, option.barred && kit(`pick.barred.${option.barred}`)].filter(Boolean).join(' · ')}</small>
      )}
    </div>
  ))
}

const intoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })
