import type { ReactNode } from 'react'
import type { Tone } from '../tag'
import styles from './timeline.module.css'
import { classes } from '../classes'

export type Moment = { key: string; tone: Tone; title: string; detail?: ReactNode; when: ReactNode }

export function Timeline({ moments }: { moments: readonly Moment[] }) {
  return (
    <ol data-part="timeline">
      {moments.map(({ key, tone, title, detail, when }) => (
        <li key={key} className={classes(styles.moment, styles[tone])}>
          <p>{title}</p>
          <span className={styles.when}>{when}</span>
          {detail && <p className={styles.detail}>{detail}</p>}
        </li>
      ))}
    </ol>
  )
}
