import { isNamespace, useText } from '../text'
import styles from './usual.module.css'

/**
 * Reasons that are given again and again, each with one press; what was typed stays before it. They stand in the
 * catalog of the call's domain as `usual.<verb>`, with strokes between.
 * @param of the name of the call
 * @param first what this installation says itself, before them
 */
export function Usual(props: {
  of: string
  value: unknown
  onPick: (text: string) => void
  first?: readonly string[]
}) {
  const { of, value, onPick, first = [] } = props
  const [domain = '', verb = ''] = of.split('.')
  const kernel = useText('kernel')
  const t = useText(isNamespace(domain) ? domain : 'kernel')
  const key = `usual.${verb}`
  const reasons = [...new Set([...first, ...(t.has(key) ? t.any(key).split('|') : [])])]
  if (reasons.length === 0) return null
  const typed = typeof value === 'string' ? value.trim() : ''
  return (
    <span className={styles.usual} role="group" aria-label={kernel('usual')}>
      {reasons.map((reason) => (
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
