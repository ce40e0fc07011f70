import type { Tone } from '../../ui/tag'
import styles from './device.module.css'

export type ProgressPart = { key: string; count: number; tone: Tone }

/** Shares of a whole in one bar; what each colour means stands beside it in words. */
export function Progress(props: { label: string; total: number; parts: readonly ProgressPart[] }) {
  const { label, total, parts } = props
  const open = parts.filter(({ tone }) => tone === 'busy').reduce((sum, { count }) => sum + count, 0)
  return (
    <div
      className={styles.progress}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(1, total)}
      aria-valuenow={total - open}
    >
      {parts
        .filter(({ count }) => count > 0)
        .map(({ key, count, tone }) => (
          <span key={key} className={styles[`progress-${tone}`]} style={{ flexGrow: count }} />
        ))}
    </div>
  )
}
