import type { CellProps, Kind } from './kind'
import { Nothing } from './text'

/** The last name of a way down a tree, an indent a level; the whole way on hover. */
function WayCell({ value }: CellProps) {
  const way = Array.isArray(value) ? value.map(String) : []
  if (way.length === 0) return <Nothing />
  return (
    <span
      style={{ paddingInlineStart: (way.length - 1) * 18 }}
      data-hint={way.length > 1 ? way.join(' / ') : undefined}
    >
      {way.at(-1)}
    </span>
  )
}

export const wayKind: Kind = { Cell: WayCell, place: 'line' }
