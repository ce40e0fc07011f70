import type { CSSProperties, ReactNode } from 'react'
import { roundStep } from './lines.rules'
import styles from './bars.module.css'

type Share = {
  key: string
  name: ReactNode
  value: number
  /** The same in the time before: a mark on the bar's track. */
  before?: number
  text: ReactNode
  note?: ReactNode
  colour?: string
}

/**
 * Parts of a whole, in the order that they come in, each written beside its bar: the length says what a colour alone
 * must not. Fine lines stand at round values, the same in all of them.
 */
export function ShareBars({ label, shares }: { label: string; shares: readonly Share[] }) {
  const most = Math.max(1, ...shares.flatMap(({ value, before = 0 }) => [value, before]))
  const grid = { '--grid': `${(roundStep(most) / most) * 100}%` } as CSSProperties
  const part = (value: number) => `${Math.max(0, (value / most) * 100)}%`
  return (
    <ul data-part="share-bars" className={styles.shareBars} aria-label={label} style={grid}>
      {shares.map(({ key, name, value, before, text, note, colour }) => (
        <li key={key}>
          <span className={styles.shareName}>{name}</span>
          <span data-part="share-text" className={styles.shareText}>
            {text}
          </span>
          <span data-part="share-track" className={styles.shareTrack} aria-hidden="true">
            <i style={{ width: part(value), ...(colour ? { background: colour } : {}) }} />
            {before !== undefined && before > 0 && <b style={{ left: part(before) }} />}
          </span>
          {note && <span className={styles.shareNote}>{note}</span>}
        </li>
      ))}
    </ul>
  )
}
