import { type ReactNode, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { classes } from './classes'
import { PaperContext } from './prefs'
import type { Column } from './table'
import styles from './printed.module.css'

/** A document on paper: nothing else of the page is printed with it. @param part by which tests find it */
export const Printed = ({ part, isWide, children }: { part: string; isWide?: boolean; children: ReactNode }) =>
  createPortal(
    <article className={classes(styles.paper, isWide && styles.wide)} aria-hidden="true" data-part={part}>
      <PaperContext value>{children}</PaperContext>
    </article>,
    document.body,
  )

/**
 * Reads what is to stand on paper, prints it, and leaves nothing of it in the page: else it would be printed again.
 * @param nameOf the file that a browser offers for what is printed into a PDF; without it the page's title
 */
export function usePaper<T>(read: () => T | Promise<T>, nameOf?: (found: T) => string) {
  const [paper, setPaper] = useState<T | null>(null)
  const [isReading, setReading] = useState(false)
  const print = async () => {
    setReading(true)
    const { title } = document
    try {
      const found = await read()
      if (nameOf) document.title = nameOf(found)
      // Else the browser would print what was there before.
      flushSync(() => setPaper(found))
      window.print()
    } catch {
      // Who reads has said what went wrong.
    }
    document.title = title
    setPaper(null)
    setReading(false)
  }
  return { paper, isReading, print: () => void print() }
}

/** Prints what is known already. */
export function PrintButton({ word, part, children }: { word: string; part: string; children: ReactNode }) {
  const { paper, print } = usePaper(() => true)
  return (
    <>
      <button type="button" className="btn" onClick={print}>
        {word}
      </button>
      {paper && <Printed part={part}>{children}</Printed>}
    </>
  )
}

/** Columns of a list on paper; its head stands on each sheet. */
export function PaperTable<R>(props: { columns: readonly Column<R>[]; rows: readonly R[]; keyOf: (row: R) => string }) {
  const { columns, rows, keyOf } = props
  return (
    <table>
      <thead>
        <tr>
          {columns.map(({ key, head, isNumber }) => (
            <th key={key} data-number={isNumber || undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ key, cell, isNumber }) => (
              <td key={key} data-number={isNumber || undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
