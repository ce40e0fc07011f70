import type { ReactNode } from 'react'
import './empty.css'
import { Icon, type IconName } from './icons'

/** What belongs here and what to do first, or what went wrong and how to go on. */
export function Empty(props: { icon: IconName; title: string; text?: string; small?: string; children?: ReactNode }) {
  const { icon, title, text, small, children } = props
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <p className="empty-title">{title}</p>
      {text && <p>{text}</p>}
      {small && <p className="empty-small">{small}</p>}
      {children && <div className="empty-actions">{children}</div>}
    </div>
  )
}
