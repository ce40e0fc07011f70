import type { CellProps, Kind } from './kind'
import { Nothing } from './text'

/** The last name of a path down a tree, an indent a level; the whole path on hover. */
function TreePathCell({ value }: CellProps) {
  const path = Array.isArray(value) ? value.map(String) : []
  if (path.length === 0) return <Nothing />
  return (
    <span
      style={{ paddingInlineStart: (path.length - 1) * 18 }}
      data-hint={path.length > 1 ? path.join(' / ') : undefined}
    >
      {path.at(-1)}
    </span>
  )
}

export const treePathKind: Kind = { Cell: TreePathCell, place: 'line' }
