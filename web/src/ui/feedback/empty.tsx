import type { ReactNode } from 'react'
import styles from './empty.module.css'
import { Icon, type IconName } from '../icons'

/** What belongs here and what to do first, or what went wrong and how to go on. */
export function Empty(props: { icon: IconName; title: string; text?: string; small?: string; children?: ReactNode }) {
  const { icon, title, text, small, children } = props
  return (
    <div data-part="empty" className={styles.empty}>
      <Icon name={icon} size={28} />
      <p className={styles.title}>{title}</p>
      {text && <p>{text}</p>}
      {small && <p className={styles.small}>{small}</p>}
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
