import { useText } from '../../ui/text'
import type { CellProps, Kind } from './kind'
import { Nothing } from './text'

function BooleanCell({ value }: CellProps) {
  const kit = useText('admin')
  if (typeof value !== 'boolean') return <Nothing />
  return <span className={value ? undefined : 'cell-quiet'}>{value ? kit('cell.yes') : kit('cell.no')}</span>
}

export const booleanKind: Kind = { Cell: BooleanCell, place: 'line' }
