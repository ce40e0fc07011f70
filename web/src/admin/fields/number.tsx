import { numberFormat } from '@aisle/contract/kernel/formatters'
import { Money } from '../../ui/money'
import { currentLocale } from '../../ui/text'
import type { CellProps, Kind } from './kind'
import { ToRows } from './rows'
import { Nothing } from './text'

const MoneyCell = (cell: CellProps) =>
  typeof cell.value === 'number' ? (
    <ToRows {...cell}>
      <Money fen={cell.value} />
    </ToRows>
  ) : (
    <Nothing />
  )

export const moneyKind: Kind = { Cell: MoneyCell, isNumber: true, place: 'aside' }

const CountCell = (cell: CellProps) =>
  typeof cell.value === 'number' ? (
    <ToRows {...cell}>
      <span>{countText(cell.value)}</span>
    </ToRows>
  ) : (
    <Nothing />
  )

export const countKind: Kind = { Cell: CountCell, isNumber: true, place: 'line' }

const PermilleCell = ({ value }: CellProps) =>
  typeof value === 'number' ? <span>{permilleText(value)}</span> : <Nothing />

export const permilleKind: Kind = { Cell: PermilleCell, isNumber: true, place: 'line' }

export const permilleText = (permille: number): string =>
  numberFormat(currentLocale(), { style: 'percent', maximumFractionDigits: 1 }).format(permille / 1_000)

const PercentCell = ({ value }: CellProps) =>
  typeof value === 'number' ? <span>{percentText(value)}</span> : <Nothing />

export const percentKind: Kind = { Cell: PercentCell, isNumber: true, place: 'aside' }

export const percentText = (percent: number): string =>
  numberFormat(currentLocale(), { style: 'percent', maximumFractionDigits: 4 }).format(percent / 100)

export const countText = (count: number): string => numberFormat(currentLocale()).format(count)
