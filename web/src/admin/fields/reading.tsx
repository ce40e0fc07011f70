import { numberFormat } from '@aisle/contract/kernel/formatters'
import { Tag } from '../../ui/tag'
import { currentLocale, useText } from '../../ui/text'
import type { CellProps, Kind } from './kind'
import { Ago } from './time'
import listStyles from '../list.module.css'
import { classes } from '../../ui/classes'

type Reading = { value: string | number | null; at: string | null; origin: string; isStale: boolean }

const isReading = (value: unknown): value is Reading =>
  typeof value === 'object' && value !== null && 'value' in value && 'origin' in value && 'isStale' in value

/** What was last heard, how long ago, and from whom; what a silent machine said is not what is. */
function ReadingCell({ value, field, t }: CellProps) {
  const kit = useText('admin')
  if (!isReading(value) || field.kind !== 'reading') return null
  const { value: said, at, origin, isStale } = value
  if (said === null) return <span className="cell-quiet">{isStale ? kit('reading.unknown') : '–'}</span>
  const from = kit.any(`origin.${origin}`)
  const text = field.words ? t.any(`${field.words}.${said}`) : withUnit(said, field.unit)
  const tone = field.tones?.[said]
  return (
    <span
      className={isStale ? classes(listStyles.cellReading, listStyles.cellStale) : listStyles.cellReading}
      data-hint={isStale ? `${from} · ${kit('reading.stale')}` : from}
    >
      {tone && !isStale ? <Tag tone={tone} word={text} hint={hintOf(field.words, said, t)} /> : <span>{text}</span>}
      {at && (
        <small>
          <Ago at={at} />
        </small>
      )}
    </span>
  )
}

const hintOf = (words: string | undefined, said: string | number, t: CellProps['t']): string | undefined =>
  words === undefined ? undefined : t.any(`${words}.${said}.help`)

export function withUnit(value: string | number, unit: 'celsius' | 'percent' | 'dBm' | undefined): string {
  if (typeof value !== 'number') return value
  const number = numberFormat(currentLocale(), {
    maximumFractionDigits: 1,
    ...(unit === 'celsius' || unit === 'percent' ? { style: 'unit', unit } : {}),
  }).format(value)
  return unit === 'dBm' ? `${number} dBm` : number
}

export const readingKind: Kind = { Cell: ReadingCell, place: 'line' }
