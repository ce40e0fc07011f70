import { Money } from '../../ui/money'
import { currentLocale } from '../../ui/text'
import type { CellProps, Kind } from './kind'
import { Nothing } from './text'

const MoneyCell = ({ value }: CellProps) => (typeof value === 'number' ? <Money fen={value} /> : <Nothing />)

export const moneyKind: Kind = { Cell: MoneyCell, isNumber: true, place: 'aside' }

const CountCell = ({ value }: CellProps) => (typeof value === 'number' ? <span>{countText(value)}</span> : <Nothing />)

export const countKind: Kind = { Cell: CountCell, isNumber: true, place: 'line' }

export const countText = (count: number): string => new Intl.NumberFormat(currentLocale()).format(count)
