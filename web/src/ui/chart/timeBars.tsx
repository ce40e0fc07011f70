import type { ReactNode } from 'react'
import styles from './bars.module.css'
import { classes } from '../classes'

type Point = {
  key: string
  name: string
  value: number
  before?: number
  hint: string
  /** Not over yet: what it comes to is not known. */
  isOpen?: boolean
}

/** Names below the bars, so that they stand apart on a phone too. */
const MOST_NAMES = 6

/** Amounts over time: a bar each from zero on, a mark for the same place in the time before where it is told. */
export function TimeBars(props: {
  label: string
  points: readonly Point[]
  keys: { now: string; before?: string }
  /** Of the highest bar, at the top of the scale. */
  topText: (most: number) => string
  children?: ReactNode
}) {
  const { label, points, keys, topText, children } = props
  const most = Math.max(1, ...points.flatMap(({ value, before = 0 }) => [value, before]))
  const part = (value: number) => `${Math.max(0, (value / most) * 100)}%`
  const every = Math.max(1, Math.ceil(points.length / MOST_NAMES))
  return (
    <figure className={styles.timeBars} aria-label={label}>
      <figcaption>
        <span className={styles.key}>{keys.now}</span>
        {keys.before && <span className={classes(styles.key, styles.keyBefore)}>{keys.before}</span>}
      </figcaption>
      <div className={styles.timeBarsPlot} aria-hidden="true">
        <span className={styles.timeBarsTop}>{topText(most)}</span>
        {points.map(({ key, name, value, before, hint, isOpen }, at) => (
          <div key={key} className={isOpen ? classes(styles.timeBar, styles.isOpen) : styles.timeBar} data-hint={hint}>
            <i style={{ height: part(value) }} />
            {before !== undefined && <b style={{ bottom: part(before) }} />}
            {at % every === 0 && <small>{name}</small>}
          </div>
        ))}
      </div>
      {children}
    </figure>
  )
}
