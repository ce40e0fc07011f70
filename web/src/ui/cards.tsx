import type { ReactNode } from 'react'
import { useRowLinks } from './rows'
import { ChooseRow, type Column, type RowsProps } from './table'
import './cards.css'

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
      <ul className={`cards${isStale ? ' is-stale' : ''}`} aria-label={label}>
        {rows.map((row) => (
          <li
            key={keyOf(row)}
            className={`card${keyOf(row) === openKey ? ' is-open' : ''}${isFresh(row) ? ' is-fresh' : ''}`}
          >
            <div className="card-head">
              {selection && <ChooseRow selection={selection} row={row} />}
              {onOpen ? (
                <a {...linkProps(row)} className="card-title">
                  {title?.cell(row)}
                </a>
              ) : (
                <span className="card-title">{title?.cell(row)}</span>
              )}
              {asides.map((column) => (
                <Aside key={column.key}>{column.cell(row)}</Aside>
              ))}
            </div>
            <div className="card-tags">
              {at('tag').map((column) => (
                <span key={column.key}>{column.cell(row)}</span>
              ))}
            </div>
            <dl className="card-lines">
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

const Aside = ({ children }: { children: ReactNode }) => <span className="card-aside">{children}</span>
