import type { ReactNode } from 'react'
import styles from './shortList.module.css'

type Props<R> = {
  rows: readonly R[]
  /** Instead of a list of nothing. */
  none?: string
  /** What names one and tells of it, and what stands at its end: a verb, a state. */
  says: (row: R) => ReactNode
  ends?: (row: R) => ReactNode
}

/** The few things that belong to one, in its drawer, a line each. */
export function ShortList<R extends { id: number | string }>({ rows, none, says, ends }: Props<R>) {
  if (rows.length === 0) return none === undefined ? null : <p className="quiet">{none}</p>
  return (
    <ul data-part="short-list" className={styles.rows}>
      {rows.map((row) => (
        <li key={row.id}>
          <span>{says(row)}</span>
          {ends?.(row)}
        </li>
      ))}
    </ul>
  )
}
