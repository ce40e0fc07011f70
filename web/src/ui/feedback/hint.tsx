import { useEffect, useRef } from 'react'
import styles from './hint.module.css'

const GAP = 6

/** Explains, on hover and on focus, whatever carries `data-hint`: one bubble for a page, in the top layer. */
export function Hints() {
  const bubble = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const follow = ({ target }: Event) => {
      const hinted = target instanceof Element ? target.closest<HTMLElement>('[data-hint]') : null
      if (bubble.current) show(bubble.current, hinted)
    }
    const hide = () => bubble.current?.togglePopover(false)
    const events = ['pointerover', 'focusin'] as const
    for (const name of events) document.addEventListener(name, follow)
    document.addEventListener('scroll', hide, { capture: true, passive: true })
    return () => {
      for (const name of events) document.removeEventListener(name, follow)
      document.removeEventListener('scroll', hide, { capture: true })
    }
  }, [])
  return <div ref={bubble} popover="manual" role="tooltip" className={styles.hint} />
}

function show(bubble: HTMLElement, hinted: HTMLElement | null): void {
  const text = hinted?.dataset.hint
  bubble.togglePopover(Boolean(text))
  if (!hinted || !text) return
  bubble.textContent = text
  const [at, size] = [hinted.getBoundingClientRect(), bubble.getBoundingClientRect()]
  const left = Math.min(Math.max(GAP, at.left), innerWidth - size.width - GAP)
  const isRoomBelow = at.bottom + GAP + size.height < innerHeight
  bubble.style.left = `${left}px`
  bubble.style.top = `${isRoomBelow ? at.bottom + GAP : at.top - GAP - size.height}px`
}
