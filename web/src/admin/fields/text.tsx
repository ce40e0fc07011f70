import type { CellProps, Kind } from './kind'
import { ToRows } from './rows'
import tableStyles from '../../ui/table.module.css'

/** Nothing to show, said so that a reader does not wonder whether it is still loading. */
export const Nothing = () => <span className="cell-quiet">–</span>

function TextCell(cell: CellProps) {
  const { value, field, t } = cell
  if (value === null || value === undefined || value === '') return <Nothing />
  const isSaid = field.kind === 'text' && field.states?.includes(String(value))
  const text = isSaid ? t.any(`${field.words}.${String(value)}`) : String(value)
  return (
    <ToRows {...cell}>
      <span className={tableStyles.cellLong} data-hint={text.length > 24 ? text : undefined}>
        {text}
      </span>
    </ToRows>
  )
}

export const textKind: Kind = { Cell: TextCell, place: 'line' }

function CodeCell({ value, field, t }: CellProps) {
  if (value === null || value === undefined || value === '') return <Nothing />
  const code = String(value)
  const isSaid = field.kind === 'code' && field.states?.includes(code)
  return isSaid ? <span>{t.any(`${field.words}.${code}`)}</span> : <span>{code}</span>
}

export const codeKind: Kind = { Cell: CodeCell, place: 'line' }
