import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { useUnderstood } from '../feedback/asked'
import { Part } from '../part'
import styles from './tabs.module.css'

export type Tab = { key: string; label: string; panel: ReactNode }

/** WAI-ARIA tabs: arrows move, the panel follows. */
export function Tabs(props: {
  label: string
  tabs: readonly Tab[]
  current: string | null
  onPick: (key: string) => void
}) {
  const { label, tabs, onPick } = props
  const id = useId()
  const asked = tabs.find((tab) => tab.key === props.current)
  useUnderstood(asked?.key === new URLSearchParams(location.search).get('tab') ? ['tab'] : [])
  const current = asked ?? tabs[0]
  if (!current) return null
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step && tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length]
    if (!next) return
    onPick(next.key)
    document.getElementById(`${id}-${next.key}`)?.focus()
  }
  return (
    <div className={styles.tabbed}>
      <div role="tablist" aria-label={label} className={styles.tabs} onKeyDown={onKey}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            id={`${id}-${tab.key}`}
            type="button"
            role="tab"
            aria-selected={tab === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab === current ? 0 : -1}
            ref={tab === current ? intoSight : undefined}
            onClick={() => onPick(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} className={styles.tabPanel} aria-labelledby={`${id}-${current.key}`}>
        <Part>{current.panel}</Part>
      </div>
    </div>
  )
}

/** Where more tabs stand in the row than fit, the open one is in the middle of those that are seen. */
function intoSight(tab: HTMLElement | null): void {
  const row = tab?.parentElement
  if (!tab || !row) return
  const [at, all] = [tab.getBoundingClientRect(), row.getBoundingClientRect()]
  row.scrollLeft += at.left + at.width / 2 - (all.left + all.width / 2)
}
