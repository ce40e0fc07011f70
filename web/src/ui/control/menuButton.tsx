import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

export type MenuEntry =
  | 'line'
  | {
      key: string
      label: ReactNode
      icon?: ReactNode
      /** Why it cannot be used now; it is then greyed and stays in sight. */
      disabled?: string
      /** A small word at the end of the line. */
      note?: string
      isCurrent?: boolean
      onPick: () => void
    }

/** A button that opens a menu (WAI-ARIA menu button): arrows, Home, End, Escape; the focus returns to the button. */
export function MenuButton(props: {
  label: string
  face: ReactNode
  entries: readonly MenuEntry[]
  head?: ReactNode
  className?: string
}) {
  const { label, face, entries, head, className = 'icon-btn' } = props
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const holder = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!isOpen) return
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !holder.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    items(holder.current)[0]?.focus()
    return () => document.removeEventListener('pointerdown', onPress)
  }, [isOpen])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    if (event.key === 'Tab') setOpen(false)
    const next = neighbour(event.key, items(holder.current))
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  return (
    <div className="menu-holder" ref={holder}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {face}
      </button>
      {isOpen && (
        <div className="menu" onKeyDown={onKey}>
          {head && <div className="menu-head">{head}</div>}
          <div role="menu" id={id} aria-label={label}>
            {entries.map((entry, at) => (
              <Entry key={entry === 'line' ? `line-${at}` : entry.key} entry={entry} isFirst={at === 0} close={close} />
            ))}
          </div>
        </div>
      )}
    </div>
  )
}

function Entry({ entry, isFirst, close }: { entry: MenuEntry; isFirst: boolean; close: () => void }) {
  if (entry === 'line') return <hr className="menu-line" />
  const { label, icon, note, disabled, isCurrent, onPick } = entry
  return (
    <button
      type="button"
      role={isCurrent === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isCurrent}
      aria-disabled={disabled ? true : undefined}
      tabIndex={isFirst ? 0 : -1}
      className="menu-item"
      onClick={() => {
        if (disabled) return
        close()
        onPick()
      }}
    >
      {icon}
      <span>
        {label}
        {disabled && <small>{disabled}</small>}
      </span>
      {note && <small>{note}</small>}
      {isCurrent && (
        <span className="menu-mark" aria-hidden="true">
          ✓
        </span>
      )}
    </button>
  )
}

const items = (holder: HTMLElement | null): HTMLElement[] => [
  ...(holder?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []),
]

function neighbour(key: string, all: HTMLElement[]): HTMLElement | undefined {
  const at = all.findIndex((item) => item === document.activeElement)
  if (key === 'ArrowDown') return all[(at + 1) % all.length]
  if (key === 'ArrowUp') return all[(at - 1 + all.length) % all.length]
  if (key === 'Home') return all[0]
  if (key === 'End') return all.at(-1)
  return undefined
}
