import type { ReactNode } from 'react'
import { useRowLinks } from './rows'
import { ChooseRow, type Column, type RowsProps } from './table'
import styles from './cards.module.css'
import tableStyles from './table.module.css'
import { classes } from './classes'

/** Where a column goes on a card: beside the title, among the tags, or as a pair of name and value. */
export type Place = 'aside' | 'tag' | 'line'

const MOST_ASIDES = 2

/** The same rows on a phone: the first column is the title, the rest stand by their kind. */
export function Cards<R>(props: RowsProps<R> & { placeOf: (column: Column<R>) => Place }) {
  const { label, columns, rows, keyOf, openKey, onOpen, isFresh, isStale, selection, placeOf } = props
  const { holder, linkProps, onKeyDown } = useRowLinks(props)
  const [title, ...others] = columns
  const at = (place: Place) => others.filter((column) => placeOf(column) === place)
  // More figures than there is room for beside the title would be told apart by nothing but their order.
  const asides = at('aside').length > MOST_ASIDES ? [] : at('aside')
  const lines = others.filter((column) => placeOf(column) !== 'tag' && !asides.includes(column))
  return (
    <div ref={holder} onKeyDown={onKeyDown} aria-busy={isStale}>
      <ul data-part="cards" className={isStale ? tableStyles.isStale : undefined} aria-label={label}>
        {rows.map((row) => (
          <li
            key={keyOf(row)}
            data-part="card"
            className={classes(styles.card, keyOf(row) === openKey && styles.isOpen)}
            data-fresh={isFresh(row) || undefined}
          >
            <div className={styles.head}>
              {selection && <ChooseRow selection={selection} row={row} />}
              {onOpen ? (
                <a {...linkProps(row)} className={styles.title}>
                  {title?.cell(row)}
                </a>
              ) : (
                <span className={styles.title}>{title?.cell(row)}</span>
              )}
              {asides.map((column) => (
                <Aside key={column.key}>{column.cell(row)}</Aside>
              ))}
            </div>
            <div className={styles.tags}>
              {at('tag').map((column) => (
                <span key={column.key}>{column.cell(row)}</span>
              ))}
            </div>
            <dl className={styles.lines}>
              {lines.map((column) => (
                <div key={column.key}>
                  <dt>{column.head}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </div>
  )
}

const Aside = ({ children }: { children: ReactNode }) => <span className={styles.aside}>{children}</span>
