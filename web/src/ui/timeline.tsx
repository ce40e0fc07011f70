import type { ReactNode } from 'react'
import type { Tone } from './tag'
import './timeline.css'

export type Moment = { key: string; tone: Tone; title: string; detail?: ReactNode; when: ReactNode }

export function Timeline({ moments }: { moments: readonly Moment[] }) {
  return (
    <ol className="timeline">
      {moments.map(({ key, tone, title, detail, when }) => (
        <li key={key} className={`moment moment-${tone}`}>
          <p className="moment-title">{title}</p>
          <span className="moment-when">{when}</span>
          {detail && <p className="moment-detail">{detail}</p>}
        </li>
      ))}
    </ol>
  )
}
