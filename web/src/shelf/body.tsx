import styles from './body.module.css'

/** As it travelled: their programmers compare it with what they sent and got. */
export function Body({ title, text }: { title: string; text: string }) {
  return (
    <details className={styles.body}>
      <summary>{title}</summary>
      <pre>{pretty(text)}</pre>
    </details>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
