import { type KeyboardEvent, useRef } from 'react'

/** Tabs after the WAI-ARIA pattern: one stop for the keyboard, arrows choose. */
export function Tabs<K extends string>(props: {
  id: string
  label: string
  items: readonly { key: K; label: string }[]
  selected: K
  onSelect: (key: K) => void
  className: string | undefined
}) {
  const { id, label, items, selected, onSelect, className } = props
  const list = useRef<HTMLDivElement>(null)

  const onKey = (event: KeyboardEvent) => {
    const at = items.findIndex(({ key }) => key === selected)
    const next = items[neighbour(event.key, at, items.length)]
    if (!next || next.key === selected) return
    event.preventDefault()
    onSelect(next.key)
    list.current?.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus()
  }

  return (
    <div className={className} role="tablist" aria-label={label} ref={list} onKeyDown={onKey}>
      {items.map((item) => (
        <button
          key={item.key}
          type="button"
          role="tab"
          id={`${id}-tab-${item.key}`}
          data-key={item.key}
          aria-selected={item.key === selected}
          aria-controls={item.key === selected ? `${id}-panel` : undefined}
          tabIndex={item.key === selected ? 0 : -1}
          onClick={() => onSelect(item.key)}
        >
          {item.label}
        </button>
      ))}
    </div>
  )
}

/** The panel that belongs to the selected tab of the tabs with the same id. */
export const panelOf = (id: string, selected: string) => ({
  id: `${id}-panel`,
  role: 'tabpanel',
  'aria-labelledby': `${id}-tab-${selected}`,
})

function neighbour(key: string, at: number, length: number): number {
  if (key === 'ArrowRight' || key === 'ArrowDown') return (at + 1) % length
  if (key === 'ArrowLeft' || key === 'ArrowUp') return (at - 1 + length) % length
  if (key === 'Home') return 0
  if (key === 'End') return length - 1
  return -1
}
