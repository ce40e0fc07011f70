import { type ReactNode, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { classes } from './classes'
import styles from './printed.module.css'

/** A document on paper: nothing else of the page is printed with it. @param part by which tests find it */
export const Printed = ({ part, isWide, children }: { part: string; isWide?: boolean; children: ReactNode }) =>
  createPortal(
    <article className={classes(styles.paper, isWide && styles.wide)} aria-hidden="true" data-part={part}>
      {children}
    </article>,
    document.body,
  )

/** Prints what is known already. */
export function PrintButton({ word, part, children }: { word: string; part: string; children: ReactNode }) {
  const [isPrinting, setPrinting] = useState(false)
  const print = () => {
    // Else the browser would print what was there before.
    flushSync(() => setPrinting(true))
    window.print()
    setPrinting(false)
  }
  return (
    <>
      <button type="button" className="btn" onClick={print}>
        {word}
      </button>
      {isPrinting && <Printed part={part}>{children}</Printed>}
    </>
  )
}
