import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { Part } from '../part'
import styles from './drawer.module.css'

/**
 * Stands beside the list, which stays usable; on a phone it covers it. Takes the focus when it opens and gives it back.
 * Escape closes it, unless something that is open above it wants the key.
 */
export function Drawer(props: {
  title: ReactNode
  tools: ReactNode
  head?: ReactNode
  actions?: ReactNode
  children: ReactNode
  onClose: () => void
}) {
  const { title, tools, head, actions, children, onClose } = props
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const before = document.activeElement
    heading.current?.focus({ preventScroll: true })
    const onKey = (event: KeyboardEvent) => {
      const isTaken = document.querySelector('dialog[open], [role=menu], [data-part~=panel]')
      if (event.key === 'Escape' && !isTaken) close()
    }
    document.addEventListener('keydown', onKey, { capture: true })
    return () => {
      document.removeEventListener('keydown', onKey, { capture: true })
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <div role="dialog" aria-labelledby={id} data-part="drawer" className={styles.drawer}>
      <header className={styles.head}>
        <div className={styles.line}>
          <h2 id={id} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <div className={styles.tools}>{tools}</div>
        </div>
        <Part>{head}</Part>
      </header>
      <div className={styles.body} tabIndex={0}>
        <Part>{children}</Part>
      </div>
      {actions && (
        <footer className={styles.actions}>
          <Part>{actions}</Part>
        </footer>
      )}
    </div>
  )
}

export function Section({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h3>{title}</h3>
        {note && (
          <span className={styles.sectionNote}>
            <Part>{note}</Part>
          </span>
        )}
      </div>
      <Part>{children}</Part>
    </section>
  )
}
