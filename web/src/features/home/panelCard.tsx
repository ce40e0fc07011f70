import type { ReactNode } from 'react'
import { Failure } from '../../admin/failure'
import { AppLink } from '../../admin/appLink'
import type { CallFailure } from '../../live/failure'
import styles from './home.module.css'
import { classes } from '../../ui/classes'

/** One question of the dashboard with its answer, and the way to all that stands behind it. */
export function PanelCard(props: {
  title: string
  more: { path: string; word: string } | null
  found: { data: unknown; error: CallFailure | null; refetch: () => unknown }
  children: ReactNode
}) {
  const { title, more, found, children } = props
  return (
    <section data-part="dash-card" className={styles.card} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {more && <AppLink path={more.path}>{more.word}</AppLink>}
      </header>
      {found.data !== undefined ? (
        children
      ) : found.error ? (
        <Failure failure={found.error} retry={() => void found.refetch()} />
      ) : (
        <div className={classes('bone', styles.bone)} />
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
    <AppLink
      path={path}
      data-part="dash-figure"
      className={tone ? classes(styles.figure, styles[tone]) : styles.figure}
    >
      <span>{word}</span>
      <div>
        <strong>{children}</strong>
        {of !== undefined && <small> / {of}</small>}
      </div>
    </AppLink>
  )
}
