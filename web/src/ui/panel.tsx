import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import styles from './panel.module.css'
import { classes } from './classes'

/** A button that opens a small panel of controls below itself; what is inside may close it. */
export function PanelButton(props: {
  label: string
  face: ReactNode
  className?: string
  children: (close: () => void) => ReactNode
}) {
  const { label, face, className = 'tool', children } = props
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const holder = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!isOpen) return
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !holder.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    const opener = button.current
    return () => {
      document.removeEventListener('pointerdown', onPress)
      // What had the focus went with the panel.
      if (document.activeElement === document.body) opener?.focus()
    }
  }, [isOpen])

  const close = () => setOpen(false)
  const onKey = (event: KeyboardEvent) => {
    if (isOpen && event.key === 'Escape') close()
  }
  return (
    <div className="menu-holder" ref={holder} onKeyDown={onKey}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {face}
      </button>
      {isOpen && (
        <div data-part="panel" className={classes('menu', styles.panel)} id={id} role="group" aria-label={label}>
          {children(close)}
        </div>
      )}
    </div>
  )
}
