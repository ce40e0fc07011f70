import { type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState } from 'react'

type Key = string | number

export type RowLinks<R> = {
  rows: readonly R[]
  keyOf: (row: R) => Key
  /** Where the row stands, so that it can be opened in a new tab and sent to a colleague. */
  hrefOf: (row: R) => string
  openKey: Key | null
  /** @param isStep from one open row to the next: no new place to come back to */
  onOpen: ((row: R, isStep?: boolean) => void) | undefined
}

const LINK = 'a[data-row]'

/** One row's link is in the tab order; arrows, Home and End go to the others and, with a row open, open those. */
export function useRowLinks<R>({ rows, keyOf, hrefOf, openKey, onOpen }: RowLinks<R>) {
  const holder = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<Key | null>(null)
  const keys = rows.map(keyOf)
  const entry = [focused, openKey].find((key) => key !== null && keys.includes(key)) ?? keys[0]

  const linkProps = (row: R) => ({
    href: hrefOf(row),
    'data-row': true,
    tabIndex: keyOf(row) === entry ? 0 : -1,
    'aria-current': keyOf(row) === openKey ? ('true' as const) : undefined,
    onFocus: () => setFocused(keyOf(row)),
    onClick: (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      onOpen?.(row)
    },
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const at = linksIn(holder).findIndex((link) => link === document.activeElement)
    const to = at < 0 ? undefined : targetOf(event.key, at, rows.length)
    const row = to === undefined ? undefined : rows[to]
    if (to === undefined || !row) return
    event.preventDefault()
    linksIn(holder)[to]?.focus()
    if (openKey !== null) onOpen?.(row, true)
  }
  return { holder, linkProps, onKeyDown }
}

const linksIn = (holder: RefObject<HTMLElement | null>): HTMLElement[] => [
  ...(holder.current?.querySelectorAll<HTMLElement>(LINK) ?? []),
]

function targetOf(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1)
  if (key === 'ArrowUp') return Math.max(at - 1, 0)
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}
