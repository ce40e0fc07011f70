import type { MouseEvent, ReactNode } from 'react'
import { Icon } from './icons'
import { type RowLinks, useRowLinks } from './rows'
import { classes } from './classes'
import styles from './table.module.css'

export type Column<R> = {
  key: string
  head: string
  cell: (row: R) => ReactNode
  isNumber?: boolean
  /** Left out where the list cannot be ordered by it. */
  sort?: { isOn: boolean; label: string; onPick: () => void }
}

/** Rows that are ticked, for what is done with several at once. */
export type RowChoice<R> = {
  isChosen: (row: R) => boolean
  choose: (row: R, isOn: boolean) => void
  /** Of the rows in sight. */
  whole: 'all' | 'some' | 'none'
  chooseAll: (isOn: boolean) => void
  words: { all: string; row: (row: R) => string }
}

export type RowsProps<R> = RowLinks<R> & {
  label: string
  columns: readonly Column<R>[]
  isFresh: (row: R) => boolean
  isCompact: boolean
  /** Rows of before, while the next ones are on their way. */
  isStale: boolean
  selection?: RowChoice<R> | undefined
}

/** Rows without links give the keyboard nothing to scroll a wide table by; then the table itself is it. */
const reachable = { tabIndex: 0 }

/** The one table of the product: the first cell is the row's link, arrows walk the rows, Enter opens. */
export function Table<R>(props: RowsProps<R>) {
  const { label, columns, rows, keyOf, openKey, onOpen, isFresh, isCompact, isStale, selection } = props
  const { holder, linkProps, onKeyDown } = useRowLinks(props)
  const look = classes(styles.table, isCompact && styles.compact, isStale && styles.isStale, onOpen && styles.isOpening)
  const onRow = (event: MouseEvent, row: R) => {
    const isOwnClick = event.target instanceof Element && event.target.closest('a, button, input, label')
    const isSelecting = !getSelection()?.isCollapsed
    if (!isOwnClick && !isSelecting) onOpen?.(row)
  }
  return (
    <div
      data-part="table-holder"
      className={styles.holder}
      ref={holder}
      onKeyDown={onKeyDown}
      aria-busy={isStale}
      {...(!onOpen && reachable)}
    >
      <table className={look} aria-label={label}>
        <thead>
          <tr>
            {selection && <ChooseAll selection={selection} />}
            {columns.map((column) => (
              <HeadCell key={column.key} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className={keyOf(row) === openKey ? styles.isOpen : undefined}
              data-fresh={isFresh(row) || undefined}
              onClick={(event) => onRow(event, row)}
            >
              {selection && (
                <td className={styles.isChoice}>
                  <ChooseRow selection={selection} row={row} />
                </td>
              )}
              {columns.map((column, at) => (
                <td key={column.key} className={column.isNumber ? styles.isNumber : undefined}>
                  {at === 0 && onOpen ? <a {...linkProps(row)}>{column.cell(row)}</a> : column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function ChooseRow<R>({ selection, row }: { selection: RowChoice<R>; row: R }) {
  return (
    <input
      type="checkbox"
      aria-label={selection.words.row(row)}
      checked={selection.isChosen(row)}
      onChange={(event) => selection.choose(row, event.target.checked)}
    />
  )
}

function ChooseAll<R>({ selection: { whole, chooseAll, words } }: { selection: RowChoice<R> }) {
  return (
    <th scope="col" className={styles.isChoice}>
      <input
        type="checkbox"
        aria-label={words.all}
        checked={whole === 'all'}
        ref={(box) => {
          if (box) box.indeterminate = whole === 'some'
        }}
        onChange={(event) => chooseAll(event.target.checked)}
      />
    </th>
  )
}

function HeadCell<R>({ column: { head, sort, isNumber } }: { column: Column<R> }) {
  return (
    <th scope="col" className={isNumber ? styles.isNumber : undefined} aria-sort={sort?.isOn ? 'other' : undefined}>
      {sort ? (
        <button type="button" aria-pressed={sort.isOn} title={sort.label} onClick={sort.onPick}>
          {head}
          {sort.isOn && <Icon name="down" size={12} />}
        </button>
      ) : (
        head
      )}
    </th>
  )
}

/** The shape of what comes. */
export function TableSkeleton({ columns, label }: { columns: number; label: string }) {
  return (
    <div data-part="table-holder" className={styles.holder} role="status" aria-label={label}>
      <div className={styles.bones} style={{ gridTemplateColumns: `repeat(${Math.min(columns, 8)}, 1fr)` }}>
        {Array.from({ length: Math.min(columns, 8) * 10 }, (_, at) => (
          <span key={at} className="bone" />
        ))}
      </div>
    </div>
  )
}
