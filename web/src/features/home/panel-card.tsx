import type { ReactNode } from 'react'
import { Failure } from '../../admin/Failure'
import { Way } from '../../admin/Way'
import type { CallFailure } from '../../live/failure'

/** One question of the dashboard with its answer, and the way to all that stands behind it. */
export function PanelCard(props: {
  title: string
  way: { path: string; word: string } | null
  found: { data: unknown; error: CallFailure | null; refetch: () => unknown }
  children: ReactNode
}) {
  const { title, way, found, children } = props
  return (
    <section className="dash-card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {way && (
          <Way path={way.path} className="dash-way">
            {way.word}
          </Way>
        )}
      </header>
      {found.data !== undefined ? (
        children
      ) : found.error ? (
        <Failure failure={found.error} retry={() => void found.refetch()} />
      ) : (
        <div className="bone dash-bone" />
      )}
    </section>
  )
}

/**
 * A figure that leads to the list behind it.
 * @param props.of what it is a part of
 */
export function Figure(props: {
  word: string
  path: string
  tone?: 'bad' | 'warn' | 'good'
  of?: string
  children: ReactNode
}) {
  const { word, path, tone, of, children } = props
  return (
    <Way path={path} className={tone ? `dash-figure dash-${tone}` : 'dash-figure'}>
      <span>{word}</span>
      <div>
        <strong>{children}</strong>
        {of !== undefined && <small> / {of}</small>}
      </div>
    </Way>
  )
}
