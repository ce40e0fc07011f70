import { isNamespace, useText } from '../text'
import styles from './usual.module.css'

/**
 * Reasons that are given again and again, each with one press; what was typed stays before it. They stand in the
 * catalog of the call's domain as `usual.<verb>`, with strokes between.
 * @param of the name of the call
 */
export function Usual({ of, value, onPick }: { of: string; value: unknown; onPick: (text: string) => void }) {
  const [domain = '', verb = ''] = of.split('.')
  const kernel = useText('kernel')
  const t = useText(isNamespace(domain) ? domain : 'kernel')
  const key = `usual.${verb}`
  if (!t.has(key)) return null
  const typed = typeof value === 'string' ? value.trim() : ''
  return (
    <span className={styles.usual} role="group" aria-label={kernel('usual')}>
      {t
        .any(key)
        .split('|')
        .map((reason) => (
          <button key={reason} type="button" onClick={() => onPick(withReason(typed, reason))}>
            {reason}
          </button>
        ))}
    </span>
  )
}

function withReason(typed: string, reason: string): string {
  if (typed === '' || typed.includes(reason)) return typed || reason
  return `${typed} · ${reason}`
}
